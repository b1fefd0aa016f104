/* What reading a model of onnx_spec.h gives, for the unit tests. */
#ifndef CALQUE_TESTS_ONNX_ONNX_EXPECT_H
#define CALQUE_TESTS_ONNX_ONNX_EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onnx/onnx.h"
#include "onnx_spec.h"
#include "unit.h"
#include "graph/world.h"

/* The graph text of a model, or its error; free with free. */
static inline char *text_of(int opset, const char *spec)
{
    struct world w;
    struct graph g;
    struct text t;
    size_t n;
    unsigned char *b = spec_model(opset, spec, &n);
    char *s;

    world_init(&w);
    world_graph(&w, &g);
    text_init(&t, &w.mem);
    if (onnx_read(&g, "t.onnx", b, n, &w.d) != CALQUE_OK) {
        text_printf(&t, "%s: error: %s", w.d.file, w.d.text);
        CU_ASSERT_EQUAL(g.node.n, 0);
    } else {
        CU_ASSERT_EQUAL(graph_check(&g, &w.d), CALQUE_OK);
        graph_text_write(&t, &g);
    }
    s = malloc((size_t)t.n + 1);
    memcpy(s, t.a, (size_t)t.n + 1);
    text_free(&t);
    graph_free(&g);
    world_free(&w);
    free(b);
    return s;
}

/* The text holds every one of the lines (separated by `|`). */
static inline void expect(int opset, const char *spec, const char *lines)
{
    char *got = text_of(opset, spec), *want = malloc(strlen(lines) + 1);

    strcpy(want, lines);
    for (char *l = strtok(want, "|"); l; l = strtok(NULL, "|"))
        if (!strstr(got, l)) {
            fprintf(stderr, "opset %d: %s\nwant: %s\ngot:\n%s\n", opset, spec, l, got);
            CU_FAIL("the text differs");
        } else {
            CU_PASS("found");
        }
    free(want);
    free(got);
}

/* Memory ends at every point of reading in turn. */
static inline void fail_after(int opset, const char *spec)
{
    size_t n;
    unsigned char *b = spec_model(opset, spec, &n);
    enum calque_status st = CALQUE_NOMEM;
    long k = 0;

    for (; st == CALQUE_NOMEM && k < 100000; k++) {
        struct world w;
        struct graph g;
        world_init(&w);
        world_graph(&w, &g);
        w.mem.fail_after = k;
        st = onnx_read(&g, "t.onnx", b, n, &w.d);
        CU_ASSERT_EQUAL(w.d.status, st);
        if (st)
            CU_ASSERT_EQUAL(g.node.n, 0);
        graph_free(&g);
        world_free(&w);
    }
    CU_ASSERT_EQUAL(st, CALQUE_OK);
    CU_ASSERT(k > 100);
    free(b);
}

#endif
