/* The check of packing, on texts, as `calque-oracle packed` does it by the extracted function: the same words, the same exit
   status.
   usage: emit_packed FILE            FILE as calque dump --stage=packed prints it
          emit_packed --changes N     writes the packed kernels of pack_bench.h, each change of them, and N random kernels, every other
                                      one with fused sums, with random changes */
#include "pack_bench.h"

#include <stdlib.h>

#include "base/text.h"

/* A block's kernels as ranges of text, and lines of data from `data` on. */
struct block {
    char name[4096];
    const char *text[2], *data;
    size_t n[2];
};

struct counts {
    int equal, statements, status;
};

static void complain(struct counts *c, int status, const char *what, const char *name, const char *why)
{
    printf("%s: %s: %s\n", what, name, why);
    c->status = status > c->status ? status : c->status;
}

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return *s ? s + 1 : s;
}

static bool begins(const char *s, const char *word)
{
    return strncmp(s, word, strlen(word)) == 0;
}

/* The block that begins at s, and where the next one does. */
static const char *read_block(const char *s, struct block *b)
{
    int at = 0;

    memset(b, 0, sizeof *b);
    snprintf(b->name, sizeof b->name, "%.*s", (int)strcspn(s, "\n") - 2, s + 2);
    b->text[0] = b->text[1] = "";
    for (s = next_line(s); *s && *s != '#'; s = next_line(s)) {
        if (begins(s, "original:\n") || begins(s, "changed:\n")) {
            at = *s == 'c';
            b->text[at] = next_line(s);
        } else if (begins(s, "packed: ") || begins(s, "constant: ") || begins(s, "stored: ")) {
            b->data = b->data ? b->data : s;
        } else if (!b->data && *s != '\n') {
            b->n[at] = (size_t)(next_line(s) - b->text[at]);
        }
    }
    return s;
}

static void *need(void *p)
{
    if (!p)
        exit(3);
    return p;
}

/* The tensors of k that q has get the same ids there, those it has not are added, the others come behind. */
static void align(const struct kernel *k, struct kernel *q)
{
    int n = q->tensor.n, to = k->tensor.n, *id = need(mem_zero(&mem, (size_t)n + 1, sizeof *id));
    struct kernel_tensor *all = need(mem_zero(&mem, (size_t)(n + to), sizeof *all));

    memcpy(all, k->tensor.a, (size_t)k->tensor.n * sizeof *all);
    for (int t = 0; t < n; t++) {
        id[t] = kernel_find_tensor(k, q->tensor.a[t].name);
        id[t] = id[t] < 0 ? to++ : id[t];
        all[id[t]] = q->tensor.a[t];
    }
    need(vec_room(&mem, &q->tensor, to - n > 0 ? to - n : 1) ? q : NULL);
    memcpy(q->tensor.a, all, (size_t)to * sizeof *all);
    q->tensor.n = to;
    for (int i = 0; i < q->ex.n; i++)
        if (q->ex.a[i].kind == EX_LOAD)
            q->ex.a[i].op = id[q->ex.a[i].op];
    for (int i = 0; i < q->stmt.n; i++)
        q->stmt.a[i].out = id[q->stmt.a[i].out];
    mem_free(id);
    mem_free(all);
}

/* The words behind the name of a line of data, n of them; NULL: there are not as many. */
static void *words(const char *s, long n)
{
    uint32_t *x = need(mem_zero(&mem, (size_t)n + 1, sizeof *x));
    long i = 0;

    while (*s == ' ' && i <= n)
        x[i++] = (uint32_t)strtoul(s + 1, (char **)&s, 16);
    if (i == n)
        return x;
    mem_free(x);
    return NULL;
}

