#include "rewrite/splice.h"

enum calque_status splice_check(struct splice *s, const struct matcher *m, const int *root, int first)
{
    struct early_view v = {
        .r = { .g = { .node = s->g->node.a, .in = s->g->in.a, .use = s->uses->node.a, .n = first }, .place = m->place.a,
               .seen = s->walk.seen.a, .work = s->walk.work.a, .stamp = s->walk.stamp },
        .total = s->g->node.n, .outs = m->outs.a, .root = root, .nouts = m->outs.n,
    };
    struct early_end e = splice_find(v, s->early.a);

    /*@ ghost Found: ; */
    /*@ assert found: e.hit < 0 ==> keys_found(v, s->early.a, e.done); */
    s->walk.stamp = e.stamp;
    s->walk.seen.n = first; /* nodes from there on get stamps anew */
    s->early.n = e.hit < 0 ? e.done : 0;
    /*@ assert read: same_read{Found,Here}(v); */
    /*@ assert keys: e.hit < 0 ==> same_keys{Found,Here}(s->early.a, e.done); */
    /*@ assert still: e.hit < 0 ==> keys_found(v, s->early.a, s->early.n); */
    /*@ assert outs: m->outs.n == v.nouts && m->outs.a == v.outs; */
    /*@ assert total: s->g->node.n == v.total && s->g->node.a == v.r.g.node && s->g->in.a == v.r.g.in; */
    /*@ assert dag: v.r.g == checked_dag(s, first); */
    /*@ assert one: one_check(v, early_of(s, m, root, first)); */
    /*@ assert all: e.hit < 0 ==> keys_found(early_of(s, m, root, first), s->early.a, s->early.n); */
    return e.hit < 0 ? CALQUE_OK : CALQUE_NO;
}

enum calque_status splice_commit(struct splice *s, const struct matcher *m, const int *root, int first, int from,
                                 struct diag *d)
{
    struct list_view l = { .early = s->early.a, .nearly = s->early.n, .first = first, .n = s->g->node.n, .list = s->list.a };
    /*@ ghost struct early_view e = {
            .r = { .g = { .node = s->g->node.a, .in = s->g->in.a, .use = s->uses->node.a, .n = first }, .place = m->place.a,
                   .seen = s->walk.seen.a, .work = s->walk.work.a, .stamp = s->walk.stamp },
            .total = s->g->node.n, .outs = m->outs.a, .root = root, .nouts = m->outs.n,
        }; */

    /*@ assert list: l == list_of(s, first); */
    /*@ assert check: e == early_of(s, m, root, first); */
    return splice_put(s->uses, s->g, s->early.a, l, m->outs.a, root, m->outs.n, from, d) /*@ ghost (e) */;
}
