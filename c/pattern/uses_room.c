/* Memory of the lists of users and of what dies with a node: growth keeps what is there. Trusted by the proofs of
   uses*.c. */
#include "pattern/uses_room.h"

#include "pattern/uses_arrays.h"

/*@ requires valid:    \valid(u);
    terminates \true;
    exits    never:    \false;
    assigns  *u;
    ensures  empty:    u->node.n == 0 && u->slot.n == 0 && u->output.n == 0;
    ensures  mem:      u->mem == \old(u->mem);
*/
void uses_free(struct uses *u)
{
    mem_free(u->node.a);
    mem_free(u->slot.a);
    ints_free(&u->output);
    uses_init(u, u->mem);
}

void uses_free_data(struct graph *g, struct uses_view v, int n) /*@ ghost (const struct node *nd) */
{
    for (int k = 0; k < n; k++) {
        const struct node *nd = &g->node.a[v.node[k].died];
        if (nd->kind == NODE_CONST)
            tensor_free(&g->tensor.a[nd->data]);
    }
}

enum calque_status uses_room(struct uses *u, const struct graph *g, int nodes, int slots, int outputs, struct diag *d)
{
    (void)g; /* only the contract speaks of it */
    if (!vec_room(u->mem, &u->node, nodes - u->node.n) || !vec_room(u->mem, &u->slot, slots - u->slot.n) ||
        !vec_room(u->mem, &u->output, outputs - u->output.n))
        return diag_nomem(d);
    return CALQUE_OK;
}
