/* The memory plan, the driver, sanitizers on emitted code, options and names, failing allocations. */
#include "emit/module.h"
#include "models.h"
#include "tensor/npy.h"

#include <stdarg.h>

#include <sys/wait.h>

/* No two items alive together overlap, offsets are aligned, the total is reached. */
static void check_plan(const struct plan_item *x, int n, size_t total)
{
    size_t most = 0;
    int wrong = 0;

    for (int i = 0; i < n; i++) {
        wrong += x[i].offset % PLAN_ALIGN != 0;
        most = x[i].offset + x[i].bytes > most ? x[i].offset + x[i].bytes : most;
        for (int j = 0; j < i; j++) {
            bool together = x[i].def <= x[j].last && x[j].def <= x[i].last;
            bool apart = x[i].offset + x[i].bytes <= x[j].offset || x[j].offset + x[j].bytes <= x[i].offset;
            wrong += together && !apart;
        }
    }
    CU_ASSERT(wrong == 0);
    CU_ASSERT(most <= total && total < most + PLAN_ALIGN);
    CU_ASSERT(plan_holds(x, n, total, NULL, 0));
}

/* Plans and uses at random, most of them wrong, against the definition. */
static void test_plan_check(void)
{
    struct plan_item x[6];
    struct plan_use u[4];
    int good = 0, total = 40, wrong = 0;

    for (int round = 0; round < 20000; round++) {
        int n = (int)batch_random(6), m = n > 0 ? (int)batch_random(4) : 0;
        bool holds = true;
        for (int i = 0; i < n; i++) {
            x[i] = (struct plan_item){ batch_random(10), (int)batch_random(8), 0, batch_random(34) };
            x[i].last = x[i].def + (int)batch_random(4);
            holds = holds && x[i].offset + x[i].bytes <= (size_t)total;
            for (int j = 0; j < i; j++)
                for (int s = 0; s < 12; s++)
                    if (x[i].def <= s && s <= x[i].last && x[j].def <= s && s <= x[j].last)
                        holds = holds && (x[i].offset + x[i].bytes <= x[j].offset || x[j].offset + x[j].bytes <= x[i].offset);
        }
        for (int k = 0; k < m; k++) {
            u[k] = (struct plan_use){ (int)batch_random((unsigned)n + 1), (int)batch_random(11) };
            holds = holds && u[k].item < n && x[u[k].item].def <= u[k].step && u[k].step <= x[u[k].item].last;
        }
        good += holds;
        wrong += plan_holds(x, n, (size_t)total, u, m) != holds;
    }
    CU_ASSERT(wrong == 0);
    CU_ASSERT(good > 1000 && good < 15000);
}

static void test_plan(void)
{
    struct mem mem = MEM_INIT;
    struct plan_item x[60];
    size_t total, sum = 0, used = 0;
    struct diag d;

    for (int round = 0; round < 2000; round++) {
        int n = (int)batch_random(60), steps = 1 + (int)batch_random(40);
        for (int i = 0; i < n; i++) {
            x[i].bytes = 1 + batch_random(batch_random(4) ? 100 : 5000);
            x[i].def = (int)batch_random((unsigned)steps);
            x[i].last = x[i].def + (int)batch_random(batch_random(3) ? 3 : (unsigned)steps);
            sum += x[i].bytes;
        }
        CU_ASSERT_FATAL(plan_memory(&mem, x, n, &total, &d) == CALQUE_OK);
        if (n > 0)
            check_plan(x, n, total);
        else
            CU_ASSERT(total == 0);
        used += total;
    }
    CU_ASSERT(used < sum / 4 * 3); /* memory is shared at all */
}

/* A chain of equal buffers needs two places. */
static void test_plan_chain(void)
{
    struct mem mem = MEM_INIT;
    struct plan_item x[10];
    size_t total;
    struct diag d;

    for (int i = 0; i < 10; i++)
        x[i] = (struct plan_item){ 640, i, i + 1, 0 };
    CU_ASSERT(plan_memory(&mem, x, 10, &total, &d) == CALQUE_OK);
    CU_ASSERT(total == 2 * 640);
    mem.fail_after = 1;
    CU_ASSERT(plan_memory(&mem, x, 10, &total, &d) == CALQUE_NOMEM);
}

