/* calque emit: a model, kernel or program as C. Nothing is written unless all of it can be. */
#include <ctype.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "emit/emit.h"
#include "emit/module.h"

static int usage(FILE *f, int status)
{
    fprintf(f, "usage: calque emit INPUT -o DIR [options]\n"
               "Emits OpenMP C for a model (.onnx, .graph), an index-notation kernel (.kern, .json) or a functional program\n"
               "(.dpia) into DIR: NAME.h, NAME.c, weights.bin and a Makefile. Compile with the Makefile's flags\n"
               "(-ffp-contract=off) for the same bits as calque run. Sizes of a program that are not given stay parameters.\n"
               "Each kernel is checked: the program that its loops are made from computes it. Where this is not seen, a note says\n"
               "why, and the kernel's plain code is emitted.\n\n"
               "      --main       also a driver that reads and writes .npy files\n"
               "      --vectors N  also N test vectors, check.c and a target check: `make -C DIR check` compiles the code, runs it\n"
               "                   on them with 1 to 4 threads and compares bits with the reference interpreter's. Vector k has\n"
               "                   the inputs of `calque run --random k`. At most 1 GiB in all. --main without --vectors: one\n"
               "                   vector if it has at most 64 MiB; --vectors 0: none, which saves the interpreter's time\n"
               "      --seq        no OpenMP pragmas\n"
               "      --name NAME  stem of files and functions (default: model, kernel, program); not that of another file\n"
               "      --no-fuse    one function for each operator\n"
               "      --freestanding  C99 for machines without an operating system: NAME_run(inputs, outputs, arena), one function a\n"
               "                   layer, no library but some of math.h, nothing allocated; the header has codes and budgets. --vectors N:\n"
               "                   NAME_check.c, which needs no files. Not with --main, --plain\n"
               "      --weights=array    of --freestanding: in NAME_weights.c (the default)\n"
               "      --weights=pointer  .. handed to NAME_run: weights.bin, and NAME_weights.S, which includes it\n"
               "      --single-file      .. in NAME.c\n"
               "      --static-arena     .. the arena is a static array of NAME.c\n"
               "      --budget     also budget.json: bytes of weights, arena, inputs and outputs; multiply-adds, operations, iterations and local\n"
               "                   arrays of each function and of a run; each loop with its line and the most iterations it has\n"
               "      --certificate  also NAME.kernels, NAME.programs, NAME.packed, NAME.data, NAME.statements and NAME.calls, for functions extracted\n"
               "                   from Coq to check: calque-oracle validate NAME.programs NAME.kernels; packed NAME.packed; statements NAME.statements;\n"
               "                   calls NAME.calls\n"
               "      --acsl       with contracts that frama-c -wp proves: NAME_kernels.c, and a target wp in the Makefile\n"
               CLI_MATH_HELP CLI_SUMS_HELP CLI_FMA_HELP
               CLI_GIVEN_HELP
               "      --size n=64  a size of a .dpia program (may be repeated)\n"
               "      --plain      C as the translation rules give it, nothing merged; of a model NAME.c alone, each operator a function,\n"
               "                   the same bytes as calque-oracle emit\n"
               "      --numbering=seed  .dpia: variables numbered v0 i1 .. by one counter\n"
               "      --stats      also the loop nests of kernels by kind, and the operators whose loops are elementwise\n"
               "      --json       machine-readable answer, the loop nests in it\n");
    return status;
}

enum calque_status cli_kernel(struct cli *c, const char *path, struct kernel *k, struct diag *d)
{
    enum calque_status st;
    char *data;
    size_t n;

    kernel_init(k, &c->mem, &c->strs, KERNEL_F32);
    st = cli_given_none(c, path, "the dimensions of a kernel are numbers", d);
    if (st != CALQUE_OK)
        return st;
    st = file_read(&c->mem, path, &data, &n, d);
    if (st != CALQUE_OK)
        return st;
    if (cli_ends(path, ".json")) {
        kernel_free(k);
        st = kernel_parse_json(k, &c->mem, &c->strs, path, data, n, d);
    } else {
        st = kernel_parse(k, path, data, n, NULL, -1, d);
    }
    mem_free(data);
    return st;
}

