#include "gen.h"
#include "unit.h"
#include "world.h"

static enum calque_status parse(struct world *w, const char *src)
{
    return kernel_parse(&w->k, "k", src, strlen(src), NULL, -1, &w->d);
}

/* src prints as want, and want as itself. */
static bool prints(enum kernel_type type, const char *src, const char *want)
{
    struct world w;
    struct text t;
    bool ok = true;

    for (int pass = 0; pass < 2 && ok; pass++) {
        open_world(&w, type);
        text_init(&t, &w.mem);
        if (parse(&w, pass ? want : src) != CALQUE_OK) {
            fprintf(stderr, "%d:%d %s\n%s\n", w.d.line, w.d.col, w.d.text, pass ? want : src);
            ok = false;
        } else {
            kernel_print(&t, &w.k);
            ok = strcmp(t.a, want) == 0 && kernel_check(&w.k, &w.d) == CALQUE_OK;
            if (!ok)
                fprintf(stderr, "printed %swanted  %s", t.a, want);
        }
        text_free(&t);
        close_world(&w);
    }
    return ok;
}

static void grammar(void)
{
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i]=1;", "A<2>[i] = 0x1p+0;\n"));
    CU_ASSERT(prints(KERNEL_F32, "S<1>= -S<1>;", "S<1> = -S<1>;\n"));
    CU_ASSERT(prints(KERNEL_F32, "S<1>[z] = S<1>[0] + S<1>[z];", "S<1>[z] = S<1>[0] + S<1>[z];\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>\n[i] # c\n = B<2>[\ni] ; C<2>[j]=A<2>[1-j];", "A<2>[i] = B<2>[i];\nC<2>[j] = A<2>[1-j];\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i] = (B<2>[i]-(C<2>[i]-D<2>[i]))*E<2>[i]/(F<2>[i]*G<2>[i])-(H<2>[i]+1.5);",
                     "A<2>[i] = (B<2>[i] - (C<2>[i] - D<2>[i])) * E<2>[i] / (F<2>[i] * G<2>[i]) - (H<2>[i] + 0x1.8p+0);\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i] = (((B<2>[i]-C<2>[i])-D<2>[i]));", "A<2>[i] = B<2>[i] - C<2>[i] - D<2>[i];\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i] = - -1 - -(1) + --B<2>[i] * -inf + nan - -(B<2>[i]+2);",
                     "A<2>[i] = -(-0x1p+0) - -(0x1p+0) + -(-B<2>[i]) * -inf + nan - -(B<2>[i] + 0x1p+1);\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i] = max(B<2>[i], min(1, 2)) + pow(exp(log(sqrt(1))), tanh(abs(erf(round(0x1p-3)))));",
                     "A<2>[i] = max(B<2>[i], min(0x1p+0, 0x1p+1)) + pow(exp(log(sqrt(0x1p+0))), tanh(abs(erf(round(0x1p-3)))));\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i] = max<2>[i] + sum<2>[i] + inf<2>[i] + select<2>[i] + nan<1>;",
                     "A<2>[i] = max<2>[i] + sum<2>[i] + inf<2>[i] + select<2>[i] + nan<1>;\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i] = sum(k<3,l<2) (B<3,2>[k,l] * 2) - 3 * amax(m<3) B<3,2>[m,i];",
                     "A<2>[i] = sum(k<3,l<2) (B<3,2>[k,l] * 0x1p+1) - 0x1.8p+1 * amax(m<3) B<3,2>[m,i];\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i] = sum(k<3) sum(l<2) (-1) + sum(k<4) amax(l<3) select(k<l, 1, 2);",
                     "A<2>[i] = sum(k<3) sum(l<2) (-0x1p+0) + sum(k<4) amax(l<3) select(k < l, 0x1p+0, 0x1p+1);\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<9>[i] = B<80>[((i+1)*2-(3-i))//2%5 + 2*3 + 4*(i)] + B<80>[(i//3)*3+i%3] + B<80>[-2+3+i*-1+8];",
                     "A<9>[i] = B<80>[((i+1)*2-(3-i))//2%5+2*3+i*4] + B<80>[i//3*3+i%3] + B<80>[-2+3+i*-1+8];\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<9>[i] = select(i < 3 && i <= 2 && 1 > i && i+1 >= 1 && i == 0 && i != 5, 1, 2);",
                     "A<9>[i] = select(i < 3 && i <= 2 && 1 > i && i+1 >= 1 && i == 0 && i != 5, 0x1p+0, 0x1p+1);\n"));
    CU_ASSERT(prints(KERNEL_I64, "A<9>[i] = B<9>[i] // 2 % 3 * (4 // C<1>) - -inf + inf + max(1, -2) - abs(-(3));",
                     "A<9>[i] = B<9>[i] // 2 % 3 * (4 // C<1>) - -inf + 9223372036854775807 + max(1, -2) - abs(-(3));\n"));
    CU_ASSERT(prints(KERNEL_I32, "A<9>[i] = 2147483647 + -2147483647 + -inf + inf;",
                     "A<9>[i] = 2147483647 + -2147483647 + -inf + 2147483647;\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<1>[i] = 0.1;", "A<1>[i] = 0x1.99999ap-4;\n"));
    CU_ASSERT(prints(KERNEL_F64, "A<1>[i] = 0.1;", "A<1>[i] = 0x1.999999999999ap-4;\n"));
}

