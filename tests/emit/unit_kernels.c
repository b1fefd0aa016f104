/* Emitted kernels against the reference interpreter, bit for bit, with every strategy, gcc and clang. */
#include "../kernel/cases.h"
#include "batch.h"

#include <stdarg.h>

/* What the emitted Makefiles build with. */
#define NATIVE "-O3 -march=native"
#define PAD3(X) "select(0 <= p+i-1 && p+i-1 < 7 && 0 <= q+j-1 && q+j-1 < 9, " X ", 0.0)"

static const char *const handmade[] = {
    /* convolutions: padded 3x3 with bias, strided, dilated, grouped, depthwise, 1x1, large */
    "Y<2,5,7,9>[n,o,p,q] = sum(c<3,i<3,j<3) " PAD3("X<2,3,7,9>[n,c,p+i-1,q+j-1] * W<5,3,3,3>[o,c,i,j]") " + B<5>[o];",
    "Y<1,4,4,5>[n,o,p,q] = sum(c<3,i<3,j<3) select(0 <= 2*p+i-1 && 2*p+i-1 < 7 && 0 <= 2*q+j-1 && 2*q+j-1 < 9, "
        "X<1,3,7,9>[n,c,2*p+i-1,2*q+j-1] * W<4,3,3,3>[o,c,i,j], 0.0);",
    "Y<1,4,7,9>[n,o,p,q] = sum(c<3,i<3,j<3) select(0 <= p+2*i-2 && p+2*i-2 < 7 && 0 <= q+2*j-2 && q+2*j-2 < 9, "
        "X<1,3,7,9>[n,c,p+2*i-2,q+2*j-2] * W<4,3,3,3>[o,c,i,j], 0.0);",
    "Y<1,6,7,9>[n,o,p,q] = sum(c<2,i<3,j<3) " PAD3("X<1,4,7,9>[n,(o//3)*2+c,p+i-1,q+j-1] * W<6,2,3,3>[o,c,i,j]") ";",
    "Y<1,6,7,9>[n,o,p,q] = sum(i<3,j<3) " PAD3("X<1,6,7,9>[n,o,p+i-1,q+j-1] * W<6,1,3,3>[o,0,i,j]") ";",
    "Y<1,16,6,6>[n,o,p,q] = max(sum(c<8) (X<1,8,6,6>[n,c,p,q] * W<16,8,1,1>[o,c,0,0]) + B<16>[o], 0.0);",
    "Y<1,32,28,28>[n,o,p,q] = max(sum(c<16,i<3,j<3) select(0 <= p+i-1 && p+i-1 < 28 && 0 <= q+j-1 && q+j-1 < 28, "
        "X<1,16,28,28>[n,c,p+i-1,q+j-1] * W<32,16,3,3>[o,c,i,j], 0.0) + B<32>[o] + R<1,32,28,28>[n,o,p,q], 0.0);",
    "Y<2,3,11>[n,o,p] = sum(c<2,i<4) select(0 <= p+i-2 && p+i-2 < 10, X<2,2,10>[n,c,p+i-2] * W<3,2,4>[o,c,i], 0.0);",
    /* pools, LRN, batch normalisation, softmax */
    "Y<1,3,3,4>[n,c,p,q] = amax(i<3,j<3) select(2*p+i < 7 && 2*q+j < 9, X<1,3,7,9>[n,c,2*p+i,2*q+j], 0.0 - 1000000.0);",
    "Y<1,3,7,9>[n,c,p,q] = sum(i<3,j<3) " PAD3("X<1,3,7,9>[n,c,p+i-1,q+j-1]") " / 9.0;",
    "Y<1,3,1,1>[n,c,p,q] = sum(i<7,j<9) X<1,3,7,9>[n,c,i,j] / 63.0;",
    "Y<1,8,3,3>[n,c,p,q] = X<1,8,3,3>[n,c,p,q] / pow(1.0 + 0.0001 * sum(i<5) select(0 <= c+i-2 && c+i-2 < 8, "
        "X<1,8,3,3>[n,c+i-2,p,q] * X<1,8,3,3>[n,c+i-2,p,q], 0.0), 0.75);",
    "Y<2,3,4,5>[n,c,p,q] = (X<2,3,4,5>[n,c,p,q] - M<3>[c]) / sqrt(V<3>[c] + 0.001) * S<3>[c] + B<3>[c];",
    "M<5>[i] = amax(j<10) X<5,10>[i,j]; E<5,10>[i,j] = exp(X<5,10>[i,j] - M<5>[i]); "
        "S<5>[i] = sum(j<10) E<5,10>[i,j]; Y<5,10>[i,j] = E<5,10>[i,j] / S<5>[i];",
    "Y<6,9>[i,j] = exp(X<6,9>[i,j] - amax(k<9) X<6,9>[i,k]) / sum(k<9) exp(X<6,9>[i,k] - amax(l<9) X<6,9>[i,l]);",
    /* data movement */
    "Y<2,7,3>[i,j,k] = select(j < 4, A<2,4,3>[i,j,k], B<2,3,3>[i,j-4,k]);",
    "Y<3,5,4,2>[a,b,c,d] = X<2,3,4,5>[d,a,c,b];",
    "Y<6,20>[i,j] = X<2,3,4,5>[(i*20+j)//60, ((i*20+j)//20)%3, ((i*20+j)//5)%4, (i*20+j)%5];",
    "Y<4,15>[i,j] = X<60>[i*15+j];",
    "Y<1,6,4>[n,c,p] = X<1,6,4>[n,(c%2)*3+c//2,p];",
    "Y<5>[i] = X<9>[8-2*i];",
    "Y<7,5>[i,j] = select(0 <= i-2 && i-2 < 4 && 1 <= j, X<4,4>[i-2,j-1], 1.5);",
    "Y<2,3,14,14>[n,c,p,q] = max(X<2,3,14,14>[n,c,p,q] * S<3>[c] + R<2,3,14,14>[n,c,p,q], 0.0);",
    "Y<1,7,14,14>[n,o,p,q] = sum(c<6) (X<1,6,14,14>[n,c,p,q] * W<7,6>[o,c]) + B<7>[o];",
    "Y<3,5,2,2>[n,o,p,q] = amax(c<4) X<3,4,2,2>[n,c,p,q] - X<3,4,2,2>[n,0,p,q];",
    "Y<4,30,1>[n,i,j] = X<4,30,1>[n,i,j] * 3.0;",
    /* matrices */
    "Y<17,33>[i,j] = 0.5 * sum(k<20) (A<17,20>[i,k] * B<33,20>[j,k]) + 2.0 * C<33>[j];",
    "Y<1,130>[i,j] = sum(k<50) (A<1,50>[i,k] * B<50,130>[k,j]);",
    "Y<2,3,8,9>[a,b,i,j] = sum(k<5) (A<2,3,8,5>[a,b,i,k] * B<3,5,9>[b,k,j]);",
    "Y<13>[i] = sum(k<40) (A<13,40>[i,k] * B<40>[k]);",
    "S<1> = sum(i<30) (X<30>[i] * Z<30>[i]);",
    "Y<4,6>[i,j] = A<4,6>[i,j] * S<1> + B<4>[i];",
    "Y<8,260>[i,j] = sum(k<3) (A<8,3>[i,k] * B<3,260>[k,j]) - amax(k<3) A<8,3>[i,k];",
    "Y<40>[i] = sum(a<2) sum(b<3) (X<2,3,40>[a,b,i] + sum(c<2) Z<2,40>[c,i]);",
    /* tiles: the vectors along the last, the first or a middle dimension, merged dimensions, two sums */
    "Y<24,32>[i,j] = sum(k<20) (A<24,20>[i,k] * B<20,32>[k,j]) + C<32>[j];",
    "Y<32,24>[j,i] = sum(k<20) (A<24,20>[i,k] * B<20,32>[k,j]) - C<32>[j] * A<24,20>[i,0];",
    "Y<2,16,3,7>[n,o,p,q] = max(sum(c<3,i<3,j<2) (X<2,3,5,8>[n,c,p+i,q+j] * W<3,3,2,16>[c,i,j,o]) + B<16>[o], 0.0);",
    "Y<2,48,3,7>[n,o,p,q] = sum(c<25,i<2) (X<2,25,4,14>[n,c,p+i,2*q] * W<25,2,48>[c,i,o]) + R<2,48,3,7>[n,o,p,q];",
    "Y<3,40,4,8>[n,o,p,q] = sum(c<9) (X<3,9,4,8>[n,c,p,q] * W<40,9>[o,c]) + B<40>[o];",
    "Y<5,20,4,6>[n,o,p,q] = sum(c<9) (X<5,9,4,6>[n,c,p,q] * W<9,20>[c,o]);",
    "Y<7,2,20,24>[a,b,i,j] = sum(k<8) (A<7,2,20,8>[a,b,i,k] * B<2,8,24>[b,k,j]);",
    "Y<2,24,4,8>[n,o,p,q] = max(sum(c<9) (X<2,18,4,8>[n,o//12*9+c,p,q] * W<24,9>[o,c]) + B<24>[o], 0.0);",
    "Y<1,48,5,3>[n,o,p,q] = sum(c<30) (X<1,90,5,3>[n,o//16*30+c,p,q] * W<30,48>[c,o]);",
    "Y<24,16>[i,j] = sum(k<10) (A<24,30>[i,j//8*10+k] * B<3,10,16>[i//8,k,j]);",
    "Y<12,16>[i,j] = sum(k<9) (A<12,9>[i,k] * B<9,23>[k,j//8*7+j]);",
    "Y<28,64>[i,j] = sum(k<20) (A<28,20>[i,k] * B<20,64>[k,j]) + C<64>[j];",
    "Y<64,28>[j,i] = sum(k<20) (A<28,20>[i,k] * B<20,64>[k,j]) - C<64>[j] * A<28,20>[i,0];",
    "Y<2,32,4,14>[n,o,p,q] = max(sum(c<9,i<2) (X<2,9,5,14>[n,c,p+i,q] * W<9,2,32>[c,i,o]) + R<2,32,4,14>[n,o,p,q], 0.0);",
    "Y<3,24,8,8>[n,o,p,q] = sum(c<30) (X<3,30,8,8>[n,c,p,q] * W<24,30>[o,c]) + B<24>[o];",
    "Y<1,64,4,16>[n,o,p,q] = sum(c<30) (X<1,60,4,16>[n,o//32*30+c,p,q] * W<64,30>[o,c]);",
    "Y<18,48>[i,j] = sum(k<20) (A<18,20>[i,k] * B<20,48>[k,j]);",
    "Y<21,8>[i,j] = sum(k<40) (A<21,40>[i,k] * B<40,8>[k,j]) * 0.5;",
    "Y<2,6,49>[n,o,p] = sum(c<30) (X<2,30,49>[n,c,p] * W<6,30>[o,c]);",
    "Y<12,64>[i,j] = sum(k<40) (A<12,40>[i,k] * P<2,40,32>[j//32,k,j%32]);",
    "Y<14,16>[i,j] = amax(k<12) (A<14,12>[i,k] - B<12,16>[k,j]);",
    "Y<8,9,16>[i,j,k] = sum(l<11) (A<8,11>[i,l] * B<11,16>[l,k]) + sum(l<13) (C<8,13>[i,l] * D<13,16>[l,k]) * E<9>[j];",
    "Y<12,16>[i,j] = sum(k<10,l<3) (A<10,3,12>[k,l,i] * B<10,3,16>[k,l,j]) / 3.0;",
    /* exchanged loops, in blocks */
    "Y<32,48>[i,j] = X<48,32>[j,i];",
    "Y<20,34>[i,j] = max(A<20,34>[i,j] - X<34,20>[j,i], 0.0) * S<20>[i];",
    "Y<2,16,3,12>[a,b,c,d] = X<12,2,3,16>[d,a,c,b];",
    "Y<3,24,4,8>[n,c,p,q] = exp(X<3,4,8,24>[n,p,q,c]) + B<24>[c];",
    "Y<24,4,8>[c,p,q] = X<4,8,6>[p,q,c//4] + A<32,24>[p*8+q,c];",
    "Y<16,23>[i,j] = X<23,16>[j,i] + X<23,16>[j,15-i];",
    /* rows of sums: one column, few rows; roots and functions that are the same along the last loop, not under a select */
    "Y<40,1>[i,j] = sum(a<30) X<40,30>[i,a];",
    "Y<8>[i] = sum(a<30) X<8,30>[i,a]; Z<8>[i] = amax(a<30) X<8,30>[i,a];",
    "Y<20>[j] = sum(a<30,b<2) X<30,2,20>[a,b,j];",
    "Y<6,20>[i,j] = (X<6,20>[i,j] - M<6>[i]) / sqrt(abs(V<6>[i]) + 0.5) * S<20>[j] + exp(M<6>[i]) * exp(M<6>[i]);",
    "Y<6,20>[i,j] = select(i < 3, exp(M<3>[i]) * X<6,20>[i,j], sqrt(abs(M<3>[i-3])));",
    "Y<4,3,5>[i,j,k] = tanh(S<1> + 0.25) * X<4,3,5>[i,j,k] + exp(P<4>[i]) - sqrt(abs(Q<3>[j]));",
    "Y<9,7>[i,j] = sum(k<5) (X<9,5>[i,k] * Z<5,7>[k,j]) / sqrt(abs(V<9>[i]) + 1.0);",
    /* all functions, constants the compiler could fold, broadcasting */
    "Y<50>[i] = tanh(X<50>[i]) + erf(X<50>[i]) + round(X<50>[i] * 4) + log(abs(X<50>[i])) + sqrt(abs(X<50>[i])) + exp(-X<50>[i]);",
    "Y<50>[i] = pow(X<50>[i], 2.0) + pow(abs(X<50>[i]), 0.5) + exp(1.0) + pow(3.0, 0.3) + min(X<50>[i], 0.25);",
    "Y<3,4,5>[i,j,k] = A<3,4,5>[i,j,k] - B<4,1>[j,0] - (C<5>[k] - D<1>[0]) - (-A<3,4,5>[i,j,k]);",
    "Y<4>[i] = 1.0 / (1.0 + exp(-X<4>[i]));",
    /* a temporary larger than the stack limit, statements reading each other's output, in place updates */
    "T<3,2000>[i,j] = X<3,2000>[i,j] * 2.0; Y<3>[i] = sum(j<2000) T<3,2000>[i,1999-j];",
    "A<10>[i] = X<10>[i] + 1.0; A<10>[i] = A<10>[9-i] * 2.0; Y<10>[i] = A<10>[i] - X<10>[i];",
};

