/* calque inline: producers into consumers, and loops in another order (kernel/inline.h), as the options say. */
#include <getopt.h>
#include <string.h>

#include "cli/cli.h"
#include "kernel/inline.h"

enum { NAMES_MAX = 256, REPEAT = 64 };

struct job {
    const char *input;
    const char *tensor[NAMES_MAX], *out[NAMES_MAX];
    int tensors, outs;
    bool reverse, keep_dead, why, any;
    struct inline_policy policy;
};

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque inline INPUT [options]\n"
               "Inlines the temporaries of a kernel (.kern, .json) into the statements that load them, removes the statements\n"
               "no output depends on, and prints the kernel. A .kern file's last tensor is its only output.\n\n"
               "      --tensor NAMES  only these, in this order; a refusal is an error (exit status 1)\n"
               "      --out NAMES     outputs of a .kern file\n"
               "      --policy LIST   of: reductions (repeat them too), single (only what is loaded once), any (repeat any work;\n"
               "                      otherwise, without --tensor, what repeats more than 64 operations a cell stays)\n"
               "      --reverse       the consumer takes the producer's loops: needs --tensor; prints their order\n"
               "      --keep-dead     removes no dead statements\n"
               "      --format=text   the only one: what calque-oracle kernel prints\n"
               "      --why           says on stderr why the others stay\n");
    return status;
}

static bool split(char *list, const char **to, int *n)
{
    for (char *s = strtok(list, ","); s; s = strtok(NULL, ",")) {
        if (*n == NAMES_MAX)
            return false;
        to[(*n)++] = s;
    }
    return true;
}

static bool read_policy(struct job *j, char *list)
{
    for (char *s = strtok(list, ","); s; s = strtok(NULL, ",")) {
        if (strcmp(s, "reductions") == 0)
            j->policy.reductions = true;
        else if (strcmp(s, "single") == 0)
            j->policy.loads = 1;
        else if (strcmp(s, "any") == 0)
            j->any = true;
        else
            return false;
    }
    return true;
}

static enum calque_status find(struct cli *c, const struct job *j, const struct kernel *k, const char *name, int *t,
                               struct diag *d)
{
    *t = kernel_find_tensor(k, strs_find(&c->strs, name, strlen(name)));
    return *t >= 0 ? CALQUE_OK : diag_set(d, CALQUE_BAD, j->input, 0, 0, "the kernel has no tensor %s", name);
}

static enum calque_status set_outputs(struct cli *c, const struct job *j, struct kernel *k, struct diag *d)
{
    enum calque_status st = CALQUE_OK;
    int t;

    for (int i = 0; i < k->tensor.n && j->outs > 0; i++)
        if (k->tensor.a[i].role == KERNEL_OUT)
            k->tensor.a[i].role = KERNEL_TEMP;
    for (int i = 0; i < j->outs && st == CALQUE_OK; i++) {
        st = find(c, j, k, j->out[i], &t, d);
        if (st == CALQUE_OK && k->tensor.a[t].role == KERNEL_IN)
            st = diag_set(d, CALQUE_BAD, j->input, 0, 0, "no statement stores %s", j->out[i]);
        if (st == CALQUE_OK)
            k->tensor.a[t].role = KERNEL_OUT;
    }
    return st;
}

static void print_order(const struct kernel *k, const char *name, const struct kernel_stmt *s)
{
    printf("# %s: loops over", name);
    for (int i = 0; i < k->tensor.a[s->out].rank; i++) {
        struct kernel_var v = k->var.a[s->var + (s->loop[0] ? s->loop[i] - 1 : i)];
        printf("%s %s<%ld", i ? "," : "", strs_text(k->strs, v.name), v.extent);
    }
    printf("\n");
}

static void tell(void *arg, const struct diag *why)
{
    (void)arg;
    fprintf(stderr, "calque inline: %s\n", why->text);
}

static enum calque_status transform(struct cli *c, const struct job *j, struct kernel *k, struct diag *d)
{
    enum calque_status st = set_outputs(c, j, k, d);
    int n, t;

    for (int i = 0; i < j->tensors && st == CALQUE_OK; i++) {
        st = find(c, j, k, j->tensor[i], &t, d);
        if (st == CALQUE_OK && j->reverse) {
            st = kernel_inline_reverse(k, t, &n, d);
            if (st == CALQUE_OK)
                print_order(k, j->tensor[i], &k->stmt.a[n]);
        } else if (st == CALQUE_OK) {
            st = kernel_inline_policy(k, t, &j->policy, d);
        }
    }
    if (st == CALQUE_OK && j->tensors == 0)
        st = kernel_inline_all(k, &j->policy, &n, j->why ? tell : NULL, NULL, d);
    if (st == CALQUE_OK && !j->keep_dead)
        st = kernel_remove_dead(k, &n, d);
    return st;
}

static enum calque_status inline_kernel(struct cli *c, const struct job *j, struct diag *d)
{
    struct kernel k;
    enum calque_status st = cli_kernel(c, j->input, &k, d);
    struct text t;

    text_init(&t, &c->mem);
    if (st == CALQUE_OK)
        st = transform(c, j, &k, d);
    if (st == CALQUE_OK) {
        kernel_print(&t, &k);
        st = text_status(&t, d);
    }
    if (st == CALQUE_OK && t.a)
        fputs(t.a, stdout);
    text_free(&t);
    kernel_free(&k);
    if (st != CALQUE_OK && !d->file[0])
        snprintf(d->file, sizeof d->file, "%s", j->input);
    return st;
}

int cmd_inline(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {{"tensor", 1, 0, 't'},    {"out", 1, 0, 'o'}, {"policy", 1, 0, 'p'},
                                          {"reverse", 0, 0, 'r'},   {"why", 0, 0, 'w'}, {"keep-dead", 0, 0, 'k'},
                                          {"help", 0, 0, 'h'},      {"format", 1, 0, 'f'}, {0, 0, 0, 0}};
    struct job j = {0};
    struct diag d;
    int k;

    while ((k = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        switch (k) {
        case 't':
            if (!split(optarg, j.tensor, &j.tensors))
                return cli_usage("inline", "more than %d names", NAMES_MAX);
            break;
        case 'o':
            if (!split(optarg, j.out, &j.outs))
                return cli_usage("inline", "more than %d names", NAMES_MAX);
            break;
        case 'p':
            if (!read_policy(&j, optarg))
                return cli_usage("inline", "unknown policy");
            break;
        case 'f':
            if (strcmp(optarg, "text") != 0)
                return cli_usage("inline", "unknown format '%s': text", optarg);
            break;
        case 'r': j.reverse = true; break;
        case 'w': j.why = true; break;
        case 'k': j.keep_dead = true; break;
        case 'h': return usage(stdout, EXIT_YES);
        default: return usage(stderr, EXIT_INPUT);
        }
    }
    if (optind != argc - 1)
        return cli_usage("inline", "give one input");
    if (j.reverse && j.tensors == 0)
        return cli_usage("inline", "--reverse needs --tensor");
    if (j.tensors == 0 && !j.any)
        j.policy.repeat = REPEAT;
    j.input = argv[optind];
    diag_clear(&d);
    return inline_kernel(c, &j, &d) == CALQUE_OK ? EXIT_YES : cli_fail(&d);
}
