/* One result of a node. graph_add.h has the contract. Room is made before its input stands in a local array: where the arrays
   stand does not change from then on, so they are still there when it is gone. */
#include "graph/graph_add.h"
#include "graph/graph_fill.h"

#ifdef __FRAMAC__
#include "graph/kept.acsl"
#define PROJ_PUT                                                                                        \
    ensures  wf:       \old(wf_graph(put_of(g))) ==> wf_graph(put_of(g));                               \
    ensures  next:     one_more{Pre,Post}(g, 1, 0);                                                     \
    ensures  ok:       node_ok(put_of(g), \result);                                                     \
    ensures  node:     is_fresh(put_of(g), \result, NODE_PROJ, name, \old(g->in.n), \old(g->attr.n)) && \
                       is_sized(put_of(g), \result, 0, 1, 0, index) && no_dims(g->node.a + \result);    \
    ensures  input:    g->in.a[\old(g->in.n)] == of;
#define PROJ_GIVEN                          \
    requires ready:    ready_graph(g);      \
    requires room:     has_room(g, 1, 0);   \
    requires of:       0 <= of < g->node.n;
#endif

/* Where there is room. */
/*@ PROJ_GIVEN
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n, g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1],
             g->attr.a[g->attr.n .. g->attr.cap - 1];
    ensures  id:       \result == \old(g->node.n);
    ensures  lists:    inputs_are(g) && outputs_are(g) && data_are(g, g->node.n) && ranges_ok(put_of(g));
    ensures  caps:     g->node.cap == \old(g->node.cap) && g->in.cap == \old(g->in.cap) && g->attr.cap == \old(g->attr.cap);
    ensures  arrays:   g->node.a == \old(g->node.a) && g->in.a == \old(g->in.a) && g->attr.a == \old(g->attr.a);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g) && same_lists{Pre,Post}(g);
    PROJ_PUT
*/
static int put_proj(struct graph *g, int of, int index, int name)
{
    const int in[1] = { of };

    /*@ assert own_g:    \separated(g, in + (0 .. 0)); */
    /*@ assert own_node: \separated(g->node.a + (0 .. g->node.cap - 1), in + (0 .. 0)); */
    /*@ assert own_in:   \separated(g->in.a + (g->in.n .. g->in.cap - 1), in + (0 .. 0)); */
    /*@ assert own_attr: \separated(g->attr.a + (g->attr.n .. g->attr.cap - 1), in + (0 .. 0)); */
    /*@ assert ids: given_ids(g, &in[0], 1); */
    /*@ assert attrs: given_attrs(g, \null, 0); */
    /*@ assert far_n: \separated(&g->node.cap, g->node.a + g->node.n) && \separated(&g->node.cap, g->in.a + (g->in.n .. g->in.cap - 1)) &&
                      \separated(&g->node.cap, g->attr.a + (g->attr.n .. g->attr.cap - 1)); */
    /*@ assert far_i: \separated(&g->in.cap, g->node.a + g->node.n) && \separated(&g->in.cap, g->in.a + (g->in.n .. g->in.cap - 1)) &&
                      \separated(&g->in.cap, g->attr.a + (g->attr.n .. g->attr.cap - 1)); */
    /*@ assert far_a: \separated(&g->attr.cap, g->node.a + g->node.n) && \separated(&g->attr.cap, g->in.a + (g->in.n .. g->in.cap - 1)) &&
                      \separated(&g->attr.cap, g->attr.a + (g->attr.n .. g->attr.cap - 1)); */
    int id = graph_fill(g, NODE_PROJ, 0, name, in, 1, NULL, 0, index);
    /*@ assert kind: g->node.a[id].kind == NODE_PROJ; */
    /*@ assert old:  data_are(g, \at(g->node.n, Pre)); */
    /*@ assert each: \forall integer i; 0 <= i < g->node.n ==> i < \at(g->node.n, Pre) || (i == id && g->node.a[i].kind == NODE_PROJ); */
    /*@ assert data: data_are(g, g->node.n); */
    /*@ assert cap_n: g->node.cap == \at(g->node.cap, Pre); */
    /*@ assert cap_i: g->in.cap == \at(g->in.cap, Pre); */
    /*@ assert cap_a: g->attr.cap == \at(g->attr.cap, Pre); */
    return id;
}

