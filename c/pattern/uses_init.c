/* The lists of users begin. */
#include "pattern/uses.h"

/*@ requires valid:    \valid(u);
    terminates \true;
    exits    never:    \false;
    assigns  *u;
    ensures  mem:      u->mem == mem;
    ensures  nodes:    u->node.a == \null && u->node.n == 0 && u->node.cap == 0;
    ensures  slots:    u->slot.a == \null && u->slot.n == 0 && u->slot.cap == 0;
    ensures  outputs:  u->output.a == \null && u->output.n == 0 && u->output.cap == 0;
    ensures  order:    u->first == -1 && u->last == -1;
*/
void uses_init(struct uses *u, struct mem *mem)
{
    *u = (struct uses){ .mem = mem };
    u->first = u->last = -1;
}
