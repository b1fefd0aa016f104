#include "rewrite/splice.h"

#include "rewrite/library.h"
#include "rewrite/splice_find.h"
#include "rewrite/splice_put.h"
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

/* ---- the check ---- */

enum calque_status splice_check(struct splice *s, const struct matcher *m, const int *root, int first, struct diag *d)
{
    struct early_view v;
    struct early_end e;

    s->early.n = 0;
    if (!walk_room(&s->walk, s->g->mem, first) || !vec_room(s->g->mem, &s->early, first))
        return diag_nomem(d);
    v = (struct early_view){
        .r = { .g = { .node = s->g->node.a, .in = s->g->in.a, .use = s->uses->node.a, .n = first }, .place = m->place.a,
               .seen = s->walk.seen.a, .work = s->walk.work.a, .stamp = s->walk.stamp },
        .total = s->g->node.n, .outs = m->outs.a, .root = root, .nouts = m->outs.n,
    };
    e = splice_find(v, s->early.a);
    s->walk.stamp = e.stamp;
    s->early.n = e.hit < 0 ? e.done : 0;
    return e.hit < 0 ? CALQUE_OK : CALQUE_NO;
}

/* ---- provenance ---- */

/* What a matched node is called: its ONNX node name, value name or operator, and where it came from. */
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

/* "rule [class, theorem]: label, label": the applications the match replaces, by address. String id, or -1. */
static int origin(const struct splice *s, const struct matcher *m)
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

/* ---- the substitution ---- */

enum calque_status splice_commit(struct splice *s, const struct matcher *m, const int *root, int first, struct diag *d)
{
    struct graph *g = s->g;
    struct list_view l = { .early = s->early.a, .nearly = s->early.n, .first = first, .n = g->node.n };
    int from = origin(s, m);

    s->list.n = 0;
    if (from < 0 || !vec_room(g->mem, &s->list, l.nearly + (l.n - first) + 1)) /* one more: an array even when nothing is new */
        return diag_nomem(d);
    l.list = s->list.a;
    return splice_put(s->uses, g, s->early.a, l, m->outs.a, root, m->outs.n, from, d);
}