static const char *const integers[] = {
    "Y<12,16>[i,j] = sum(k<10) (A<12,10>[i,k] * B<10,16>[k,j]) + C<16>[j];",
    "Y<20>[i] = A<20>[i] // 3 + A<20>[i] % 7 - B<20>[i] * A<20>[i];",
    "Y<4,5>[i,j] = max(A<4,5>[i,j], B<5>[j]) - min(A<4,5>[i,j], 3) + abs(B<5>[j]) - (-B<5>[j]);",
    "Y<4>[i] = sum(j<6) (A<4,6>[i,j] * B<6>[j]);",
    "Y<4>[i] = amax(j<6) A<4,6>[i,j];",
    "Y<4,6>[i,j] = sum(k<3) select(0 <= j+k-1 && j+k-1 < 6, A<4,6>[i,j+k-1] * B<3>[k], 0);",
};

/* Where one in so many is compiled, other ones under each strategy. */
static void add_handmade(struct batch *b, unsigned strategy)
{
    b->turn = (int)strategy;
    for (size_t i = 0; i < sizeof handmade / sizeof *handmade; i++) {
        CU_ASSERT(batch_add(b, KERNEL_F32, handmade[i], strategy));
        if (i % 3 == 0)
            CU_ASSERT(batch_add(b, KERNEL_F64, handmade[i], strategy));
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        CU_ASSERT(batch_add(b, KERNEL_I32, integers[i], strategy));
        CU_ASSERT(batch_add(b, KERNEL_I64, integers[i], strategy));
    }
}