/* Weights that overlap are no plan: nothing is emitted. */
static void test_plan_weights(void)
{
    static const float data[32];
    struct mem mem = MEM_INIT;
    struct strs strs;
    struct emit_options o = { 0 };
    struct module u;
    struct diag d;
    int second;

    strs_init(&strs, &mem);
    module_init(&u, &mem, &strs, &o);
    CU_ASSERT_FATAL(module_weight(&u, (struct piece){ .data = data, .bytes = sizeof data }) >= 0);
    second = module_weight(&u, (struct piece){ .data = data, .bytes = sizeof data });
    CU_ASSERT_FATAL(second >= 0);
    CU_ASSERT(module_plan(&u, &d) == CALQUE_OK);
    u.slot.a[second].offset -= 1;
    CU_ASSERT(module_plan(&u, &d) == CALQUE_INTERNAL && strstr(d.text, "weights"));
    module_free(&u);
    strs_free(&strs);
}

static const char small[] =
    "graph small {\n"
    "input x : f32[1,4,9,9]\ninput r : f32[1,6,9,9]\nparam w : f32[6,4,3,3]\nparam b : f32[6]\n"
    "y = Relu(Add(Conv(x, w, b, kernel_shape=(3,3), pads=(1,1,1,1)), r))\n"
    "s = Softmax(Reshape(y, shape=(6,81)), axis=1)\n"
    "return s, \"a/y\" = y\n"
    "}\n";

static const char lookup[] =
    "graph lookup {\n"
    "input ids : i64[2,3]\ninput k : i64[4]\nparam w : f32[9,5]\n"
    "e = Gather(w, ids, axis=0)\nr = Relu(e)\nm = Gather(r, Add(k, k), axis=1)\nreturn m\n"
    "}\n";

static int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Exit status of a shell command. */
static int shell(const char *format, ...)
{
    char cmd[1024];
    va_list ap;
    int st;

    va_start(ap, format);
    vsnprintf(cmd, sizeof cmd, format, ap);
    va_end(ap);
    st = system(cmd);
    return WIFEXITED(st) ? WEXITSTATUS(st) : -1;
}

static void write_npy(struct world *w, const char *name, const struct tensor *t)
{
    char path[128];
    struct text out;
    struct diag d;

    text_init(&out, &w->mem);
    CU_ASSERT_FATAL(npy_write(&out, t, &d) == CALQUE_OK);
    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    CU_ASSERT_FATAL(file_write(path, out.a, (size_t)out.n, &d) == CALQUE_OK);
    text_free(&out);
}

static bool same_npy(struct world *w, const char *name, const struct tensor *want)
{
    char path[128], *data;
    size_t n;
    struct tensor t;
    struct diag d;
    bool same;

    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    if (file_read(&w->mem, path, &data, &n, &d) != CALQUE_OK)
        return false;
    same = npy_read(&w->mem, path, data, n, &t, &d) == CALQUE_OK;
    if (same) {
        same = shape_equal(&t.shape, &want->shape) && batch_equal(t.data, want->data, t.bytes, KERNEL_F32);
        tensor_free(&t);
    }
    mem_free(data);
    return same;
}

