#include "attr/value.h"
#include "base/strs.h"
#include "base/text.h"

/* Recursion is bounded by VALUE_DEPTH_MAX. */
void value_print(struct text *t, const struct values *vs, const struct strs *strs, int id)
{
    const struct value *v = &vs->v[id];

    switch (v->kind) {
    case VALUE_NONE:
        text_puts(t, "none");
        break;
    case VALUE_BOOL:
        text_puts(t, v->num ? "true" : "false");
        break;
    case VALUE_INT:
        text_printf(t, "%ld", v->num);
        break;
    case VALUE_FLOAT:
        text_hex(t, value_real(vs, id));
        break;
    case VALUE_STR:
        text_quote(t, strs_text(strs, (int)v->num), (size_t)strs_len(strs, (int)v->num));
        break;
    default:
        text_puts(t, "(tuple");
        for (int k = 0; k < v->len; k++) {
            text_puts(t, " ");
            value_print(t, vs, strs, vs->pool[v->first + k]);
        }
        text_puts(t, ")");
    }
}
