/* Names for unnamed nodes. Invariant: no two nodes have one name, and names that are there stay. */
#include "graph/names.h"

#include "graph/graph_accessors.h"

void names_of_nodes(const struct node *node, int n, int *name, unsigned char *used) /*@ ghost (int nstrs) */
{
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant same:  \forall integer j; 0 <= j < n ==> node[j].name == \at(node[j].name, Pre);
        loop invariant names: \forall integer j; 0 <= j < i ==> name[j] == \at(node[j].name, Pre);
        loop invariant bits:  \forall integer s; 0 <= s < nstrs ==> 0 <= used[s] <= 1;
        loop invariant used:  \forall integer s; 0 <= s < nstrs ==> (used[s] == 1 <==> node_named{Pre}(node, i, s));
        loop assigns i, name[0 .. n - 1], used[0 .. nstrs - 1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        int s = node[i].name;

        name[i] = s;
        if (s >= 0)
            used[s] = 1;
    }
}

void names_of_outputs(const struct graph_output *out, int nout, int *name, unsigned char *used) /*@ ghost (int n, int nstrs) */
{
    /*@ loop invariant range:  0 <= k <= nout;
        loop invariant nodes:  \forall integer j; 0 <= j < nout ==> out[j].node == \at(out[j].node, Pre);
        loop invariant same:   \forall integer j; 0 <= j < nout ==> out[j].name == \at(out[j].name, Pre);
        loop invariant bits:   \forall integer s; 0 <= s < nstrs ==> 0 <= used[s] <= 1;
        loop invariant used:   \forall integer s; 0 <= s < nstrs ==>
                               (used[s] == 1 <==> \at(used[s], Pre) == 1 || output_named{Pre}(out, k, s));
        loop invariant names:  \forall integer i; 0 <= i < n ==> gets_name{Pre,Here}(out, k, name, used, i) ||
                               keeps_name{Pre,Here}(out, k, name, used, i);
        loop invariant named:  \forall integer i; 0 <= i < n ==> gets_name{Pre,Here}(out, k, name, used, i) ==> 0 <= name[i];
        loop assigns k, name[0 .. n - 1], used[0 .. nstrs - 1];
        loop variant nout - k;
    */
    for (int k = 0; k < nout; k++) {
        int x = out[k].node, s = out[k].name;
        /*@ ghost Top: ; */

        if (name[x] < 0 && !used[s]) {
            /*@ assert free:   offers{Pre}(out, name, used, x, k); */
            name[x] = s;
            /*@ assert first:  first_offers{Pre}(out, k + 1, name, used, x, k); */
        }
        used[s] = 1;
        /*@ assert had:    gets_name{Pre,Top}(out, k, name, used, x) ==> name[x] == \at(name[x], Top); */
        /*@ assert got:    gets_name{Pre,Top}(out, k, name, used, x) ==> gets_name{Pre,Here}(out, k + 1, name, used, x); */
        /*@ assert when:   keeps_name{Pre,Top}(out, k, name, used, x) ==>
                           (offers{Pre}(out, name, used, x, k) <==> \at(name[x], Top) < 0 && \at(used[s], Top) == 0); */
        /*@ assert new:    keeps_name{Pre,Top}(out, k, name, used, x) ==> offers{Pre}(out, name, used, x, k) ==>
                           gets_name{Pre,Here}(out, k + 1, name, used, x); */
        /*@ assert kept:   keeps_name{Pre,Top}(out, k, name, used, x) ==> !offers{Pre}(out, name, used, x, k) ==>
                           name[x] == \at(name[\at(x, Here)], Pre); */
        /*@ assert none:   keeps_name{Pre,Top}(out, k, name, used, x) ==> !offers{Pre}(out, name, used, x, k) ==>
                           none_offers{Pre}(out, k + 1, name, used, x); */
        /*@ assert mine:   gets_name{Pre,Here}(out, k + 1, name, used, x) || keeps_name{Pre,Here}(out, k + 1, name, used, x); */
        /*@ assert others: \forall integer i; 0 <= i < n ==> i != x ==> name[i] == \at(name[i], Top); */
        /*@ assert rest:   \forall integer i; 0 <= i < n ==> i != x ==> gets_name{Pre,Here}(out, k + 1, name, used, i) ||
                           keeps_name{Pre,Here}(out, k + 1, name, used, i); */
    }
}

/* Names for unnamed nodes. Invariant: no two nodes have one name, and names that are there stay. */
bool names_init(struct names *ns, const struct graph *g)
{
    ns->g = g;
    ns->nstrs = g->strs->entry.n;
    ns->name = mem_resize(g->mem, NULL, (size_t)g->node.n, sizeof *ns->name);
    ns->used = mem_zero(g->mem, (size_t)ns->nstrs, 1);
    if (!ns->name || !ns->used) {
        names_free(ns);
        return false;
    }
    names_of_nodes(g->node.a, g->node.n, ns->name, ns->used) /*@ ghost (ns->nstrs) */;
    names_of_outputs(g->output.a, g->output.n, ns->name, ns->used)
        /*@ ghost (g->node.n, ns->nstrs) */;
    return true;
}

/*@ requires valid:    \valid(ns);
    terminates \true;
    exits    never:    \false;
    assigns  ns->name, ns->used;
    ensures  none:     ns->name == \null && ns->used == \null;
*/
void names_free(struct names *ns)
{
    mem_free(ns->name);
    mem_free(ns->used);
    ns->name = NULL;
    ns->used = NULL;
}

void names_put(const struct names *ns, int node, struct text *out)
{
    const struct strs *s = ns->g->strs;
    int start = out->n, id = ns->name[node];

    if (id >= 0) {
        text_put(out, strs_text(s, id), (size_t)strs_len(s, id));
        return;
    }
    text_printf(out, "t%d", node);
    while (!out->failed) {
        id = strs_find(s, out->a + start, (size_t)(out->n - start));
        if (id < 0 || id >= ns->nstrs || !ns->used[id])
            break;
        text_puts(out, "_");
    }
}

enum calque_status graph_fill_names(struct graph *g, struct diag *d)
{
    enum calque_status st = CALQUE_OK;
    struct names ns;
    struct text buf;

    if (!names_init(&ns, g))
        return diag_nomem(d);
    text_init(&buf, g->mem);
    for (int i = 0; i < g->node.n && st == CALQUE_OK; i++) {
        int id;
        if (g->node.a[i].name >= 0 || graph_multi(g, i))
            continue;
        buf.n = 0;
        names_put(&ns, i, &buf);
        id = buf.failed ? -1 : strs_add(g->strs, buf.a, (size_t)buf.n);
        if (id < 0)
            st = diag_nomem(d);
        else
            g->node.a[i].name = id;
    }
    text_free(&buf);
    names_free(&ns);
    return st;
}