static void implicit_sums(void)
{
    CU_ASSERT(prints(KERNEL_F32, "A<2,8,5,5>[n,k,p,q] = A<2,8,5,5>[n,k,p,q] + B<2,16,7,7>[n,c,p + r,q + s] * C<8,16,3,3>[k,c,r,s];",
                     "A<2,8,5,5>[n,k,p,q] = A<2,8,5,5>[n,k,p,q] + sum(c<16,r<3,s<3) (B<2,16,7,7>[n,c,p+r,q+s] * "
                     "C<8,16,3,3>[k,c,r,s]);\n"));
    CU_ASSERT(prints(KERNEL_F32, "A<2>[i] = B<2>[i] - (C<3>[k] - (D<4>[l] + E<2>[i])) * 1 - (F<3>[k] - (G<4>[l] + E<2>[i]));",
                     "A<2>[i] = B<2>[i] - sum(k<3,l<4) ((C<3>[k] - (D<4>[l] + E<2>[i])) * 0x1p+0) - (sum(k<3) F<3>[k] - "
                     "(sum(l<4) G<4>[l] + E<2>[i]));\n"));
    /* ranges: each kind of use */
    CU_ASSERT(prints(KERNEL_F32, "S<1> = A<7>[a] + A<7>[b+2] + A<7>[2+c] + B<12>[2*e] + C<3>[h//4] + D<5>[k%5]*A<7>[k];",
                     "S<1> = sum(a<7) A<7>[a] + sum(b<5) A<7>[b+2] + sum(c<5) A<7>[2+c] + sum(e<6) B<12>[e*2] + "
                     "sum(h<12) C<3>[h//4] + sum(k<7) (D<5>[k%5] * A<7>[k]);\n"));
    CU_ASSERT(prints(KERNEL_F32, "S<1> = A<7>[k-0] + B<5>[k];", "S<1> = sum(k<5) A<7>[k-0] + sum(k<5) B<5>[k];\n"));
    CU_ASSERT(prints(KERNEL_F32, "S<1> = select(k < 3 && l < k, A<7>[k], 1) * B<2>[l];",
                     "S<1> = sum(k<7,l<2) (select(k < 3 && l < k, A<7>[k], 0x1p+0) * B<2>[l]);\n"));
    CU_ASSERT(prints(KERNEL_F32, "S<1> = 2 * sum(i<3) (A<3,4>[i,k] * B<4>[k]);",
                     "S<1> = sum(k<4) (0x1p+1 * sum(i<3) (A<3,4>[i,k] * B<4>[k]));\n"));
}

