#include "pattern/unknown.h"

#include <string.h>

#include "onnx/opaque.h"
#include "tensor/op.h"

int rule_unknown(const struct rule *r)
{
    for (int p = 0; p < r->pattern.n; p++)
        if (r->pattern.a[p].kind == PATTERN_CALL && r->pattern.a[p].op == OP_Opaque)
            return p;
    return -1;
}

const char *rule_unknown_name(const struct rules *rs, const struct rule *r, int p)
{
    const struct pattern *q = &r->pattern.a[p];

    for (int k = q->attr; k < q->attr + q->nattr; k++)
        if (strcmp(strs_text(rs->strs, r->attr.a[k].label), OPAQUE_NAME) == 0)
            return strs_text(rs->strs, (int)rs->values->v[r->attrs.node.a[r->attr.a[k].expr].a].num);
    return "";
}
