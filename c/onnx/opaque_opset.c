/* A model at another opset: operators with a meaning have a form at each; those carried as bytes have not. */
#include "onnx/onnx_internal.h"

#include <string.h>

/* Is the bytes' operator of the default domain? */
static bool is_onnx(const struct raw *bytes)
{
    struct wire w = {bytes->a, bytes->a + bytes->n};
    struct wire_field f;

    while (w.at < w.end && wire_next(&w, &f))
        if (f.number == 7 && f.type == WIRE_LEN && f.n > 0 && !(f.n == 7 && memcmp(f.data, "ai.onnx", 7) == 0))
            return false;
    return true;
}

enum calque_status onnx_convert(struct graph *g, int opset, struct diag *d)
{
    char s[ONNX_SHOW];

    if (opset < 1 || opset > ONNX_OPSET_KNOWN)
        return diag_set(d, CALQUE_BAD, "", 0, 0, "opset %d is not one of 1 to %d", opset, ONNX_OPSET_KNOWN);
    for (int i = 0; i < g->node.n && opset != g->opset; i++) {
        const struct node *x = &g->node.a[i];
        size_t len;
        const char *type;

        if (x->kind != NODE_OP || x->op != OP_Opaque || !is_onnx(&g->raw.a[x->data]))
            continue;
        type = graph_opaque_type(g, i, &len);
        return diag_set(d, CALQUE_BAD, "", 0, 0,
                        "the model cannot be converted to opset %d: node '%s' (%.*s) has no meaning here and stays as it is", opset,
                        onnx_show(s, x->label >= 0 ? strs_text(g->strs, x->label) : graph_name(g, i)),
                        len < 64 ? (int)len : 64, type);
    }
    g->opset = opset;
    return CALQUE_OK;
}

bool onnx_has_form(int op, int opset)
{
    return (op_info(op)->traits & OP_CALQUE) || onnx_form_find(op, opset);
}