static void bounds_accepted(void)
{
    static const char *const ok[] = {
        ("Y<1,64,56,56>[n,o,p,q] = sum(c<64,i<3,j<3) select(0 <= p*1+i*1-1 && p*1+i*1-1 < 56 && 0 <= q*1+j*1-1 && q*1+j*1-1 < 56,"
         " X<1,64,56,56>[n,(o//64)*64+c,p*1+i*1-1,q*1+j*1-1] * W<64,64,3,3>[o,c,i,j], 0.0) + B<64>[o];"),
        "Y<1,16>[n,o] = sum(c<4) X<1,8>[n,(o//8)*4+c];",
        "Y<12,12>[i,j] = A<12,3>[(i*12+j)//12, (i*12+j)//4 % 3];",
        "Y<144>[i] = A<12,12>[i//12, i%12];",
        "Y<9>[i] = A<18>[2*i+1];",
        "Y<2,9>[n,c] = select(c < 3, A<2,3>[n,c], select(c < 5, B<2,2>[n,c-3], C<2,4>[n,c-5]));",
        "Y<2,9>[n,c] = select(c >= 3, B<2,6>[n,c-3], A<2,3>[n,c]);",
        "Y<2,9>[n,c] = select(3 > c, A<2,3>[n,c], B<2,6>[n,c-3]);",
        "Y<9>[i] = select(i != 8, A<8>[i], select(i == 8, B<1>[i-8], 0));",
        "Y<9>[i] = select(i != 0, A<8>[i-1], 0);",
        "Y<9>[i] = select(i+1 >= 1 && i+1 < 9, A<8>[(i+1)-1], 0);",
        "Y<9,9>[i,j] = select(i < j, A<8>[j-i-1], 0);",
        "Y<9,9>[i,j] = select(i < j, A<8>[i], 0);",
        "Y<9,9>[i,j] = select(i <= 2*j && 2*j < i + 3, A<3>[2*j-i], 0);",
        "Y<9,9>[i,j] = select(8 <= i + j && i + j < 12, A<4,9>[i+j-8,8-i], 0);",
        "Y<20>[i] = select(i % 2 == 0 && i < 7, A<4>[i//2], 0);",
        "Y<20>[i] = select(2*i < 7, A<4>[i], 0);",
        "Y<20>[i] = select(i < 3 && i > 5, A<1>[i+100], 0);",
        "Y<0>[i] = A<1>[i+5] + sum(k<0) A<1>[k+7];",
        "Y<6>[i] = A<6>[i - i//2*2 + i//2*2];",
        "Y<6,7>[i,j] = A<1>[(i*7+j)//7 - i];",
        "Y<30>[i] = select(i//10 == 1, A<10>[i-10], 0);",
    };
    static const struct { const char *src; int col; const char *text; } bad[] = {
        {"Y<4>[i] = A<3>[i];", 16, "index 1 of A is in 0..3, not in 0..2"},
        {"Y<4>[i] = A<3,9>[0, i*3];", 21, "index 2 of A is in 0..9, not in 0..8"},
        {"Y<4>[i] = A<3>[i-1];", 16, "index 1 of A is in -1..2, not in 0..2"},
        {"Y<4>[i] = A<3>[(i-1)];", 16, "index 1 of A is in -1..2, not in 0..2"},
        {"Y<4,4>[i,j] = select(i < 3 && j < 3, A<9>[i*3+j], A<9>[i*3+j]);", 56, "index 1 of A is in 0..12, not in 0..8"},
        {"Y<9>[i] = select(i < 3, A<3>[i], B<5>[i-3]);", 39, "index 1 of B is in 0..5, not in 0..4"},
        {"Y<9>[i] = select(i >= 1 && i < 9, A<8>[i-1], A<8>[i]);", 51, "index 1 of A is in 0..8, not in 0..7"},
        {"Y<9>[i] = sum(k<3) A<10>[i+k];", 26, "index 1 of A is in 0..10, not in 0..9"},
        {"Y<9>[i] = select(i < 3, 1, 0) + A<3>[i];", 38, "index 1 of A is in 0..8, not in 0..2"},
        {"Y<9>[i] = A<9>[-1];", 16, "index 1 of A is in -1..-1, not in 0..8"},
        {"Y<9>[i] = select(i < 3, A<2>[i], 0);", 30, "index 1 of A is in 0..2, not in 0..1"},
        {"Y<9>[i] = select(i <= 3, A<3>[i], 0);", 31, "index 1 of A is in 0..3, not in 0..2"},
        {"Y<9>[i] = select(i > 6, B<2>[i-7], A<6>[i]);", 41, "index 1 of A is in 0..6, not in 0..5"},
        {"Y<9>[i] = select(2*i < 7, A<3>[i], 0);", 32, "index 1 of A is in 0..3, not in 0..2"},
        {"Y<9,9>[i,j] = select(i < j, A<8>[j], 0);", 34, "index 1 of A is in 1..8, not in 0..7"},
        {"Y<9,9>[i,j] = select(i < j, A<7>[i], 0);", 34, "index 1 of A is in 0..7, not in 0..6"},
        {"Y<9,9>[i,j] = select(i < j, A<7>[j-i-1], 0);", 34, "index 1 of A is in 0..7, not in 0..6"},
        {"Y<30>[i] = select(i//10 == 1, A<9>[i-10], 0);", 36, "index 1 of A is in 0..9, not in 0..8"},
        {"S<1> = A<12>[f+g] * B<3>[g];", 14, "index 1 of A is in 0..13, not in 0..11"},
        {"A<2>[i] = B<4>[j-1] * C<3>[j];", 16, "index 1 of B is in -1..1, not in 0..3"},
    };

    for (size_t i = 0; i < sizeof ok / sizeof *ok; i++) {
        struct world w;
        open_world(&w, KERNEL_F32);
        CU_ASSERT(parse(&w, ok[i]) == CALQUE_OK);
        if (w.d.status != CALQUE_OK)
            fprintf(stderr, "%d:%d %s\n%s\n", w.d.line, w.d.col, w.d.text, ok[i]);
        close_world(&w);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct world w;
        bool good;
        open_world(&w, KERNEL_F32);
        good = parse(&w, bad[i].src) == CALQUE_BAD && w.d.line == 1 && w.d.col == bad[i].col &&
               strcmp(w.d.text, bad[i].text) == 0 && strcmp(w.d.file, "k") == 0;
        CU_ASSERT(good);
        if (!good)
            fprintf(stderr, "%d:%d %s\n%s\n", w.d.line, w.d.col, w.d.text, bad[i].src);
        close_world(&w);
    }
}