/* The graph is again one that can be added to. */
/*@ PROJ_GIVEN
    terminates \true;
    exits    never:    \false;
    assigns  g->node.n, g->in.n, g->attr.n, g->node.a[g->node.n], g->in.a[g->in.n .. g->in.cap - 1],
             g->attr.a[g->attr.n .. g->attr.cap - 1];
    ensures  id:       \result == \old(g->node.n);
    ensures  ready:    ready_graph(g);
    ensures  old:      kept{Pre,Post}(g) && same_lists_count{Pre,Post}(g);
    PROJ_PUT
*/
static int put_ready(struct graph *g, int of, int index, int name)
{
    int id;

    /*@ assert was_held: held_graph(g); */
    /*@ assert was_apart: apart_graph(g); */
    /*@ assert was_away: apart_labels(g); */
    /*@ assert had: apart_arrays(g, g->mem, g->node.a, g->node.cap, g->in.a, g->in.cap, g->attr.a, g->attr.cap,
                    g->input.a, g->input.cap, g->output.a, g->output.cap, g->tensor.a, g->tensor.cap); */
    id = put_proj(g, of, index, name);
    /*@ assert kept: kept_strings{Pre,Here}(g); */
    /*@ assert n_n: 0 <= g->node.n <= g->node.cap; */
    /*@ assert n_i: 0 <= g->in.n <= g->in.cap; */
    /*@ assert n_a: 0 <= g->attr.n <= g->attr.cap; */
    /*@ assert v_node: \valid(g->node.a + (0 .. g->node.cap - 1)); */
    /*@ assert v_in: \valid(g->in.a + (0 .. g->in.cap - 1)); */
    /*@ assert v_attr: \valid(g->attr.a + (0 .. g->attr.cap - 1)); */
    /*@ assert sep: \separated(g->node.a + (0 .. g->node.cap - 1), g->in.a + (0 .. g->in.cap - 1), g->attr.a + (0 .. g->attr.cap - 1)); */
    /*@ assert valid: valid_graph(put_of(g)); */
    /*@ assert caps: g->input.a == \at(g->input.a, Pre) && g->output.a == \at(g->output.a, Pre) && g->tensor.a == \at(g->tensor.a, Pre); */
    /*@ assert caps_n: g->input.cap == \at(g->input.cap, Pre) && g->output.cap == \at(g->output.cap, Pre) && g->tensor.cap == \at(g->tensor.cap, Pre); */
    /*@ assert v_input: 0 <= g->input.n <= g->input.cap && \valid(g->input.a + (0 .. g->input.cap - 1)); */
    /*@ assert v_output: 0 <= g->output.n <= g->output.cap && \valid(g->output.a + (0 .. g->output.cap - 1)); */
    /*@ assert v_tensor: 0 <= g->tensor.n <= g->tensor.cap && \valid(g->tensor.a + (0 .. g->tensor.cap - 1)); */
    /*@ assert lists: valid_lists(g); */
    /*@ assert rest: kept_rest{Pre,Here}(g); */
    /*@ assert mem: g->mem == \at(g->mem, Pre); */
    /*@ assert same_n: g->node.a == \at(g->node.a, Pre) && g->in.a == \at(g->in.a, Pre) && g->attr.a == \at(g->attr.a, Pre); */
    /*@ assert same_c: g->node.cap == \at(g->node.cap, Pre) && g->in.cap == \at(g->in.cap, Pre) && g->attr.cap == \at(g->attr.cap, Pre); */
    /*@ assert apart: apart_graph(g); */
    /*@ assert strs_is: g->strs == \at(g->strs, Pre); */
    /*@ assert table: table_of(g->strs) == \at(table_of(g->strs), Pre); */
    /*@ assert ent_is: g->strs->entry.a == \at(g->strs->entry.a, Pre); */
    /*@ assert ent_n: g->strs->entry.n == \at(g->strs->entry.n, Pre); */
    /*@ assert strs: valid_strs(table_of(g->strs)) && \valid_read(g->strs); */
    /*@ assert labels: same_labels{Pre,Here}(table_of(g->strs)); */
    /*@ assert texts: texts_ok(table_of(g->strs)); */
    /*@ assert away: apart_labels(g); */
    /*@ assert held: held_graph(g); */
    /*@ assert ready: ready_graph(g); */
    return id;
}

int graph_proj(struct graph *g, int of, int index, int name)
{
    static const int any[1] = { 0 };
    struct graph_given r = graph_room(g, any, 1, NULL, 0);

    /*@ assert count: g->node.n == \at(g->node.n, Pre); */
    /*@ assert ins:   g->in.n == \at(g->in.n, Pre); */
    /*@ assert atts:  g->attr.n == \at(g->attr.n, Pre); */
    /*@ assert good:  ready_graph(g); */
    if (!r.ok)
        return -1;
    return put_ready(g, of, index, name);
}
