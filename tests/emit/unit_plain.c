/* Plain C of whole models: what is refused, with the node; names; failing allocations. The text itself is compared with the
   oracle's (plain_model.sh). */
#include "models.h"

#include "emit/module.h"

/* The status of the graph with these lines, and its message in d. */
static enum calque_status plain(const char *lines, const char *name, struct diag *d)
{
    struct emit_options o = { .name = name, .plain = true };
    struct emit_files files;
    enum calque_status st;
    struct world w;
    char text[1024];

    snprintf(text, sizeof text, "graph g {\n%s}\n", lines);
    open_world(&w, text);
    diag_clear(d);
    st = emit_plain(&w.g, &o, &files, d);
    CU_ASSERT(files.file.n == (st == CALQUE_OK) && (st != CALQUE_OK || files.file.a[0].n > 0));
    emit_files_free(&files);
    close_world(&w);
    return st;
}

static void refused(const char *lines, const char *why)
{
    struct diag d;

    CU_ASSERT(plain(lines, NULL, &d) == CALQUE_BAD);
    if (!strstr(d.text, why)) {
        fprintf(stderr, "%s\nis refused: %s, not: %s\n", lines, d.text, why);
        CU_FAIL("another reason");
    }
}

static void test_refused(void)
{
    refused("input x : f32[2]\nreturn Cast(x, to=10)\n", "node 1 (Cast): its type is unknown, or none of f32, f64, i32, i64, i8, u8, bool");
    refused("input x : f32[4]\nconst i : i64[2] = [3, 4]\nreturn Gather(x, i, axis=0)\n", "node 2 (Gather): it has no kernel");
    refused("input x : f16[2]\nreturn Relu(x)\n", "node 0: its type is unknown");
}

static void test_taken(void)
{
    struct diag d;

    CU_ASSERT(plain("input x : i64[2]\nreturn Abs(Div(x, x))\n", NULL, &d) == CALQUE_OK);
    CU_ASSERT(plain("input x : f32[2]\nreturn x\n", NULL, &d) == CALQUE_OK);
    CU_ASSERT(plain("input x : i64[2]\ninput y : f32[2]\nreturn Div(x, x), Abs(y)\n", NULL, &d) == CALQUE_OK);
    CU_ASSERT(plain("input x : f32[2, 0]\nreturn Relu(x)\n", NULL, &d) == CALQUE_OK);
    CU_ASSERT(plain("input x : f32[2, 2]\ns = Split(x, axis=0, split=(2,0))\nreturn s[0], s[1]\n", NULL, &d) == CALQUE_OK);
    CU_ASSERT(plain("input x : f32[4]\ninput i : i64[2]\nreturn Gather(x, i, axis=0)\n", NULL, &d) == CALQUE_OK);
    CU_ASSERT(plain("input x : f32[4, 0]\ninput i : i32[]\nreturn Gather(x, i, axis=0)\n", NULL, &d) == CALQUE_OK);
    CU_ASSERT(plain("input x : f32[2]\nreturn Cast(Cast(x, to=7), to=9)\n", NULL, &d) == CALQUE_OK);
    CU_ASSERT(plain("input x : f32[2]\nreturn Relu(x)\n", "float", &d) == CALQUE_BAD);
}

/* Every k-th allocation fails: memory is out, or it was not needed. */
static void fails(const char *text)
{
    struct emit_options o = { .plain = true };
    struct world w;
    struct diag d;
    enum calque_status st = CALQUE_NOMEM;
    long k = 0;

    open_world(&w, text);
    for (; st != CALQUE_OK && k < 100000; k = k < 200 ? k + 1 : k + k / 20) {
        struct emit_files files;
        w.mem.fail_after = k;
        diag_clear(&d);
        st = emit_plain(&w.g, &o, &files, &d);
        w.mem.fail_after = -1;
        CU_ASSERT(st == CALQUE_OK || st == CALQUE_NOMEM);
        emit_files_free(&files);
    }
    CU_ASSERT(st == CALQUE_OK && k > 50);
    close_world(&w);
}

static void test_allocation(void)
{
    fails("graph g {\ninput x : f32[2,3]\ninput i : i64[4]\nconst c : f32[3] = [1, 2, 3]\ns = Split(Add(x, c), axis=1, split=(1,2))\n"
          "return Softmax(s[1], axis=1), s[0], Gather(x, i, axis=0)\n}\n");
    fails(fire);
}

static const struct unit_case cases[] = {
    { "refused, with the node and the reason", test_refused },
    { "taken", test_taken },
    { "failing allocations", test_allocation },
};

int main(void)
{
    return unit_main("emit_plain", cases, UNIT_COUNT(cases));
}