static struct batch batch;

static void test_handmade(void)
{
    batch_open(&batch);
    for (unsigned s = 0; s <= LOWER_ALL; s++)
        if (s < LOWER_TILE || s == LOWER_ALL)
            add_handmade(&batch, s);
    batch_check(&batch, "gcc", "", false);
    if (batch_has("clang"))
        batch_check(&batch, "clang", "", true);
    batch_close(&batch);
}

/* The same with every statement's loops in another order than its variables (reverse inlining). */
static void test_orders(void)
{
    batch_open(&batch);
    batch.shuffle = true;
    for (unsigned s = 0; s < 3; s++)
        add_handmade(&batch, s == 0 ? LOWER_ALL : s == 1 ? 0 : LOWER_ALL - LOWER_TILE);
    printf("# %d statements with loops in another order\n", batch.moved);
    CU_ASSERT(batch.moved > 40);
    batch_check(&batch, "gcc", NATIVE, true);
    batch_close(&batch);
}

/* The kernels that are there for tiles have some. */
static void test_tiles(void)
{
    batch_open(&batch);
    for (size_t i = 0; i < sizeof handmade / sizeof *handmade; i++)
        CU_ASSERT(batch_add(&batch, KERNEL_F32, handmade[i], LOWER_ALL));
    printf("# %d of %d kernels in tiles\n", batch.tiled, batch.made);
    batch_check(&batch, "gcc", NATIVE, true);
    if (batch_has("clang"))
        batch_check(&batch, "clang", NATIVE, true);
    CU_ASSERT(batch.tiled >= 15);
    batch_close(&batch);
}