bool cli_size(struct cli_sizes *s, const char *arg)
{
    const char *eq = strchr(arg, '=');
    long n;

    if (!eq || eq == arg || eq - arg > 60 || s->n == CLI_SIZES)
        return false;
    n = cli_count(eq + 1);
    if (n < 0 || n > INT32_MAX)
        return false;
    snprintf(s->name[s->n], sizeof s->name[0], "%.*s", (int)(eq - arg), arg);
    s->size[s->n] = (struct dpia_size){ s->name[s->n], n };
    s->n++;
    return true;
}

enum calque_status cli_prog(struct cli *c, const char *path, const struct cli_sizes *s, struct prog *p, struct diag *d)
{
    enum calque_status st;
    char *data;
    size_t n;

    prog_init(p, &c->mem, &c->strs, KERNEL_F32);
    st = cli_given_none(c, path, "a program's sizes are given by --size", d);
    if (st != CALQUE_OK)
        return st;
    st = file_read(&c->mem, path, &data, &n, d);
    if (st != CALQUE_OK)
        return st;
    st = dpia_parse(p, &c->mem, &c->strs, path, data, n, s->size, s->n, d);
    mem_free(data);
    return st;
}

static enum calque_status emit(struct cli *c, const char *path, const struct cli_sizes *sizes, const struct emit_options *o,
                               struct emit_files *files, struct diag *d)
{
    enum calque_status st;

    if (cli_ends(path, ".dpia")) {
        struct prog p;
        struct emit_options named = *o;
        named.name = o->name ? o->name : "program";
        st = cli_prog(c, path, sizes, &p, d);
        p.math = o->numbers.math;
        if (st == CALQUE_OK)
            st = emit_prog(&p, &named, files, d);
        prog_free(&p);
    } else if (cli_ends(path, ".kern") || cli_ends(path, ".json")) {
        struct kernel k;
        st = cli_kernel(c, path, &k, d);
        k.math = o->numbers.math;
        if (st == CALQUE_OK)
            st = kernel_choose(&k, &o->numbers, d);
        if (st == CALQUE_OK)
            st = emit_kernel(&k, o, files, d);
        kernel_free(&k);
    } else {
        struct graph g;
        st = cli_load(c, path, &g, d);
        if (st == CALQUE_OK && o->plain)
            st = emit_plain(&g, o, files, d);
        else if (st == CALQUE_OK && (st = emit_model(&g, o, files, d)) != CALQUE_OK)
            cli_unsupported(c, path, &g, d);
        graph_free(&g);
    }
    if (st != CALQUE_OK && d && !d->file[0])
        snprintf(d->file, sizeof d->file, "%s", path);
    return st;
}

/* What a plain model has no use for, or NULL. */
static const char *wrong_plain(const char *path, const struct emit_options *o, bool stats)
{
    return cli_ends(path, ".kern") || cli_ends(path, ".json") ? "--plain is for models and .dpia programs"
           : o->with_main || (o->vectors > 0 && !o->vectors_try) || o->seq || o->no_fuse || stats
               ? "of the options --plain takes only --name for a model"
               : NULL;
}

/* What goes with --freestanding, or only with it; or NULL. */
static const char *wrong_freestanding(const struct emit_options *o, bool weights)
{
    return !o->freestanding                     ? (weights || o->single_file || o->static_arena
                                                       ? "--weights, --single-file and --static-arena are for --freestanding"
                                                       : NULL)
           : o->with_main                       ? "--freestanding has no driver, which reads files: --vectors N gives a check"
           : o->plain || o->numbering           ? "--freestanding goes with neither --plain nor --numbering"
           : o->single_file && o->weights_pointer ? "--single-file has the weights in it: not with --weights=pointer"
           : o->single_file && o->acsl          ? "--acsl has the kernels in a file of their own: not with --single-file"
                                                : NULL;
}