struct error_case {
    const char *src;
    int line, col;
    const char *text;
};

static void expect_errors(enum kernel_type type, const struct error_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct world w;
        enum calque_status st;
        bool good;
        open_world(&w, type);
        st = parse(&w, c[i].src);
        good = (st == CALQUE_BAD || st == CALQUE_LIMIT) && w.d.line == c[i].line && w.d.col == c[i].col &&
               strcmp(w.d.text, c[i].text) == 0;
        CU_ASSERT(good);
        if (!good)
            fprintf(stderr, "status %d %d:%d %s\n%s\n", (int)st, w.d.line, w.d.col, w.d.text, c[i].src);
        close_world(&w);
    }
}

#define EXACT "exact(a, b) is the term of a sum, or a branch of a select that is one"

static void errors(void)
{
    static const struct error_case f32[] = {
        {"", 1, 1, "expected a statement: NAME<dims>[variables] = value;"},
        {"# only\n", 2, 1, "expected a statement: NAME<dims>[variables] = value;"},
        {"A<2>[i] = 1; 3", 1, 14, "expected a statement: NAME<dims>[variables] = value;"},
        {"A[i] = 1;", 1, 2, "expected '<', got '['"},
        {"A<2[i] = 1;", 1, 4, "expected '>', got '['"},
        {"A<x>[i] = 1;", 1, 3, "expected an integer (dimension)"},
        {"A<3000000000>[i] = 1;", 1, 3, "3000000000 is too large (dimension)"},
        {"A<65536,65536>[i,j] = 1;", 1, 3, "the tensor has more than 2147483647 elements"},
        {"A<1,1,1,1,1,1,1,1,1>[i] = 1;", 1, 19, "more than 8 dimensions"},
        {"A<2> = 1;", 1, 6, "expected '[', got '='"},
        {"A<2>[i+1] = 1;", 1, 7, "expected ']', got '+'"},
        {"A<2>[3] = 1;", 1, 6, "expected a variable: the left side has one for each dimension"},
        {"A<2,2>[i,i] = 1;", 1, 10, "i stands twice on the left"},
        {"A<2,2>[i] = 1;", 1, 9, "A has 2 dimensions"},
        {"A<2>[i,j] = 1;", 1, 8, "A has 1 dimensions"},
        {"A<2>[i] 1;", 1, 9, "expected '=', got '1'"},
        {"A<2>[i] = 1", 1, 12, "expected ';' before the end of the input"},
        {"A<2>[i] = ;", 1, 11, "expected a value: a literal, a tensor, a function or '('"},
        {"A<2>[i] = 1 +\n  * 2;", 2, 3, "expected a value: a literal, a tensor, a function or '('"},
        {"A<2>[i] = (1;", 1, 13, "expected ')', got ';'"},
        {"A<2>[i] = B;", 1, 12, "expected '<', got ';'"},
        {"A<2>[i] = foo(1);", 1, 11, "unknown function foo"},
        {"A<2>[i] = B<2>;", 1, 15, "expected '[', got ';'"},
        {"A<2>[i] = B<2>[i,i];", 1, 18, "B has 1 dimensions"},
        {"A<2>[i] = B<2,2>[i];", 1, 19, "B has 2 dimensions"},
        {"A<2>[i] = B<2>[i] + B<3>[i];", 1, 21, "the shape of B differs from an earlier use"},
        {"A<2>[i] = 1;\nA<3>[i] = 1;", 2, 1, "the shape of A differs from an earlier use"},
        {"A<2>[i] = B<2>[i*j];", 1, 18, "an index is multiplied, divided or reduced by an integer literal only"},
        {"A<2>[i] = B<2>[1//i];", 1, 19, "an index is multiplied, divided or reduced by an integer literal only"},
        {"A<2>[i] = B<2>[i//0];", 1, 19, "an index is divided by a positive literal only"},
        {"A<2>[i] = B<2>[i%-1];", 1, 18, "an index is divided by a positive literal only"},
        {"A<2>[i] = B<2>[1.5];", 1, 16, "expected an index: a variable, an integer or '('"},
        {"A<2>[i] = B<2>[];", 1, 16, "expected an index: a variable, an integer or '('"},
        {"A<2>[i] = B<2>[(i];", 1, 18, "expected ')', got ']'"},
        {"A<2>[i] = B<2>[i-3000000000];", 1, 18, "3000000000 is too large (index)"},
        {"A<2>[i] = B<2>[i*2147483647*2];", 1, 16, "the index takes values beyond 2147483647"},
        {"A<2>[i] = B<2>[i] % 2;", 1, 19, "// and % on values need an integer kernel"},
        {"A<2>[i] = B<2>[i] // 2;", 1, 19, "// and % on values need an integer kernel"},
        {"A<2>[i] = max(1);", 1, 16, "expected ',', got ')'"},
        {"A<2>[i] = exp(1, 2);", 1, 16, "expected ')', got ','"},
        {"A<2>[i] = neg(1);", 1, 11, "unknown function neg"},
        {"A<2>[i] = select(1, 2, 3);", 1, 19, "expected a comparison"},
        {"A<2>[i] = select(i < 1, 2);", 1, 26, "expected ',', got ')'"},
        {"A<2>[i] = select(i < 1 && , 2, 3);", 1, 27, "expected an index: a variable, an integer or '('"},
        {"A<2>[i] = sum(k) 1;", 1, 16, "expected '<', got ')'"},
        {"A<2>[i] = sum(3<k) 1;", 1, 15, "expected a variable"},
        {"A<2>[i] = sum(i<3) 1;", 1, 15, "i is already a variable here"},
        {"A<2>[i] = sum(k<3) sum(k<3) 1;", 1, 24, "k is already a variable here"},
        {"A<2>[i] = B<2>[k] * sum(k<3) 1;", 1, 25, "k is already a variable here"},
        {"A<2>[i] = sum(k<3) B<3>[k] * B<3>[k];", 1, 35, "k is used outside the reduction that binds it"},
        {"A<2>[i] = sum(k<3) -1;", 1, 20, "expected a value: a literal, a tensor, a function or '('"},
        {"A<2>[i] = B<3>[k%3];", 1, 16, "no use of k as an index bounds its range"},
        {"A<2>[i] = select(k < 3, 1, 2);", 1, 18, "no use of k as an index bounds its range"},
        {"A<2>[i] = B<3>[k+3];", 1, 16, "the range of k is empty"},
        {"A<2>[i] = 1e99;", 1, 11, "the literal is too large"},
        {"A<2>[i] = 1 $ 2;", 1, 13, "unexpected character '$'"},
        {"A<2>[i] = 1x;", 1, 11, "malformed number"},
        {"B<1> = 1;\n A<2>[i] = exact(2, 3);", 2, 2, EXACT},
        {"A<2>[i] = sum(k<3) (exact(2, 3) + 1);", 1, 1, EXACT},
        {"A<2>[i] = sum(k<3) exact(2, exact(3, 4));", 1, 1, EXACT},
        {"A<2>[i] = amax(k<3) exact(2, 3);", 1, 1, EXACT},
        {"A<2>[i] = select(i < 1, sum(k<2) exact(1, 2), exact(1, 2));", 1, 1, EXACT},
        {"A<2>[i] = sum(k<3) exact(2);", 1, 27, "expected ',', got ')'"},
    };
    static const struct error_case i32[] = {
        {"A<2>[i] = 1.5;", 1, 11, "a float literal in an integer kernel"},
        {"A<2>[i] = nan;", 1, 11, "a float literal in an integer kernel"},
        {"A<2>[i] = 3000000000;", 1, 11, "the literal is too large"},
        {"A<2>[i] = B<2>[i] / 2;", 1, 19, "/ needs a float kernel; integers are divided by //"},
        {"A<2>[i] = exp(1);", 1, 11, "exp needs a float kernel"},
        {"A<2>[i] = pow(1, 2);", 1, 11, "pow needs a float kernel"},
        {"A<2>[i] = sum(k<3) exact(1, 2);", 1, 20, "exact needs a float kernel"},
    };

    expect_errors(KERNEL_F32, f32, sizeof f32 / sizeof *f32);
    expect_errors(KERNEL_I32, i32, sizeof i32 / sizeof *i32);
}