static void test_sanitized(void)
{
    batch_open(&batch);
    add_handmade(&batch, LOWER_ALL);
    batch_sanitized(&batch, "gcc");
    batch_close(&batch);
}

/* Random kernels. Each load is of a tensor of its own whose dimensions are what the indices need. */
struct generator {
    char text[4096];
    int n, tensors, nvar, reductions, rank;
    bool plain; /* only identity loads: dimensions merge */
    long extent[12];
    int scope[12]; /* variables that may be used now */
    int nscope;
};

static void say(struct generator *q, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    q->n += vsnprintf(q->text + q->n, sizeof q->text - (size_t)q->n, format, ap);
    va_end(ap);
}

/* An index expression and its greatest value; its least is lo <= 0. */
static long random_index(struct generator *q, char *out, size_t size, long *lo)
{
    int a = q->scope[batch_random((unsigned)q->nscope)], b = q->scope[batch_random((unsigned)q->nscope)];
    long ea = q->extent[a] - 1, eb = q->extent[b] - 1, k = 1 + (long)batch_random(4), c = (long)batch_random(3);

    *lo = 0;
    switch (batch_random(9)) {
    case 0: snprintf(out, size, "v%d+v%d", a, b); return ea + eb;
    case 1: snprintf(out, size, "%ld*v%d+v%d", k, a, b); return k * ea + eb;
    case 2: snprintf(out, size, "(v%d+%ld)//%ld", a, c, k); return (ea + c) / k;
    case 3: snprintf(out, size, "(v%d+v%d)%%%ld", a, b, k); return k - 1;
    case 4: snprintf(out, size, "%ld-v%d", ea, a); return ea;
    case 5: snprintf(out, size, "v%d+v%d-%ld", a, b, c + 1); *lo = -c - 1; return ea + eb - c - 1;
    case 6: snprintf(out, size, "(v%d*%ld+v%d)//%ld", a, k, b, k); return (ea * k + eb) / k;
    default: snprintf(out, size, "v%d", a); return ea;
    }
}