/* Emits the small model with a driver, compiles it with the flags and runs it; also its complaints. */
static void check_driver(const char *cc, const char *flags)
{
    struct world w;
    struct emit_options o = { .with_main = true, .name = "small_net" };
    struct emit_files files;
    struct tensor in[2], out[2];
    struct diag d;

    open_world(&w, small);
    CU_ASSERT_FATAL(emit_model(&w.g, &o, &files, &d) == CALQUE_OK);
    CU_ASSERT_FATAL(emit_files_write(&files, w.dir, &d) == CALQUE_OK);
    emit_files_free(&files);
    CU_ASSERT_FATAL(shell("cd %s && make -s CC=%s CFLAGS='-O2 -std=c11 -ffp-contract=off -fopenmp -Wall -Wextra -Wshadow "
                          "-Wconversion -Werror %s'", w.dir, cc, flags) == 0);
    for (int i = 0; i < 2; i++) {
        const struct node *x = &w.g.node.a[w.g.input.a[i]];
        CU_ASSERT_FATAL(tensor_new(&w.mem, x->dtype, &x->shape, &in[i], &d) == CALQUE_OK);
        batch_fill(in[i].data, in[i].bytes, KERNEL_F32, false);
        write_npy(&w, i ? "r.npy" : "x.npy", &in[i]);
    }
    CU_ASSERT_FATAL(graph_run(&w.g, in, out, 1, NULL, &d) == CALQUE_OK);
    CU_ASSERT(shell("cd %s && ./small_net x.npy r.npy", w.dir) == 0);
    CU_ASSERT(same_npy(&w, "s.npy", &out[0]) && same_npy(&w, "a_y.npy", &out[1]));
    CU_ASSERT(shell("cd %s && rm s.npy a_y.npy && ./small_net r=r.npy x.npy --time 2 | grep -q ' ms$'", w.dir) == 0);
    CU_ASSERT(same_npy(&w, "s.npy", &out[0]) && same_npy(&w, "a_y.npy", &out[1]));
    CU_ASSERT(shell("cd %s && ./small_net x.npy x.npy 2>err; test $? = 2 && grep -q \"input 'r' is <f4 (1, 6, 9, 9)\" err",
                    w.dir) == 0);
    CU_ASSERT(shell("cd %s && ./small_net x.npy 2>/dev/null", w.dir) == 2);
    CU_ASSERT(shell("cd %s && ./small_net x.npy r.npy q.npy 2>/dev/null", w.dir) == 2);
    CU_ASSERT(shell("cd %s && ./small_net x.npy z=r.npy 2>/dev/null", w.dir) == 2);
    CU_ASSERT(shell("cd %s && head -c 200 r.npy > t.npy && ./small_net x.npy t.npy 2>/dev/null", w.dir) == 2);
    CU_ASSERT(shell("cd %s && ./small_net x.npy missing.npy 2>/dev/null", w.dir) == 2);
    CU_ASSERT(shell("cd %s && ./small_net x.npy r.npy -o no/such 2>/dev/null", w.dir) == 2);
    CU_ASSERT(shell("cd %s && ./small_net x.npy r.npy -o made && test -e made/s.npy", w.dir) == 0);
    CU_ASSERT(shell("cd %s && truncate -s -1 weights.bin && ./small_net x.npy r.npy 2>/dev/null", w.dir) == 2);
    CU_ASSERT(shell("cd %s && make -s clean && test ! -e small_net", w.dir) == 0);
    for (int i = 0; i < 2; i++) {
        tensor_free(&in[i]);
        tensor_free(&out[i]);
    }
    close_world(&w);
}

static void test_driver(void)
{
    check_driver("gcc", "");
}

static void test_driver_sanitized(void)
{
    check_driver("gcc", "-g -fsanitize=address,undefined -fno-sanitize-recover");
}

/* A single kernel as a program of its own. */
static void test_kernel(void)
{
    static const char src[] = "T<3,4>[i,j] = X<3,4>[i,j] * X<3,4>[i,j]; Y<3>[i] = sum(j<4) T<3,4>[i,j];";
    struct world w;
    struct kernel k;
    struct emit_options o = { .with_main = true, .name = "squares" };
    struct emit_files files;
    struct tensor x, y;
    struct shape sx = { 2, { 3, 4 } }, sy = { 1, { 3 } };
    struct diag d;

    open_world(&w, small);
    kernel_init(&k, &w.mem, &w.strs, KERNEL_F32);
    CU_ASSERT_FATAL(kernel_parse(&k, "k", src, strlen(src), NULL, -1, &d) == CALQUE_OK);
    CU_ASSERT_FATAL(emit_kernel(&k, &o, &files, &d) == CALQUE_OK);
    CU_ASSERT(files.weights == 0 && files.arena == 64);
    CU_ASSERT_FATAL(emit_files_write(&files, w.dir, &d) == CALQUE_OK);
    emit_files_free(&files);
    CU_ASSERT_FATAL(tensor_new(&w.mem, DTYPE_F32, &sx, &x, &d) == CALQUE_OK);
    CU_ASSERT_FATAL(tensor_new(&w.mem, DTYPE_F32, &sy, &y, &d) == CALQUE_OK);
    for (int i = 0; i < 12; i++)
        tensor_f32(&x)[i] = (float)i;
    tensor_f32(&y)[0] = 14;
    tensor_f32(&y)[1] = 126;
    tensor_f32(&y)[2] = 366;
    write_npy(&w, "x.npy", &x);
    CU_ASSERT(shell("cd %s && make -s && ./squares X=x.npy", w.dir) == 0);
    CU_ASSERT(same_npy(&w, "Y.npy", &y));
    tensor_free(&x);
    tensor_free(&y);
    kernel_free(&k);
    close_world(&w);
}

static void test_names(void)
{
    static const char *const bad[] = { "", "2x", "a-b", "main", "../x", "_x", "Makefile", "CHECK", "weights", "run",
        "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij" };
    struct world w;
    struct emit_files files;
    struct diag d;

    open_world(&w, small);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct emit_options o = { .name = bad[i] };
        CU_ASSERT(emit_model(&w.g, &o, &files, &d) == CALQUE_BAD);
        CU_ASSERT(files.file.n == 0);
    }
    close_world(&w);
}