static void depth(void)
{
    static char src[1 << 14];
    static const char *const open_close[][2] = {{"(", ")"}, {"-", ""}, {"exp(", ")"}, {"sum(a%d<1) (", ")"}, {"1 + ", ""}};

    for (int kind = 0; kind < 5; kind++)
        for (int n = 200; n <= 600; n += 400) {
            struct world w;
            int len = snprintf(src, sizeof src, "A<2>[i] = ");
            for (int i = 0; i < n; i++)
                if (kind == 3)
                    len += snprintf(src + len, sizeof src - (size_t)len, "sum(a%d<1) (", i);
                else
                    len += snprintf(src + len, sizeof src - (size_t)len, "%s", open_close[kind][0]);
            len += snprintf(src + len, sizeof src - (size_t)len, "B<2>[i]");
            for (int i = 0; i < n; i++)
                len += snprintf(src + len, sizeof src - (size_t)len, "%s", open_close[kind][1]);
            snprintf(src + len, sizeof src - (size_t)len, ";");
            open_world(&w, KERNEL_F32);
            CU_ASSERT(parse(&w, src) == (n == 200 ? CALQUE_OK : CALQUE_BAD));
            CU_ASSERT(n == 200 || strstr(w.d.text, "nested deeper than 500") != NULL);
            close_world(&w);
        }
}