/* At the output's own variables from some dimension on, perhaps after reduction variables. */
static void identity_load(struct generator *q)
{
    char dims[128] = "", ix[128] = "";
    int from = (int)batch_random((unsigned)q->rank);

    if (batch_random(2) && q->nscope > q->rank) {
        int v = q->scope[q->nscope - 1];
        snprintf(dims, sizeof dims, "%ld,", q->extent[v]);
        snprintf(ix, sizeof ix, "v%d,", v);
    }
    for (int i = from; i < q->rank; i++) {
        snprintf(dims + strlen(dims), sizeof dims - strlen(dims), "%s%ld", i > from ? "," : "", q->extent[i]);
        snprintf(ix + strlen(ix), sizeof ix - strlen(ix), "%sv%d", i > from ? "," : "", i);
    }
    say(q, "X%d<%s>[%s]", q->tensors++, dims, ix);
}

static void random_load(struct generator *q)
{
    char ix[3][64], dims[128] = "", all[256] = "";
    int rank = 1 + (int)batch_random(3), guards = 0;
    long lo[3], hi[3], dim[3];

    if (q->plain || batch_random(3) == 0) {
        identity_load(q);
        return;
    }
    for (int i = 0; i < rank; i++) {
        hi[i] = random_index(q, ix[i], sizeof ix[i], &lo[i]);
        dim[i] = hi[i] < 0 ? 1 : hi[i] + 1 - (lo[i] < 0 ? (long)batch_random(2) : 0);
        dim[i] = dim[i] < 1 ? 1 : dim[i];
        snprintf(dims + strlen(dims), sizeof dims - strlen(dims), "%s%ld", i ? "," : "", dim[i]);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? "," : "", ix[i]);
        guards += lo[i] < 0 || hi[i] >= dim[i];
    }
    if (guards) {
        say(q, "select(");
        for (int i = 0, k = 0; i < rank; i++)
            if (lo[i] < 0 || hi[i] >= dim[i])
                say(q, "%s0 <= %s && %s < %ld", k++ ? " && " : "", ix[i], ix[i], dim[i]);
        say(q, ", ");
    }
    say(q, "X%d<%s>[%s]", q->tensors++, dims, all);
    if (guards)
        say(q, ", %s)", batch_random(2) ? "0.0" : "1.25");
}

