/* Each rule of the translation (a.N, c.N: seed 002 section 2.2, step 1) and of code generation (cgc, cga, cge: step 3) on the
   smallest program that needs it, in the seed's numbering. Rules with a dot before the name are ours. */
#include "dpia/parse.h"
#include "emit/emit.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct mem mem = MEM_INIT;
static struct strs strs;

#define IN "in x, y : num\nin a, b : n.num\nin p : (num x num)\nin M : m.n.num\nin q : (n.num x m.num)\nin s : (n*m).num\nout r\nr := "

static const struct {
    const char *rule, *exp, *stage, *want;
} rules[] = {
    { "a.1", "x", "comm",
      "r := x\n" },
    { "a.2", "a", "comm",
      "parfor i0 < n\n"
      "  r{i0} := a[i0]\n" },
    { "a.2", "M", "comm",
      "parfor i0 < m\n"
      "  for i1 < n\n"
      "    r{i0}{i1} := M[i0][i1]\n" },
    { "a.3", "q", "comm",
      "parfor i0 < n\n"
      "  (pairAcc1 r){i0} := (fst q)[i0]\n"
      "parfor i1 < m\n"
      "  (pairAcc2 r){i1} := (snd q)[i1]\n" },
    { "a.4", "-x", "comm",
      "r := neg(x)\n" },
    { "a.5", "x + y", "comm",
      "r := (x + y)\n" },
    { "a.6", "x * y", "comm",
      "r := (x * y)\n" },
    { "a.7", "mapSeq (fun u -> u * u) a", "comm",
      "for i0 < n\n"
      "  r{i0} := (a[i0] * a[i0])\n" },
    { "a.8", "mapPar (fun u -> u * u) a", "comm",
      "parfor i0 < n\n"
      "  r{i0} := (a[i0] * a[i0])\n" },
    { "a.9", "reduceSeq (+) x a", "comm",
      "new v0 : num\n"
      "v0 := x\n"
      "for i1 < n\n"
      "  v0 := (a[i1] + v0)\n"
      "r := v0\n" },
    { "a.9 in place", "reduceSeq (fun u v -> mapSeq (+) (zip u v)) a M", "comm",
      "new v0 : n.num\n"
      "for i1 < n\n"
      "  v0{i1} := a[i1]\n"
      "for i1 < m\n"
      "  for i2 < n\n"
      "    v0{i2} := ((fst (zip M[i1] v0)[i2]) + (snd (zip M[i1] v0)[i2]))\n"
      "parfor i3 < n\n"
      "  r{i3} := v0[i3]\n" },
    { "a.9 with a second buffer", "reduceSeq (fun u v -> mapSeq (fun w -> w + u) (reverse v)) b a", "comm",
      "new v0 : n.num\n"
      "for i1 < n\n"
      "  v0{i1} := b[i1]\n"
      "for i1 < n\n"
      "  new v2 : n.num\n"
      "  for i3 < n\n"
      "    v2{i3} := ((reverse v0)[i3] + a[i1])\n"
      "  for i4 < n\n"
      "    v0{i4} := v2[i4]\n"
      "parfor i4 < n\n"
      "  r{i4} := v0[i4]\n" },
    { "a.10", "zip a b", "comm",
      "parfor i0 < n\n"
      "  (zipAcc1 r){i0} := a[i0]\n"
      "parfor i1 < n\n"
      "  (zipAcc2 r){i1} := b[i1]\n" },
    { "a.11", "split n s", "comm",
      "parfor i0 < n*m\n"
      "  (splitAcc r){i0} := s[i0]\n" },
    { "a.11 of a loop", "split n (mapPar neg s)", "comm",
      "parfor i0 < n*m\n"
      "  (splitAcc r){i0} := neg(s[i0])\n" },
    { "a.12", "join (mapPar (fun u -> u) M)", "comm",
      "parfor i0 < m\n"
      "  parfor i1 < n\n"
      "    (joinAcc r){i0}{i1} := M[i0][i1]\n" },
    { "a.13", "(x, a)", "comm",
      "(pairAcc1 r) := x\n"
      "parfor i0 < n\n"
      "  (pairAcc2 r){i0} := a[i0]\n" },
    { "a.14", "fst p", "comm",
      "r := (fst p)\n" },
    { "a.15", "snd q", "comm",
      "parfor i0 < m\n"
      "  r{i0} := (snd q)[i0]\n" },
    { "a.gen", "generatePar n (fun i -> a[i])", "comm",
      "parfor i0 < n\n"
      "  r{i0} := a[i0]\n" },
    { "a.rev", "reverse (mapSeq neg a)", "comm",
      "for i0 < n\n"
      "  (reverseAcc r){i0} := neg(a[i0])\n" },
    { "a.tr", "transpose (mapSeq (fun u -> u) M)", "comm",
      "for i0 < m\n"
      "  parfor i1 < n\n"
      "    (transposeAcc r){i0}{i1} := M[i0][i1]\n" },
    { "a.ite", "generateSeq n (fun i -> if i < 3 then a[i] else x)", "comm",
      "for i0 < n\n"
      "  if i0 < 3\n"
      "    r{i0} := a[i0]\n"
      "  else\n"
      "    r{i0} := x\n" },
    { "a.let", "let u = x + y in u * u", "comm",
      "new v0 : num\n"
      "v0 := (x + y)\n"
      "r := (v0 * v0)\n" },
    { "a.fold", "reduceSeq (fun i v -> v + a[i]) x (iota n)", "comm",
      "new v0 : num\n"
      "v0 := x\n"
      "for i1 < n\n"
      "  v0 := (v0 + a[i1])\n"
      "r := v0\n" },
    { "a.idx", "generateSeq n (fun i -> b[n - 1 - i])", "comm",
      "for i0 < n\n"
      "  r{i0} := b[((n - 1) - i0)]\n" },
    { "c.1", "reduceSeq (+) 0 a", "comm",
      "new v0 : num\n"
      "v0 := 0x0p+0\n"
      "for i1 < n\n"
      "  v0 := (a[i1] + v0)\n"
      "r := v0\n" },
    { "c.2", "sqrt (-x)", "comm",
      "r := sqrt(neg(x))\n" },
    { "c.3", "-(x + y)", "comm",
      "r := neg((x + y))\n" },
    { "c.4", "-(x * y)", "comm",
      "r := neg((x * y))\n" },
    { "c.5", "reduceSeq (+) 0 (mapPar neg a)", "comm",
      "new v0 : n.num\n"
      "parfor i1 < n\n"
      "  v0{i1} := neg(a[i1])\n"
      "new v2 : num\n"
      "v2 := 0x0p+0\n"
      "for i3 < n\n"
      "  v2 := (v0[i3] + v2)\n"
      "r := v2\n" },
    { "c.6", "reduceSeq (+) 0 (mapSeq neg a)", "comm",
      "new v0 : n.num\n"
      "for i1 < n\n"
      "  v0{i1} := neg(a[i1])\n"
      "new v2 : num\n"
      "v2 := 0x0p+0\n"
      "for i3 < n\n"
      "  v2 := (v0[i3] + v2)\n"
      "r := v2\n" },
    { "c.7", "x + (reduceSeq (+) 0 a)", "comm",
      "new v0 : num\n"
      "v0 := 0x0p+0\n"
      "for i1 < n\n"
      "  v0 := (a[i1] + v0)\n"
      "r := (x + v0)\n" },
    { "c.8", "mapSeq (+) (zip a b)", "comm",
      "for i0 < n\n"
      "  r{i0} := ((fst (zip a b)[i0]) + (snd (zip a b)[i0]))\n" },
    { "c.9", "mapSeq (fun u -> reduceSeq (+) 0 u) (split n s)", "comm",
      "for i0 < m\n"
      "  new v1 : num\n"
      "  v1 := 0x0p+0\n"
      "  for i2 < n\n"
      "    v1 := ((split n s)[i0][i2] + v1)\n"
      "  r{i0} := v1\n" },
    { "c.10", "mapSeq neg (join M)", "comm",
      "for i0 < n*m\n"
      "  r{i0} := neg((join n M)[i0])\n" },
    { "c.11", "fst (pair x y)", "comm",
      "r := (fst (pair x y))\n" },
    { "c.12", "-(fst p)", "comm",
      "r := neg((fst p))\n" },
    { "c.13", "mapSeq neg (snd q)", "comm",
      "for i0 < m\n"
      "  r{i0} := neg((snd q)[i0])\n" },
    { "c.rev", "mapSeq neg (reverse a)", "comm",
      "for i0 < n\n"
      "  r{i0} := neg((reverse a)[i0])\n" },
    { "c.tr", "mapSeq (fun u -> u) (transpose M)", "comm",
      "for i0 < n\n"
      "  parfor i1 < m\n"
      "    r{i0}{i1} := (transpose M)[i0][i1]\n" },
    { "c.ite", "mapSeq (fun u -> (select(n < m, u, x)) + y) a", "comm",
      "for i0 < n\n"
      "  r{i0} := ((if n < m then a[i0] else x) + y)\n" },
    { "c.idx", "generateSeq n (fun i -> a[i] + b[i])", "comm",
      "for i0 < n\n"
      "  r{i0} := (a[i0] + b[i0])\n" },
    { "c.gen", "reduceSeq (+) 0 (generateSeq n (fun i -> a[i]))", "comm",
      "new v0 : n.num\n"
      "for i1 < n\n"
      "  v0{i1} := a[i1]\n"
      "new v2 : num\n"
      "v2 := 0x0p+0\n"
      "for i3 < n\n"
      "  v2 := (v0[i3] + v2)\n"
      "r := v2\n" },
    { "c.fold", "-(reduceSeq (fun i v -> v + a[i]) 0 (iota n))", "comm",
      "new v0 : num\n"
      "v0 := 0x0p+0\n"
      "for i1 < n\n"
      "  v0 := (v0 + a[i1])\n"
      "r := neg(v0)\n" },
    { "c.let", "-(let u = x + y in u * u)", "comm",
      "new v0 : num\n"
      "v0 := (x + y)\n"
      "r := neg((v0 * v0))\n" },
    { "cgc.1", "reduceSeq (fun u v -> v) x a", "c",
      "float v0;\n"
      "v0 = x;\n"
      "for (long i1 = 0; i1 < n; i1++) {\n"
      "}\n"
      "r = v0;\n" },
    { "cgc.2", "(x, y)", "c",
      "r.x1 = x;\n"
      "r.x2 = y;\n" },
    { "cgc.3", "x", "c",
      "r = x;\n" },
    { "cgc.4", "reduceSeq (+) 0 (mapSeq neg a)", "c",
      "float v0[n];\n"
      "for (long i1 = 0; i1 < n; i1++) {\n"
      "    v0[i1] = -a[i1];\n"
      "}\n"
      "float v2;\n"
      "v2 = 0.0f;\n"
      "for (long i3 = 0; i3 < n; i3++) {\n"
      "    v2 = v0[i3] + v2;\n"
      "}\n"
      "r = v2;\n" },
    { "cgc.5", "mapSeq neg a", "c",
      "for (long i0 = 0; i0 < n; i0++) {\n"
      "    r[i0] = -a[i0];\n"
      "}\n" },
    { "cgc.6", "mapPar neg a", "c",
      "#pragma omp parallel for\n"
      "for (long i0 = 0; i0 < n; i0++) {\n"
      "    r[i0] = -a[i0];\n"
      "}\n" },
    { "cga.1", "x", "c",
      "r = x;\n" },
    { "cga.2 cga.3", "zip a b", "c",
      "#pragma omp parallel for\n"
      "for (long i0 = 0; i0 < n; i0++) {\n"
      "    r[i0].x1 = a[i0];\n"
      "}\n"
      "#pragma omp parallel for\n"
      "for (long i1 = 0; i1 < n; i1++) {\n"
      "    r[i1].x2 = b[i1];\n"
      "}\n" },
    { "cga.4", "split n (mapPar neg s)", "c",
      "#pragma omp parallel for\n"
      "for (long i0 = 0; i0 < n * m; i0++) {\n"
      "    r[i0 / n][i0 % n] = -s[i0];\n"
      "}\n" },
    { "cga.5", "join (mapPar (fun u -> u) M)", "c",
      "#pragma omp parallel for\n"
      "for (long i0 = 0; i0 < m; i0++) {\n"
      "    #pragma omp parallel for\n"
      "    for (long i1 = 0; i1 < n; i1++) {\n"
      "        r[i0 * n + i1] = M[i0][i1];\n"
      "    }\n"
      "}\n" },
    { "cga.6", "mapSeq (fun u -> u) M", "c",
      "for (long i0 = 0; i0 < m; i0++) {\n"
      "    #pragma omp parallel for\n"
      "    for (long i1 = 0; i1 < n; i1++) {\n"
      "        r[i0][i1] = M[i0][i1];\n"
      "    }\n"
      "}\n" },
    { "cga.7 cga.8", "(x, a)", "c",
      "r.x1 = x;\n"
      "#pragma omp parallel for\n"
      "for (long i0 = 0; i0 < n; i0++) {\n"
      "    r.x2[i0] = a[i0];\n"
      "}\n" },
    { "cga.2 cga.6 cga.7", "zip (zip a b) (mapPar neg a)", "c",
      "#pragma omp parallel for\n"
      "for (long i0 = 0; i0 < n; i0++) {\n"
      "    r[i0].x1.x1 = a[i0];\n"
      "}\n"
      "#pragma omp parallel for\n"
      "for (long i1 = 0; i1 < n; i1++) {\n"
      "    r[i1].x1.x2 = b[i1];\n"
      "}\n"
      "#pragma omp parallel for\n"
      "for (long i2 = 0; i2 < n; i2++) {\n"
      "    r[i2].x2 = -a[i2];\n"
      "}\n" },
    { "cge.1", "a", "c",
      "#pragma omp parallel for\n"
      "for (long i0 = 0; i0 < n; i0++) {\n"
      "    r[i0] = a[i0];\n"
      "}\n" },
    { "cge.2", "-x", "c",
      "r = -x;\n" },
    { "cge.3", "x + y + x", "c",
      "r = x + y + x;\n" },
    { "cge.4", "x * (y + x)", "c",
      "r = x * (y + x);\n" },
    { "cge.5 cge.6", "mapPar (fun (u, v) -> u * v) (zip a b)", "c",
      "#pragma omp parallel for\n"
      "for (long i0 = 0; i0 < n; i0++) {\n"
      "    r[i0] = a[i0] * b[i0];\n"
      "}\n" },
    { "cge.7", "generateSeq n (fun i -> a[n - 1 - i])", "c",
      "for (long i0 = 0; i0 < n; i0++) {\n"
      "    r[i0] = a[n - 1 - i0];\n"
      "}\n" },
    { "cge.8", "mapSeq (fun u -> reduceSeq (+) 0 u) (split n s)", "c",
      "for (long i0 = 0; i0 < m; i0++) {\n"
      "    float v1;\n"
      "    v1 = 0.0f;\n"
      "    for (long i2 = 0; i2 < n; i2++) {\n"
      "        v1 = s[i0 * n + i2] + v1;\n"
      "    }\n"
      "    r[i0] = v1;\n"
      "}\n" },
    { "cge.9", "mapSeq neg (join M)", "c",
      "for (long i0 = 0; i0 < n * m; i0++) {\n"
      "    r[i0] = -M[i0 / n][i0 % n];\n"
      "}\n" },
    { "cge.10 cge.11", "fst (pair x y) + snd (pair x y)", "c",
      "r = x + y;\n" },
    { "cge.12", "-(fst p)", "c",
      "r = -p.x1;\n" },
    { "cge.13", "mapSeq neg (snd q)", "c",
      "for (long i0 = 0; i0 < m; i0++) {\n"
      "    r[i0] = -q.x2[i0];\n"
      "}\n" },
};

static void check(const char *rule, const char *exp, const char *stage, const char *want)
{
    struct emit_options o = { .numbering = true };
    struct prog p;
    struct text t;
    struct diag d;
    char src[512];

    diag_clear(&d);
    text_init(&t, &mem);
    snprintf(src, sizeof src, IN "%s", exp);
    CU_ASSERT(dpia_parse(&p, &mem, &strs, rule, src, strlen(src), NULL, 0, &d) == CALQUE_OK);
    if (d.text[0] || emit_dump_prog(&t, &p, stage, &o, &d) != CALQUE_OK || strcmp(t.a, want) != 0) {
        fprintf(stderr, "%s: %s\n%s%s\nexpected\n%s", rule, exp, d.text, t.a ? t.a : "", want);
        CU_FAIL("rule");
    }
    text_free(&t);
    prog_free(&p);
}

static void test_rules(void)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        check(rules[i].rule, rules[i].exp, rules[i].stage, rules[i].want);
}

static const struct unit_case cases[] = {
    { "rules", test_rules },
};

int main(void)
{
    int status;

    strs_init(&strs, &mem);
    status = unit_main("dpia_rules", cases, UNIT_COUNT(cases));
    strs_free(&strs);
    return status;
}