static void roles(void)
{
    static const char src[] = "T<2>[i] = A<2>[i]; B<2>[i] = T<2>[i]; C<2>[i] = B<2>[i] * A<2>[i];";
    struct world w;
    int names[2];

    open_world(&w, KERNEL_F32);
    CU_ASSERT(parse(&w, src) == CALQUE_OK);
    CU_ASSERT(w.k.tensor.n == 4);
    CU_ASSERT(w.k.tensor.a[0].role == KERNEL_TEMP && w.k.tensor.a[1].role == KERNEL_IN);
    CU_ASSERT(w.k.tensor.a[2].role == KERNEL_TEMP && w.k.tensor.a[3].role == KERNEL_OUT);
    CU_ASSERT(kernel_cost(&w.k) > 0);
    kernel_free(&w.k);
    names[0] = strs_addz(&w.strs, "B");
    names[1] = strs_addz(&w.strs, "T");
    CU_ASSERT(kernel_parse(&w.k, "k", src, strlen(src), names, 2, &w.d) == CALQUE_OK);
    CU_ASSERT(w.k.tensor.a[0].role == KERNEL_OUT && w.k.tensor.a[2].role == KERNEL_OUT && w.k.tensor.a[3].role == KERNEL_TEMP);
    kernel_free(&w.k);
    names[1] = strs_addz(&w.strs, "A");
    CU_ASSERT(kernel_parse(&w.k, "k", src, strlen(src), names, 2, &w.d) == CALQUE_BAD);
    CU_ASSERT_STRING_EQUAL(w.d.text, "the output A is stored by no statement");
    close_world(&w);
}