static void random_expression(struct generator *q, int depth);

static void random_reduction(struct generator *q, int depth)
{
    int k = 1 + (int)batch_random(2), from = q->nvar, scope = q->nscope;

    say(q, batch_random(4) ? "sum(" : "amax(");
    for (int i = 0; i < k && q->nvar < 12; i++) {
        q->extent[q->nvar] = 1 + (long)batch_random(5);
        say(q, "%sv%d<%ld", i ? "," : "", q->nvar, q->extent[q->nvar]);
        q->scope[q->nscope++] = q->nvar++;
    }
    say(q, ") (");
    if (q->nvar > from && batch_random(2))
        say(q, "select(v%d + v%d < %ld, ", q->scope[0], from, 1 + (long)batch_random(8));
    else
        from = -1;
    random_expression(q, depth - 1);
    say(q, from >= 0 ? ", 0.0))" : ")");
    q->nscope = scope;
}

static void random_expression(struct generator *q, int depth)
{
    static const char *const one[] = { "exp", "tanh", "abs", "erf", "round", "-" };
    static const char *const two[] = { " + ", " - ", " * ", " / " };
    unsigned r = depth <= 0 || q->tensors > 7 ? 0 : batch_random(12);

    if (r < 3 || q->n > 3000) {
        if (batch_random(6) == 0 || q->tensors > 9)
            say(q, "%d.5", (int)batch_random(3));
        else
            random_load(q);
    } else if (r < 7) {
        say(q, "(");
        random_expression(q, depth - 1);
        say(q, "%s", two[batch_random(4)]);
        random_expression(q, depth - 1);
        say(q, ")");
    } else if (r == 7) {
        say(q, "%s(", one[batch_random(5)]);
        random_expression(q, depth - 1);
        say(q, ")");
    } else if (r == 8) {
        say(q, batch_random(2) ? "max(" : "min(");
        random_expression(q, depth - 1);
        say(q, ", ");
        random_expression(q, depth - 1);
        say(q, ")");
    } else if (r == 9) {
        say(q, "select(v%d < %ld, ", q->scope[batch_random((unsigned)q->nscope)], (long)batch_random(6));
        random_expression(q, depth - 1);
        say(q, ", ");
        random_expression(q, depth - 1);
        say(q, ")");
    } else if (q->reductions++ < 2) {
        random_reduction(q, depth);
    } else {
        random_load(q);
    }
}