/* What of the options the kind of input has no use for, or NULL. */
static const char *wrong_option(const char *path, const struct cli_sizes *sizes, const struct emit_options *o, bool stats)
{
    if (o->acsl && (o->plain || o->numbering))
        return "--acsl goes with neither --plain nor --numbering";
    if (o->numbers.math != MATH_LIBM && ((o->plain && !cli_ends(path, ".dpia")) || o->numbering))
        return "--math=calque goes with neither --plain of a model nor --numbering";
    if (o->numbers.sums != SUMS_SEQUENTIAL && (o->plain || o->numbering || cli_ends(path, ".dpia")))
        return "--sums=lanes is for models and kernels, and does not go with --plain";
    if (o->numbers.fma && o->acsl)
        return "--fma has no contracts: not with --acsl";
    if (o->numbers.fma && (o->plain || o->numbering || cli_ends(path, ".dpia")))
        return "--fma is for models and kernels, and does not go with --plain";
    if (o->budget && (o->acsl || o->plain || o->numbering))
        return "--budget is not of code with contracts, nor of plain code";
    if (o->certificate && (o->acsl || o->plain || o->numbering || cli_ends(path, ".dpia")))
        return "--certificate is for models and kernels whose loops are checked: not with --acsl, nor --plain";
    if (cli_ends(path, ".dpia"))
        return o->vectors > 0 && !o->vectors_try ? "--vectors is for models and kernels: a program has no interpreter here"
               : o->no_fuse                      ? "--no-fuse is for models and kernels"
               : stats                           ? "--stats is for models and kernels"
                                                 : NULL;
    return sizes->n > 0   ? "--size is for .dpia programs (--dim gives a model's open dimensions their sizes)"
           : o->plain     ? wrong_plain(path, o, stats)
           : o->numbering ? "--numbering is for .dpia programs"
                          : NULL;
}

/* After a second without an end the user is told what takes the time. */
static void tell_slow(int number)
{
    static const char text[] = "calque emit: the reference interpreter computes test vectors (--vectors 0 leaves them out) ..\n";
    ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);

    (void)number;
    (void)n;
}

/* Calls that are interrupted go on. */
static void arm_slow(void)
{
    struct sigaction a = { .sa_handler = tell_slow, .sa_flags = SA_RESTART };

    if (sigemptyset(&a.sa_mask) == 0 && sigaction(SIGALRM, &a, NULL) == 0)
        alarm(1);
}

/* The files of the tensors, where they are not the tensors' names. */
static void print_files(const struct emit_files *f)
{
    for (int i = 0; i < f->port.n; i++) {
        const char *name = f->notes.a + f->port.a[i].name, *file = f->notes.a + f->port.a[i].file;
        if (strcmp(name, file) != 0)
            printf("%s '%s': file %s.npy\n", f->port.a[i].output ? "output" : "input", name, file);
    }
}

static json_t *json_files(const struct emit_files *f)
{
    json_t *list = json_array();

    for (int i = 0; i < f->port.n; i++)
        cli_append(list, json_pack("{s:s, s:o, s:o}", "kind", f->port.a[i].output ? "output" : "input", "name",
                                   cli_text(f->notes.a + f->port.a[i].name), "file",
                                   cli_npy(f->notes.a + f->port.a[i].file)));
    return list;
}

static const char *const loop_kinds[] = {"reduction", "copy", "elementwise"};

static void print_loops(const struct emit_files *f)
{
    int n[3] = {0};

    if (f->loop.n == 0) {
        printf("no loop nests of kernels\n");
        return;
    }
    for (int i = 0; i < f->loop.n; i++)
        n[f->loop.a[i].kind]++;
    printf("%d loop nests: %d reductions, %d copies, %d elementwise\n", f->loop.n, n[EMIT_REDUCTION], n[EMIT_COPY],
           n[EMIT_ELEMENTWISE]);
    for (int i = 0; i < f->loop.n; i++)
        if (f->loop.a[i].kind == EMIT_ELEMENTWISE)
            printf("elementwise: %s%s\n", f->notes.a + f->loop.a[i].note,
                   f->loop.a[i].drops ? " (leaves out what its sums were rounded up by)" : "");
}

/* How many kernels' programs are seen to compute them; of code with contracts and of programs there are none. */
static void print_checked(const struct emit_files *f)
{
    struct text line;

    text_init(&line, f->mem);
    if (emit_print_checked(&line, f->checked, f->fallback.n - f->unpacked, f->unpacked, f->unchecked) && !line.failed)
        printf("%s\n", line.a);
    text_free(&line);
}

/* Each kernel whose check failed, and why: the answer is right, but slower than it could be. */
static void note_fallbacks(const struct emit_files *f)
{
    for (int i = 0; i < f->fallback.n; i++)
        fprintf(stderr, "calque emit: note: %s: %s: %s\n", f->notes.a + f->fallback.a[i].name,
                f->fallback.a[i].unpacked ? "the kernel is not packed" : "the plain code is emitted",
                f->notes.a + f->fallback.a[i].reason);
}