static void read_data(struct bench_pack *b, const char *s)
{
    for (; *s && *s != '#'; s = next_line(s)) {
        const char *name = s + strcspn(s, " \n") + 1, *end = name + strcspn(name, " \n");
        int t = *s == '\n' ? -1 : kernel_find_tensor(&b->q, strs_add(&strs, name, (size_t)(end - name)));
        struct packed *e = &b->p.a[b->p.n];
        if (begins(s, "packed: ") && b->p.n < PACK_MAX && sscanf(end, "%d %ld %ld", &e->place, &e->n, &e->cells) == 3) {
            e->tensor = t < 0 ? b->q.tensor.n : t;
            b->p.n++;
        } else if (begins(s, "constant: ") && t >= 0 && t < b->k.tensor.n && t < TENSORS) {
            struct tensor *v = &b->value[t];
            v->dtype = DTYPE_F32;
            v->bytes = kernel_bytes(&b->k, t);
            v->data = words(end, kernel_elems(&b->k, t));
            b->known[t] = v->data ? v : NULL;
        } else if (begins(s, "stored: ") && t >= 0) {
            for (int i = 0; i < b->p.n; i++)
                if (b->p.a[i].tensor == t && !b->p.a[i].data) {
                    b->p.a[i].data = words(end, kernel_elems(&b->q, t));
                    break;
                }
        }
    }
}

static void compare(struct counts *c, const struct block *x)
{
    struct bench_pack b;
    struct diag d = {.text = "it has too many tensors"};

    memset(&b, 0, sizeof b);
    b.c.value = b.known;
    kernel_init(&b.k, &mem, &strs, KERNEL_F32);
    kernel_init(&b.q, &mem, &strs, KERNEL_F32);
    if (kernel_parse(&b.k, x->name, x->text[0], x->n[0], NULL, -1, &d) != CALQUE_OK ||
        kernel_parse(&b.q, x->name, x->text[1], x->n[1], NULL, -1, &d) != CALQUE_OK || b.k.tensor.n > TENSORS) {
        if (strstr(d.text, ", not in ")) /* kernel_check, which pack_check asks first too */
            complain(c, 1, "different", x->name, "it may read outside of a tensor");
        else
            complain(c, 2, "unread", x->name, d.text);
    } else {
        align(&b.k, &b.q);
        if (x->data)
            read_data(&b, x->data);
        if (pack_check(&b.k, &b.q, &b.c, &b.p, &d) == CALQUE_OK) {
            c->equal++;
            c->statements += b.k.stmt.n;
        } else {
            complain(c, 1, "different", x->name, begins(d.text, "packed: ") ? d.text + 8 : d.text);
        }
    }
    close_bench(&b);
}

static int check_file(const char *file)
{
    struct counts c = {0};
    struct block b;
    struct diag d;
    char *text;
    size_t n;

    if (file_read(&mem, file, &text, &n, &d) != CALQUE_OK) {
        fprintf(stderr, "%s\n", d.text);
        return 2;
    }
    for (const char *s = text; *s;) {
        if (*s != '#') {
            s = next_line(s);
            continue;
        }
        s = read_block(s, &b);
        compare(&c, &b);
    }
    printf("equal: %d packed kernels, %d statements\n", c.equal, c.statements);
    mem_free(text);
    return c.status;
}

static void write_bench(const struct bench_pack *b, const char *format, int i)
{
    struct text t;
    char name[64];

    text_init(&t, &mem);
    snprintf(name, sizeof name, format, i);
    pack_print(&t, NULL, name, &b->k, &b->q, &b->c, &b->p);
    fwrite(t.a, 1, (size_t)t.n, stdout);
    text_free(&t);
}

static void write_changes(int count)
{
    struct bench_pack b;

    for (int i = 0; i < CHANGES; i++) {
        open_bench(&b, changes[i].text);
        if (i == 0 || changes[i].text != changes[i - 1].text)
            write_bench(&b, "packed %d", i);
        changes[i].make(&b);
        write_bench(&b, "change %d", i);
        close_bench(&b);
    }
    for (int n = 0; n < count; n++)
        for (int i = 0; i < 13; i++) {
            char text[512];
            seed = (unsigned)n + 1;
            bench_fused = n % 2;
            random_text(text, sizeof text);
            open_bench(&b, text);
            seed += 1000u * (unsigned)i;
            if (i > 0)
                spoil(&b);
            write_bench(&b, i > 0 ? "random change %d" : "random %d", 100 * n + i);
            close_bench(&b);
        }
}

int main(int argc, char **argv)
{
    int status = 0;

    strs_init(&strs, &mem);
    if (argc == 3 && strcmp(argv[1], "--changes") == 0)
        write_changes(atoi(argv[2]));
    else if (argc == 2)
        status = check_file(argv[1]);
    else
        status = 2;
    strs_free(&strs);
    return status;
}
