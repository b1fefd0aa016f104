#include "attr/memo_copy.h"

/*@ requires twin:     is_twin(t, c) && valid_arena(t) && valid_arena(c) &&
                       \separated(c.node + (0 .. c.n - 1), t.node + (0 .. t.n - 1), t.kid + (0 .. t.nkid - 1));
    requires node:     0 <= i < t.n && copied(t, c, i);
    terminates \true;
    exits    never:    \false;
    assigns  c.node[i];
    ensures  copied:   copied(t, c, i + 1);
    ensures  same:     same_arena{Pre,Post}(t);
*/
static void copy_node(struct attr_put t, struct attr_put c, int i)
{
    c.node[i] = t.node[i];
    /*@ assert mine:   c.node[i].kind == t.node[i].kind && c.node[i].op == t.node[i].op && c.node[i].a == t.node[i].a &&
                       c.node[i].b == t.node[i].b && c.node[i].depth == t.node[i].depth && c.node[i].size == t.node[i].size; */
    /*@ assert roots:  same_roots{Pre,Here}(t); */
    /*@ assert others: \forall integer k; 0 <= k < i ==>
                       c.node[k].kind == \at(c.node[k].kind, Pre) && c.node[k].op == \at(c.node[k].op, Pre) &&
                       c.node[k].a == \at(c.node[k].a, Pre) && c.node[k].b == \at(c.node[k].b, Pre) &&
                       c.node[k].depth == \at(c.node[k].depth, Pre) && c.node[k].size == \at(c.node[k].size, Pre); */
}

void memo_copy(struct attr_put t, struct attr_put c)
{
    /*@ loop invariant range:  0 <= i <= t.n;
        loop invariant copied: copied(t, c, i);
        loop invariant same:   same_arena{Pre,Here}(t);
        loop assigns i, c.node[0 .. c.n - 1];
        loop variant t.n - i;
    */
    for (int i = 0; i < t.n; i++)
        copy_node(t, c, i);
}