/* What cannot be emitted is refused with the operator's name. */
static void test_refused(void)
{
    struct world w;
    struct emit_files files;
    struct emit_options o = { 0 };
    struct diag d;

    open_world(&w, "graph g {\ninput x : f32[2]\ny = opaque \"Foo\"(x) : f32[2]\nz = Relu(y)\nreturn z\n}\n");
    CU_ASSERT(emit_model(&w.g, &o, &files, &d) == CALQUE_BAD);
    CU_ASSERT(strstr(d.text, "Foo") != NULL);
    CU_ASSERT(files.file.n == 0);
    close_world(&w);
}

static void test_dump(void)
{
    static const char *const stage[] = { "kernel", "dpia", "comm", "c" };
    static const char *const sign[] = { "sum(c<4", "reduceSeq 4", "parfor", "#pragma omp" };
    struct world w;
    struct emit_options o = { 0 };
    struct text t;
    struct diag d;

    open_world(&w, small);
    for (int i = 0; i < 4; i++) {
        text_init(&t, &w.mem);
        CU_ASSERT(emit_dump_model(&t, &w.g, stage[i], &o, &d) == CALQUE_OK);
        CU_ASSERT(strstr(t.a, sign[i]) != NULL && strstr(t.a, "# Conv") != NULL);
        text_free(&t);
    }
    text_init(&t, &w.mem);
    CU_ASSERT(emit_dump_model(&t, &w.g, "asm", &o, &d) == CALQUE_BAD);
    text_free(&t);
    close_world(&w);
}

/* Does the file hold the text? */
static bool holds(const struct emit_file *f, const char *s)
{
    for (size_t i = 0; i + strlen(s) <= f->n; i++)
        if (memcmp(f->data + i, s, strlen(s)) == 0)
            return true;
    return false;
}

/* Padded, packed and rounded. */
static const char tiles[] =
    "graph tiles {\n"
    "input x : f32[1,12,2,17]\nparam w : f32[16,12,3,3]\nparam v : f32[40,544]\n"
    "y = Relu(Conv(x, w, pads=(1,1,1,1)))\n"
    "return Gemm(Reshape(y, shape=(1,544)), v, transB=1)\n"
    "}\n";

/* Products whose operands lie in panels, a constant and a computed one, exchanged loops, and a root bound before its loop. */
static const char panels[] =
    "graph panels {\n"
    "input x : f32[32,128]\ninput z : f32[128,256]\nparam w : f32[128,256]\nparam s : f32[256]\nparam b : f32[256]\n"
    "n = LayerNormalization(MatMul(x, w), s, b)\n"
    "return n, MatMul(x, z), Transpose(x, perm=(1,0))\n"
    "}\n";

/* Ranges of values, with a trace: a Slice, a Concat that is stored in parts, and one with a copy. */
static const char parts[] =
    "graph parts {\n"
    "input x : f32[4,6]\n"
    "s = Softmax(Slice(x, starts=(1,0), sizes=(2,6)))\n"
    "c = Concat(s, Softmax(s), x, axis=0)\n"
    "return ReduceSum(c, axes=(0,)), ReduceMax(c, axes=(0,))\n"
    "}\n";

/* Calls that repeat: 14 of one function, between two buffers by turns. */
static const char repeated[] =
    "graph g {\n input x : f32[2, 8]\n return Softmax(Softmax(Softmax(Softmax(Softmax(Softmax(Softmax(\n"
    " Softmax(Softmax(Softmax(Softmax(Softmax(Softmax(Softmax(x))))))))))))))\n}\n";

/* emit_model with every k-th allocation failing. */
static void memory_of(const char *text, struct emit_options o, const char *file, const char *sign)
{
    struct world w;
    bool done = false;
    long k = 0;

    open_world(&w, text);
    for (; !done && k < 100000; k += k < 400 ? 1 : 1 + k / 50) {
        struct emit_files files;
        struct diag d;
        enum calque_status st;
        diag_clear(&d);
        w.mem.fail_after = k;
        st = emit_model(&w.g, &o, &files, &d);
        w.mem.fail_after = -1;
        done = st == CALQUE_OK;
        if (!done && st != CALQUE_NOMEM)
            fprintf(stderr, "k = %ld: %d %s\n", k, st, d.text);
        CU_ASSERT(done || (st == CALQUE_NOMEM && files.file.n == 0));
        for (int i = 0; done && i < files.file.n; i++)
            if (strcmp(files.file.a[i].name, file) == 0)
                CU_ASSERT(holds(&files.file.a[i], sign));
        emit_files_free(&files);
    }
    CU_ASSERT(done && k > 300);
    close_world(&w);
}

