#include "attr/attr_put.h"

/* Does the root exist? */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  bool:     \result == 0 || \result == 1;
    ensures  ok:       \result == 1 <==> root_ok(t, kind, op, a);
*/
static int root_exists(struct attr_put t, int kind, int op, int a)
{
    switch (kind) {
    case ATTR_CONST:
        return a >= 0 && a < t.nvalue;
    case ATTR_ACCESS:
    case ATTR_INST:
        return a >= 0 && a < t.nslot;
    case ATTR_SYMBOL:
    case ATTR_VAR:
    case ATTR_MAP:
        return op >= 0 && op < t.nsymbol;
    case ATTR_UNARY:
        return op >= 0 && op < ATTR_UNARY_OPS;
    case ATTR_BINARY:
        return op >= 0 && op < ATTR_BINARY_OPS;
    case ATTR_REDUCE:
        return op >= 0 && op < ATTR_REDUCTIONS;
    case ATTR_FUNC:
        return op >= 0 && op < ATTR_FUNC_OPS;
    default:
        return 1;
    }
}

/* Node t.n becomes x, field by field. */
/*@ requires valid:    valid_arena(t) && t.n < t.cap;
    terminates \true;
    exits    never:    \false;
    assigns  t.node[t.n];
    ensures  set:      is_expr(t, t.n, x.kind, x.op, x.a, x.b);
    ensures  extent:   t.node[t.n].depth == x.depth && t.node[t.n].size == x.size;
    ensures  old:      same_arena{Pre,Post}(t);
*/
static void set(struct attr_put t, struct attr_node x)
{
    t.node[t.n].kind = x.kind;
    t.node[t.n].op = x.op;
    t.node[t.n].a = x.a;
    t.node[t.n].b = x.b;
    t.node[t.n].depth = x.depth;
    t.node[t.n].size = x.size;
    /*@ assert kids:  same_kids{Pre,Here}(t); */
    /*@ assert roots: same_roots{Pre,Here}(t); */
}

int attr_put_leaf(struct attr_put t, int kind, int op, int a)
{
    if (!root_exists(t, kind, op, a))
        return -1;
    set(t, (struct attr_node){ .kind = kind, .op = op, .a = a, .b = 0, .depth = 0, .size = 1 });
    /*@ assert wf:   wf_arena(t); */
    /*@ assert more: one_more(t, ONE_MORE) && expr_ok(ONE_MORE, t.n); */
    return t.n;
}

int attr_put_one(struct attr_put t, int kind, int op, int a, int b, int c)
{
    if (!root_exists(t, kind, op, a) || c < 0 || c >= t.n)
        return -1;
    /*@ assert child: expr_ok(t, c); */
    if (t.node[c].depth >= ATTR_DEPTH_MAX || t.node[c].size >= ATTR_SIZE_MAX)
        return -1;
    set(t, (struct attr_node){ .kind = kind, .op = op, .a = a, .b = b, .depth = 1 + t.node[c].depth,
                               .size = 1 + t.node[c].size });
    /*@ assert wf:   wf_arena(t); */
    /*@ assert same: same_extent{Pre,Here}(t, c); */
    /*@ assert more: one_more(t, ONE_MORE) && expr_ok(ONE_MORE, t.n); */
    return t.n;
}

int attr_put_pair(struct attr_put t, int kind, int op, int a, int b)
{
    int depth, size;

    if (!root_exists(t, kind, op, a) || a < 0 || a >= t.n || b < 0 || b >= t.n)
        return -1;
    /*@ assert child_a: expr_ok(t, a); */
    /*@ assert child_b: expr_ok(t, b); */
    depth = t.node[a].depth > t.node[b].depth ? t.node[a].depth : t.node[b].depth;
    size = t.node[a].size + t.node[b].size;
    if (depth >= ATTR_DEPTH_MAX || size >= ATTR_SIZE_MAX)
        return -1;
    set(t, (struct attr_node){ .kind = kind, .op = op, .a = a, .b = b, .depth = 1 + depth, .size = 1 + size });
    /*@ assert wf:   wf_arena(t); */
    /*@ assert same: same_extent{Pre,Here}(t, a) && same_extent{Pre,Here}(t, b); */
    /*@ assert more: one_more(t, ONE_MORE) && expr_ok(ONE_MORE, t.n); */
    return t.n;
}

/* The children kids[0 .. n - 1] stand behind the others; depth and size of a node of them, at most one above the limit,
   or depth -1: one of them is no node. */
struct extent {
    int depth, size;
};