static void random_texts(void)
{
    static struct gen g;
    int bad = 0;

    for (int i = 0; i < 1500 && bad < 3; i++) {
        bool real = i % 2;
        struct world w;
        struct text t;
        gen_kernel(&g, 77 + (uint64_t)i, real, 1 + i % 3);
        open_world(&w, real ? KERNEL_F32 : KERNEL_I64);
        text_init(&t, &w.mem);
        if (parse(&w, g.text) != CALQUE_OK) {
            fprintf(stderr, "%d:%d %s\n%s\n", w.d.line, w.d.col, w.d.text, g.text);
            bad++;
        } else {
            CU_ASSERT(i % 4 < 2 || kernel_fuse(&w.k, &w.d) == CALQUE_OK);
            kernel_print(&t, &w.k);
            bad += !prints(w.k.type, t.a, t.a);
        }
        text_free(&t);
        close_world(&w);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* Every prefix of a text and every text with one byte changed gives a kernel or a located error. */
static void damaged_texts(void)
{
    static const char src[] = "Y<1,8,9,9>[n,o,p,q] = sum(c<8,i<3) select(0 <= p+i-1 && p+i-1 < 9, X<1,8,9,9>[n,(o//8)*8+c,p+i-1,q%9]"
                              " * W<8,8,3>[o,c,i], -0x1p-3) + B<8>[o]*2;";
    static const char bytes[] = " 0i<>[](),;=+-*/%&.#\n\x80";
    char text[sizeof src];
    int accepted = 0;

    for (size_t i = 0; i + 1 < sizeof src; i++) {
        struct world w;
        open_world(&w, KERNEL_F32);
        CU_ASSERT(kernel_parse(&w.k, "k", src, i, NULL, -1, &w.d) == CALQUE_BAD);
        CU_ASSERT(w.d.line == 1 && w.d.col >= 1 && w.d.col <= (int)i + 1);
        close_world(&w);
        for (size_t j = 0; j + 1 < sizeof bytes; j++) {
            enum calque_status st;
            memcpy(text, src, sizeof src);
            text[i] = bytes[j];
            open_world(&w, KERNEL_F32);
            st = parse(&w, text);
            accepted += st == CALQUE_OK;
            if (st != CALQUE_OK && ((st != CALQUE_BAD && st != CALQUE_LIMIT) || w.d.line < 1))
                CU_FAIL("an unlocated error");
            close_world(&w);
        }
    }
    CU_ASSERT(accepted > 100);
}

static void out_of_memory(void)
{
    static const char src[] = "T<2,8>[n,k] = B<2,7>[n,p+0] * C<8,7>[k,p] + B<2,7>[n,k%7];\n"
                              "Y<2,9>[n,c] = select(c < 8, T<2,8>[n,c], max(0, D<1>)) - sum(i<2,j<3) E<4>[i+j];";
    long fails = 0;

    for (;; fails++) {
        struct world w;
        struct kernel other;
        struct text t;
        int map[16];
        enum calque_status st;
        open_world(&w, KERNEL_F32);
        kernel_init(&other, &w.mem, &w.strs, KERNEL_F32);
        text_init(&t, &w.mem);
        w.mem.fail_after = fails;
        st = parse(&w, src);
        if (st == CALQUE_OK)
            st = kernel_check(&w.k, &w.d);
        for (int i = 0; i < w.k.tensor.n && st == CALQUE_OK; i++) {
            const struct kernel_tensor *x = &w.k.tensor.a[i];
            map[i] = kernel_add_tensor(&other, x->name, x->role, x->rank, x->dim);
            st = map[i] < 0 ? CALQUE_NOMEM : CALQUE_OK;
        }
        if (st == CALQUE_OK)
            st = kernel_append(&other, &w.k, map, &w.d);
        if (st == CALQUE_OK) {
            kernel_print(&t, &other);
            st = text_status(&t, &w.d);
        }
        CU_ASSERT(st == CALQUE_OK || st == CALQUE_NOMEM);
        CU_ASSERT(st == CALQUE_OK || w.d.status == CALQUE_NOMEM || w.d.status == CALQUE_OK);
        text_free(&t);
        kernel_free(&other);
        close_world(&w);
        if (st == CALQUE_OK || fails > 2000)
            break;
    }
    CU_ASSERT(fails > 30 && fails <= 2000);
}

int main(void)
{
    static const struct unit_case cases[] = {
        {"grammar", grammar}, {"implicit sums", implicit_sums}, {"bounds", bounds_accepted},
        {"errors", errors},   {"depth", depth},                 {"roles", roles},
        {"random texts", random_texts}, {"damaged texts", damaged_texts}, {"out of memory", out_of_memory},
    };
    return unit_main("kernel/parse", cases, UNIT_COUNT(cases));
}