static void test_memory(void)
{
    static const struct emit_options main_too = { .with_main = true }, contracts = { .with_main = true, .acsl = true };
    struct emit_options vectors = { .with_main = true, .vectors = 1 };

    memory_of(small, main_too, "model.c", "<1,6,9,9>[i,j,k,l] = max(");
    memory_of(tiles, main_too, "model.c", "<1,16,2,18>"); /* 17 cells are rounded up to 18 */
    memory_of(panels, main_too, "model.c", "P3<8,128,32>[t0,t1,t2] = X1<128,256>[t1,t2+t0*32];");
    memory_of(panels, main_too, "model.c", "X1<8,128,32>[j//32,a,j%32]");
    memory_of(parts, (struct emit_options){ .with_main = true, .trace = true }, "model.c", "memcpy((void *)(arena + ");
    memory_of(repeated, (struct emit_options){ .with_main = true, .trace = true }, "model.c", "model_layer(2 + 2 * (int)calque_t);");
    memory_of(small, contracts, "model_kernels.c", "ensures value: ");
    memory_of(tiles, (struct emit_options){ .certificate = true }, "model.packed", "\nstored: X1 @model.data ");
    memory_of(lookup, main_too, "model.c", "goto done;");
    memory_of(lookup, contracts, "model_kernels.c", "ensures range: ");
    memory_of(small, vectors, "vectors.bin", "calquev1");
    vectors.vectors = 2;
    vectors.vectors_try = true;
    memory_of(small, vectors, "vectors.bin", "calquev1");
}

static void test_memory_freestanding(void)
{
    struct emit_options o = { .freestanding = true, .vectors = 1 };

    memory_of(small, o, "model_check.c", "static const uint32_t want1[VECTORS][486] = {");
    o.vectors = 0;
    memory_of(lookup, o, "model.h", "MODEL_BAD_INDEX + 1: Gather");
    o.weights_pointer = o.static_arena = true;
    o.budget = true;
    memory_of(small, o, "model_weights.S", ".incbin");
    memory_of(small, o, "budget.json", "\"trips\": ");
    memory_of(small, (struct emit_options){ .with_main = true, .budget = true }, "budget.json", "\"heap\": ");
    memory_of(repeated, o, "budget.json", "\"loops\": [6]");
    o.budget = false;
    o.acsl = true;
    memory_of(small, o, "model_kernels.c", "ensures value: ");
}

/* emit_kernel with test vectors, every k-th allocation failing. */
static void test_memory_kernel(void)
{
    static const char src[] = "T<3,4>[i,j] = X<3,4>[i,j] * X<3,4>[i,j]; Y<3>[i] = sum(j<4) T<3,4>[i,j];";
    struct emit_options o = { .vectors = 2 };
    struct mem mem = MEM_INIT;
    struct strs strs;
    struct kernel k;
    struct diag d;
    bool done = false;

    strs_init(&strs, &mem);
    kernel_init(&k, &mem, &strs, KERNEL_F64);
    CU_ASSERT_FATAL(kernel_parse(&k, "k", src, strlen(src), NULL, -1, &d) == CALQUE_OK);
    for (long at = 0; !done && at < 10000; at++) {
        struct emit_files files;
        enum calque_status st;
        mem.fail_after = at;
        st = emit_kernel(&k, &o, &files, &d);
        mem.fail_after = -1;
        done = st == CALQUE_OK;
        CU_ASSERT(done || (st == CALQUE_NOMEM && files.file.n == 0));
        CU_ASSERT(!done || (files.vectors == 2 && files.file.a[0].n == 32 + 2 * (12 + 3) * 8));
        emit_files_free(&files);
    }
    CU_ASSERT(done);
    kernel_free(&k);
    strs_free(&strs);
}

static const struct unit_case cases[] = {
    { "plan", test_plan },
    { "plan_chain", test_plan_chain },
    { "plan_check", test_plan_check },
    { "plan_weights", test_plan_weights },
    { "driver", test_driver },
    { "driver_sanitized", test_driver_sanitized },
    { "kernel", test_kernel },
    { "names", test_names },
    { "refused", test_refused },
    { "dump", test_dump },
    { "memory", test_memory },
    { "memory_freestanding", test_memory_freestanding },
    { "memory_kernel", test_memory_kernel },
};

int main(void)
{
    return unit_main("emit_files", cases, UNIT_COUNT(cases));
}