/*@ requires valid:    valid_arena(t);
    requires wf:       wf_arena(t);
    requires kids:     0 <= n <= t.capkid - t.nkid && \valid_read(kids + (0 .. n - 1));
    requires apart:    \separated(kids + (0 .. n - 1), t.kid + (t.nkid .. t.capkid - 1)) &&
                       \separated(kids + (0 .. n - 1), t.node + (0 .. t.cap - 1));
    terminates \true;
    exits    never:    \false;
    assigns  t.kid[t.nkid .. t.capkid - 1];
    ensures  old:      same_arena{Pre,Post}(t);
    ensures  exist:    \result.depth >= 0 <==> kids_exist{Pre}(t, kids, n);
    ensures  range:    \result.depth >= 0 ==> 1 <= \result.depth <= ATTR_DEPTH_MAX + 1 &&
                       1 <= \result.size <= ATTR_SIZE_MAX + 1;
    ensures  copied:   \result.depth >= 0 ==> \forall integer k; t.nkid <= k < t.nkid + n ==>
                       t.kid[k] == \old(kids[k - t.nkid]);
    ensures  depth:    \result.depth >= 0 ==> kids_depth{Pre}(t, kids, n, \result.depth);
    ensures  size:     \result.depth >= 0 ==> \result.size == \min(1 + kids_size{Pre}(t, kids, n), ATTR_SIZE_MAX + 1);
*/
static struct extent take(struct attr_put t, const int *kids, int n)
{
    struct extent e = { 1, 1 };

    /*@ loop invariant range:  0 <= k <= n && 1 <= e.depth <= ATTR_DEPTH_MAX + 1 && 1 <= e.size <= ATTR_SIZE_MAX + 1;
        loop invariant exist:  kids_exist{Pre}(t, kids, k);
        loop invariant copied: \forall integer j; t.nkid <= j < t.nkid + k ==> t.kid[j] == \at(kids[j - t.nkid], Pre);
        loop invariant kids:   \forall integer j; 0 <= j < n ==> kids[j] == \at(kids[j], Pre);
        loop invariant old:    same_arena{Pre,Here}(t);
        loop invariant depth:  kids_depth{Pre}(t, kids, k, e.depth);
        loop invariant size:   e.size == \min(1 + kids_size{Pre}(t, kids, k), ATTR_SIZE_MAX + 1);
        loop assigns k, e, t.kid[t.nkid .. t.capkid - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++) {
        int c = kids[k];
        /*@ assert kid: c == \at(kids[\at(k, Here)], Pre); */
        if (c < 0 || c >= t.n) {
            e.depth = -1;
            return e;
        }
        /*@ assert more: kids_exist{Pre}(t, kids, k + 1); */
        /*@ assert child: expr_ok{Pre}(t, c) && same_extent{Pre,Here}(t, c); */
        if (t.node[c].depth >= e.depth)
            e.depth = t.node[c].depth + 1;
        e.size += t.node[c].size;
        if (e.size > ATTR_SIZE_MAX)
            e.size = ATTR_SIZE_MAX + 1;
        t.kid[t.nkid + k] = c;
        /*@ assert kept: \forall integer j; 0 <= j < n ==> kids[j] == \at(kids[j], Pre); */
        /*@ assert above: same_kids{Pre,Here}(t); */
        /*@ assert roots: same_roots{Pre,Here}(t); */
    }
    return e;
}

int attr_put_family(struct attr_put t, int kind, int op, const int *kids, int n)
{
    struct extent e;

    if (n > VALUE_LEN_MAX || !root_exists(t, kind, op, t.nkid))
        return -1;
    e = take(t, kids, n);
    if (e.depth < 0 || e.depth > ATTR_DEPTH_MAX || e.size > ATTR_SIZE_MAX)
        return -1;
    set(t, (struct attr_node){ .kind = kind, .op = op, .a = t.nkid, .b = n, .depth = e.depth, .size = e.size });
    /*@ assert same: same_arena{Pre,Here}(t); */
    /*@ assert wf:   wf_arena(t); */
    /*@ assert own:  \forall integer k; t.nkid <= k < t.nkid + n ==> t.kid[k] == \at(kids[k - t.nkid], Pre); */
    /*@ assert kids: \forall integer k; 0 <= k < n ==> t.kid[t.nkid + k] == \at(kids[k], Pre); */
    /*@ assert olds: \forall integer k; 0 <= k < n ==> 0 <= \at(kids[k], Pre) < t.n &&
                     \at(t.node[\at(kids[k], Pre)].depth, Here) == \at(t.node[\at(kids[k], Pre)].depth, Pre) < e.depth; */
    /*@ assert deep: \forall integer k; 0 <= k < n ==> child_ok(t, t.n, \at(kids[k], Pre)); */
    /*@ assert all:  \forall integer k; t.nkid <= k < t.nkid + n ==> child_ok(t, t.n, t.kid[k]); */
    /*@ assert new:  kids_ok(WITH_KIDS, t.n); */
    /*@ assert more: one_more(t, WITH_KIDS) && expr_ok(WITH_KIDS, t.n); */
    /*@ assert all_ok: wf_arena(WITH_KIDS); */
    return t.n;
}