static json_t *json_fallbacks(const struct emit_files *f, bool unpacked)
{
    json_t *list = json_array();

    for (int i = 0; i < f->fallback.n; i++)
        if (f->fallback.a[i].unpacked == unpacked)
            cli_append(list, json_pack("{s:o, s:o}", "of", cli_text(f->notes.a + f->fallback.a[i].name), "reason",
                                       cli_text(f->notes.a + f->fallback.a[i].reason)));
    return list;
}

static int answer(struct cli *c, const char *dir, const struct emit_files *f, const struct emit_options *o, bool stats)
{
    json_t *names, *loops, *all;

    note_fallbacks(f);
    if (!c->json) {
        for (int i = 0; i < f->file.n; i++)
            printf("%s/%s: %zu bytes\n", dir, f->file.a[i].name, f->file.a[i].n);
        printf("%d functions, %d calls, %d operators fused, arena %zu bytes, weights %zu bytes\n", f->functions, f->steps,
               f->fused, f->arena, f->weights);
        print_files(f);
        if (f->vectors > 0)
            printf("%d test vector%s, %.1f s in the reference interpreter: make -C %s check\n", f->vectors,
                   f->vectors == 1 ? "" : "s", f->vector_seconds, dir);
        if (f->no_vectors[0])
            printf("no test vectors: %s\n", f->no_vectors);
        if (stats)
            print_loops(f);
        print_checked(f);
        return EXIT_YES;
    }
    names = json_array();
    for (int i = 0; i < f->file.n; i++)
        cli_append(names, json_string(f->file.a[i].name));
    loops = json_array();
    for (int i = 0; i < f->loop.n; i++)
        cli_append(loops, json_pack("{s:s, s:o, s:b}", "kind", loop_kinds[f->loop.a[i].kind], "of",
                                    cli_text(f->notes.a + f->loop.a[i].note), "drops", (int)f->loop.a[i].drops));
    all = json_pack("{s:o, s:o, s:i, s:o, s:i, s:i, s:i, s:I, s:I}", "loops", loops, "tensors", json_files(f), "vectors",
                    f->vectors, "files", names, "functions", f->functions, "calls", f->steps, "fused", f->fused, "arena",
                    (json_int_t)f->arena, "weights", (json_int_t)f->weights);
    json_object_set_new(all, "math", json_string(cli_math_name(o->numbers.math)));
    json_object_set_new(all, "sums", json_string(cli_sums_name(o->numbers.sums)));
    json_object_set_new(all, "fma", json_boolean(o->numbers.fma));
    json_object_set_new(all, "checked", json_integer(f->checked));
    json_object_set_new(all, "unchecked", json_integer(f->unchecked));
    json_object_set_new(all, "plain", json_fallbacks(f, false));
    json_object_set_new(all, "unpacked", json_fallbacks(f, true));
    if (f->budget && (o->freestanding || o->budget))
        cli_set(all, "budget", json_loads(f->budget, 0, NULL));
    return cli_json(all, EXIT_YES);
}

static int emit_into(struct cli *c, const char *path, const char *dir, const struct cli_sizes *sizes,
                     const struct emit_options *o, bool stats)
{
    struct emit_files files = {0};
    struct diag d;
    enum calque_status st;
    int status;

    diag_clear(&d);
    st = emit(c, path, sizes, o, &files, &d);
    alarm(0);
    if (st == CALQUE_OK && emit_files_write(&files, dir, &d) == CALQUE_OK)
        status = answer(c, dir, &files, o, stats);
    else
        status = cli_fail(&d);
    emit_files_free(&files);
    return status;
}

/* What the command line says. */
struct request {
    struct emit_options o;
    struct cli_sizes sizes;
    const char *dir;
    long vectors; /* -1: not said */
    bool stats, weights;
};

