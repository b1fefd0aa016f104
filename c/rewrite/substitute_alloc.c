/* Memory of substitutions, and the text that says where new nodes come from. Trusted: the proofs of substitute.c rest on the
   contracts. */
#include "rewrite/library.h"
#include "rewrite/substitute.h"
#include "tensor/op.h"

enum { ORIGIN_MAX = 512 };

void splice_free(struct splice *s)
{
    walk_free(&s->walk);
    ints_free(&s->list);
    mem_free(s->early.a);
    s->early.a = NULL;
    s->early.n = s->early.cap = 0;
}

enum calque_status splice_room(struct splice *s, int first, struct diag *d)
{
    struct mem *mem = s->g->mem;

    s->early.n = s->list.n = 0;
    if (walk_room(&s->walk, mem, first) && vec_room(mem, &s->early, first) && vec_room(mem, &s->list, s->g->node.n))
        return CALQUE_OK;
    return diag_nomem(d);
}

/* ---- provenance ---- */

/* What a matched node is called: its ONNX node name, value name or operator, and where it came from. */
/*@ requires node:     \valid(t) && \valid_read(g) && 0 <= node < g->node.n && \valid_read(g->node.a + node);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, { *p | char *p; \true };
    ensures  longer:   t->n >= \old(t->n);
*/
static void put_label(struct text *t, const struct graph *g, int node)
{
    const struct node *nd = &g->node.a[node];

    if (nd->label >= 0 && strs_len(g->strs, nd->label) > 0)
        text_puts(t, strs_text(g->strs, nd->label));
    else if (nd->name >= 0)
        text_puts(t, strs_text(g->strs, nd->name));
    else
        text_puts(t, nd->kind == NODE_OP ? op_info(nd->op)->name : nd->kind == NODE_TUPLE ? "tuple" : "projection");
    if (nd->origin >= 0)
        text_printf(t, " (%s)", strs_text(g->strs, nd->origin));
}

/* "rule [class, theorem]: label, label": the applications the match replaces, by address. */
int splice_origin(const struct splice *s, const struct matcher *m)
{
    const struct rule *r = &m->rules->rule.a[m->rule];
    struct match_entry *sorted = match_sorted(m);
    const char *theorem = library_theorem(m->rules, m->rule);
    struct text t;
    int id = -1, n = 0;

    if (!sorted)
        return -1;
    text_init(&t, s->g->mem);
    text_printf(&t, "%s [%s, %s]: ", rules_name(m->rules, m->rule), rules_class(m->rules, m->rule),
                theorem ? theorem : "not proved");
    for (int k = 0; k < m->entry.n && t.n <= ORIGIN_MAX; k++) {
        const struct match_entry *e = &sorted[k];
        if (e->kind != ENTRY_NODE || e->node < 0 || !match_application(r, e->pattern))
            continue;
        text_puts(&t, n++ > 0 ? ", " : "");
        put_label(&t, s->g, e->node);
    }
    if (!t.failed)
        id = strs_append(s->g->strs, t.a, (size_t)(t.n > ORIGIN_MAX ? ORIGIN_MAX : t.n));
    text_free(&t);
    mem_free(sorted);
    return id;
}