static void random_kernel(struct generator *q)
{
    int rank = 1 + (int)batch_random(4);

    memset(q, 0, sizeof *q);
    say(q, "Y<");
    for (int i = 0; i < rank; i++) {
        q->extent[i] = batch_random(12) == 0 ? 1 : 1 + (long)batch_random(rank < 3 ? 40 : 9);
        q->scope[i] = i;
        say(q, "%s%ld", i ? "," : "", q->extent[i]);
    }
    q->nvar = q->nscope = q->rank = rank;
    q->plain = batch_random(4) == 0;
    say(q, ">[");
    for (int i = 0; i < rank; i++)
        say(q, "%sv%d", i ? "," : "", i);
    say(q, "] = ");
    random_expression(q, 4);
    say(q, ";");
}

enum { RANDOM = 400 };

static void test_random(void)
{
    struct generator q;
    int refused = 0;

    batch_open(&batch);
    while (batch.made < RANDOM && refused < RANDOM / 4) {
        random_kernel(&q);
        batch.shuffle = batch.made % 2;
        refused += !batch_add(&batch, batch_random(4) ? KERNEL_F32 : KERNEL_F64, q.text,
                              batch_random(4) ? LOWER_ALL : batch_random(LOWER_ALL));
    }
    printf("# %d random kernels, %d discarded, %d with loops in another order\n", batch.made, refused, batch.moved);
    CU_ASSERT(batch.made == RANDOM && batch.moved > RANDOM / 5);
    batch_check(&batch, "gcc", "", true);
    batch_close(&batch);
}

/* The functions that carry contracts (emit/contract.h), without their being proved here. */
static void test_contracts(void)
{
    static const enum kernel_type types[] = { KERNEL_F64, KERNEL_I32, KERNEL_I64 };
    struct generator q;
    int refused = 0;

    batch_open(&batch);
    for (size_t i = 0; i < sizeof handmade / sizeof *handmade; i++)
        CU_ASSERT(batch_add(&batch, KERNEL_F32, handmade[i], BATCH_ACSL));
    while (batch.made < RANDOM / 2 && refused < RANDOM / 4) {
        random_kernel(&q);
        refused += !batch_add(&batch, KERNEL_F32, q.text, BATCH_ACSL);
    }
    printf("# %d kernels with contracts, %d discarded\n", batch.made, refused);
    CU_ASSERT(batch.made == RANDOM / 2);
    batch_check(&batch, "gcc", "", true);
    if (batch_has("clang"))
        batch_check(&batch, "clang", "-Wno-unused-function", false); /* of the header, which is no header here */
    batch_sanitized(&batch, "gcc");
    batch_close(&batch);
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        bool ints = types[k] != KERNEL_F64;
        size_t n = ints ? sizeof integers / sizeof *integers : sizeof handmade / sizeof *handmade;
        batch_open(&batch);
        for (size_t i = 0; i < n; i += ints ? 1 : 3)
            CU_ASSERT(batch_add(&batch, types[k], ints ? integers[i] : handmade[i], BATCH_ACSL));
        batch_check(&batch, "gcc", "", !ints);
        batch_close(&batch);
    }
}

/* The kernels of tests/kernel/cases.kern. */
static void test_cases(void)
{
    static struct kernel_cases all;

    cases_read(&all, "cases.kern", 21);
    batch_open(&batch);
    for (int i = 0; i < all.n; i++) {
        const struct kernel_case *c = &all.at[i];
        enum kernel_type type = strcmp(c->type, "int") == 0 ? KERNEL_I32 : KERNEL_F32;
        CU_ASSERT(type == KERNEL_I32 || strcmp(c->type, "float") == 0);
        CU_ASSERT(batch_add(&batch, type, c->text, LOWER_ALL));
    }
    batch_check(&batch, "gcc", "", false);
    batch_close(&batch);
    cases_free(&all);
}

static const struct unit_case cases[] = {
    { "handmade", test_handmade },
    { "orders", test_orders },
    { "tiles", test_tiles },
    { "sanitized", test_sanitized },
    { "random", test_random },
    { "contracts", test_contracts },
    { "cases", test_cases },
};

int main(void)
{
    return unit_main("emit_kernels", cases, UNIT_COUNT(cases));
}