/* Option k; -1, or the command's exit status. */
static int take_option(struct cli *c, struct request *r, int k)
{
    switch (k) {
    case 'o': r->dir = optarg; break;
    case 'm': r->o.with_main = true; break;
    case 's': r->o.seq = true; break;
    case 'n': r->o.name = optarg; break;
    case 'u': r->o.no_fuse = true; break;
    case 'j': c->json = true; break;
    case 'p': r->o.plain = true; break;
    case 'a': r->o.acsl = true; break;
    case 't': r->stats = true; break;
    case 'f': r->o.freestanding = true; break;
    case 'S': r->o.single_file = true; break;
    case 'A': r->o.static_arena = true; break;
    case 'b': r->o.budget = true; break;
    case 'C': r->o.certificate = true; break;
    case 'w':
        r->weights = true;
        r->o.weights_pointer = strcmp(optarg, "pointer") == 0;
        if (!r->o.weights_pointer && strcmp(optarg, "array") != 0)
            return cli_usage("emit", "--weights takes array or pointer, not '%s'", optarg);
        break;
    case CLI_MATH:
        if (!cli_math(optarg, &r->o.numbers.math))
            return cli_usage("emit", "--math takes libm or calque, not '%s'", optarg);
        break;
    case CLI_FMA: r->o.numbers.fma = true; break;
    case CLI_SUMS:
        if (!cli_sums(optarg, &r->o.numbers.sums))
            return cli_usage("emit", "--sums takes sequential or lanes, not '%s'", optarg);
        break;
    case 'V':
        r->vectors = cli_count(optarg);
        if (r->vectors < 0 || r->vectors > VECTORS_MAX)
            return cli_usage("emit", "--vectors takes 0 to %d", (int)VECTORS_MAX);
        break;
    case 'z':
        if (!cli_size(&r->sizes, optarg))
            return cli_usage("emit", "--size takes NAME=NUMBER, not '%s'", optarg);
        break;
    case 'v':
        if (strcmp(optarg, "seed") != 0)
            return cli_usage("emit", "no numbering '%s': seed", optarg);
        r->o.numbering = true;
        break;
    case 'h': return usage(stdout, EXIT_YES);
    default: return usage(stderr, EXIT_INPUT);
    }
    return -1;
}

int cmd_emit(struct cli *c, int argc, char **argv)
{
    static const struct option longs[] = {{"output", 1, 0, 'o'}, {"main", 0, 0, 'm'}, {"seq", 0, 0, 's'},
                                          {"name", 1, 0, 'n'},   {"no-fuse", 0, 0, 'u'}, {"json", 0, 0, 'j'},
                                          {"help", 0, 0, 'h'},   {"size", 1, 0, 'z'},   {"plain", 0, 0, 'p'},
                                          {"numbering", 1, 0, 'v'}, {"stats", 0, 0, 't'}, {"acsl", 0, 0, 'a'},
                                          {"vectors", 1, 0, 'V'}, {"freestanding", 0, 0, 'f'}, {"weights", 1, 0, 'w'},
                                          {"single-file", 0, 0, 'S'}, {"static-arena", 0, 0, 'A'}, {"budget", 0, 0, 'b'}, {"certificate", 0, 0, 'C'}, CLI_GIVEN_OPTIONS,
                                          CLI_MATH_OPTION, CLI_SUMS_OPTION, CLI_FMA_OPTION, {0, 0, 0, 0}};
    struct request r = {.vectors = -1};
    const char *wrong;
    int k, status;

    while ((k = getopt_long(argc, argv, "o:h", longs, NULL)) != -1) {
        if (cli_given(c, "emit", k, optarg, &status)) {
            if (status != EXIT_YES)
                return status;
            continue;
        }
        status = take_option(c, &r, k);
        if (status >= 0)
            return status;
    }
    if (optind != argc - 1)
        return cli_usage("emit", "give one input");
    if (!r.dir)
        return cli_usage("emit", "no output directory given (-o DIR)");
    r.o.vectors = r.vectors >= 0 ? (int)r.vectors : r.o.with_main && !cli_ends(argv[optind], ".dpia");
    r.o.vectors_try = r.vectors < 0;
    r.o.vectors_start = arm_slow;
    wrong = wrong_freestanding(&r.o, r.weights);
    if (!wrong)
        wrong = wrong_option(argv[optind], &r.sizes, &r.o, r.stats);
    if (wrong)
        return cli_usage("emit", "%s", wrong);
    return emit_into(c, argv[optind], r.dir, &r.sizes, &r.o, r.stats);
}
