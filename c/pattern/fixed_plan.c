#include "pattern/fixed_plan.h"

/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= p < v.patterns;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  pattern:  \result == 1 <==> wf_pattern(v, p);
*/
static int usable_pattern(struct fixed_view v, int p)
{
    const struct pattern *q = v.pattern + p;

    if (q->kind < PATTERN_WILDCARD || q->kind > PATTERN_PROJ || q->kid < 0 || q->nkid < 0 || q->nkid > v.kids ||
        q->kid > v.kids - q->nkid)
        return 0;
    if (q->kind == PATTERN_CALL)
        return 0 <= q->op && q->op < v.ops;
    if (q->kind == PATTERN_PROJ)
        return q->nkid == 1;
    return q->kind == PATTERN_TUPLE || q->nkid == 0;
}

/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= p < v.patterns && wf_pattern(v, p);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  before:   \result == 1 <==> before_parent(v, p);
*/
static int usable_kids(struct fixed_view v, int p)
{
    /*@ loop invariant range: 0 <= k <= v.pattern[p].nkid;
        loop invariant kids:  \forall integer i; 0 <= i < k ==> 0 <= kid(v, p, i) < p;
        loop assigns k;
        loop variant v.pattern[p].nkid - k;
    */
    for (int k = 0; k < v.pattern[p].nkid; k++) {
        int q = v.kid[v.pattern[p].kid + k];
        /*@ assert kid: q == kid(v, p, k); */
        if (q < 0 || q >= p)
            return 0;
    }
    return 1;
}

/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= p < v.patterns;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  fixed:    \result == 1 <==> fixed_pattern(v, p);
*/
static int usable(struct fixed_view v, int p)
{
    const struct pattern *q = v.pattern + p;

    return !q->template && (q->kind != PATTERN_CALL || q->opat < 0) && usable_pattern(v, p) && usable_kids(v, p);
}

/*@ requires valid:    valid_fixed(v);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  listed:   \result == 1 <==> listed(v, p);
*/
static int is_listed(struct fixed_view v, int p)
{
    /*@ loop invariant range: 0 <= j <= v.n;
        loop invariant none:  \forall integer i; 0 <= i < j ==> v.pos[i] != p;
        loop assigns j;
        loop variant v.n - j;
    */
    for (int j = 0; j < v.n; j++)
        if (v.pos[j] == p)
            return 1;
    return 0;
}

/* The first child of the pattern at place j that has no place, or -1. */
/*@ requires valid:    valid_fixed(v);
    requires pattern:  0 <= j < v.n && fixed_pattern(v, v.pos[j]);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  none:     \result < 0 ==> kids_listed(v, j);
    ensures  child:    \result >= 0 ==> \result < v.patterns && kid_of(v, v.pos[j], \result) && !listed(v, \result);
*/
static int missing(struct fixed_view v, int j)
{
    int p = v.pos[j];

    /*@ loop invariant range:  0 <= k <= v.pattern[p].nkid;
        loop invariant listed: \forall integer i; 0 <= i < k ==> listed(v, kid(v, p, i));
        loop assigns k;
        loop variant v.pattern[p].nkid - k;
    */
    for (int k = 0; k < v.pattern[p].nkid; k++) {
        int q = v.kid[v.pattern[p].kid + k];
        /*@ assert kid: q == kid(v, p, k) && 0 <= q < p; */
        if (!is_listed(v, q))
            return q;
    }
    return -1;
}

/*@ ghost
/@ requires pattern:  fixed_pattern(v, p);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  kids:     \forall integer q; kid_of(v, p, q) ==> 0 <= q < p;
   ensures  child:    \forall integer q; kid_of(v, p, q) ==> child(v.pattern, v.kid, p, q);
   ensures  within:   \forall integer q, root; within(v, root, p) ==> kid_of(v, p, q) ==> within(v, root, q);
@/
static void kids_before(struct fixed_view v, int p)
{
    /@ assert before: before_parent(v, p); @/
    /@ assert below: \forall integer q; kid_of(v, p, q) ==> 0 <= q < p; @/
    /@ assert child: \forall integer q; kid_of(v, p, q) ==> child(v.pattern, v.kid, p, q); @/
    /@ assert deeper: \forall integer q, root, d, e; kid_of(v, p, q) ==> 0 <= d ==> e == d + 1 ==>
                      descends(v.pattern, v.kid, root, p, d) ==> descends(v.pattern, v.kid, root, q, e); @/
}

/@ requires valid:    valid_fixed(v);
   requires root:     0 <= root < v.patterns;
   requires places:   fixed_places(v, root);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  source:   \forall integer j; 0 <= j < v.n ==> in_source(v, root, v.pos[j]);
   ensures  kids:     \forall integer j, q; 0 <= j < v.n ==> kid_of(v, v.pos[j], q) ==> in_source(v, root, q);
@/
static void places_descend(struct fixed_view v, int root)
{
    /@ assert first: v.pos[0] == root; @/
    /@ assert start: descends(v.pattern, v.kid, root, root, 0); @/
    /@ assert none: \exists integer d; 0 <= d <= root - root && descends(v.pattern, v.kid, root, root, d); @/
    /@ assert root: within(v, root, root); @/
    /@ loop invariant range:  0 <= j <= v.n;
       loop invariant within: \forall integer i; 0 <= i < j ==> within(v, root, v.pos[i]);
       loop assigns j;
       loop variant v.n - j;
    @/
    for (int j = 0; j < v.n; j++) {
        if (j > 0) {
            kids_before(v, v.pos[v.up[j]]);
            /@ assert up: within(v, root, v.pos[v.up[j]]); @/
        }
        /@ assert here: within(v, root, v.pos[j]); @/
    }
    /@ loop invariant range:  0 <= j <= v.n;
       loop invariant within: \forall integer i, q; 0 <= i < j ==> kid_of(v, v.pos[i], q) ==> 0 <= q && within(v, root, q);
       loop assigns j;
       loop variant v.n - j;
    @/
    for (int j = 0; j < v.n; j++) {
        kids_before(v, v.pos[j]);
        /@ assert here: \forall integer q; kid_of(v, v.pos[j], q) ==> 0 <= q && within(v, root, q); @/
    }
    /@ assert source: \forall integer p; 0 <= p ==> within(v, root, p) ==> in_source(v, root, p); @/
}

/@ requires places:   valid_fixed(v) && fixed_places(v, root);
   requires kids:     \forall integer j; 0 <= j < v.n ==> kids_listed(v, j);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  plan:     wf_plan(v);
@/
static void places_plan(struct fixed_view v, int root)
{
    /@ loop invariant range:  0 <= j <= v.n;
       loop invariant places: \forall integer i; 0 <= i < j ==> wf_place(v, i);
       loop assigns j;
       loop variant v.n - j;
    @/
    for (int j = 0; j < v.n; j++) {
        /@ assert fixed: fixed_pattern(v, v.pos[j]) && kids_listed(v, j); @/
        /@ assert before: before_parent(v, v.pos[j]); @/
        /@ assert kids: wf_kids(v, v.pos[j]); @/
        /@ assert up: wf_up(v, j); @/
        /@ assert here: wf_place(v, j); @/
    }
}

/@ requires same:     same_rule(v, w);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  source:   \forall integer p; in_source(w, root, p) <==> in_source(v, root, p);
   ensures  fixed:    \forall integer p; fixed_pattern(v, p) ==> fixed_pattern(w, p);
   ensures  too_much: \forall integer n, q; too_much(w, root, n, q) ==> too_much(v, root, n, q);
@/
static void same_source(struct fixed_view v, struct fixed_view w, int root)
{
    /@ assert kid: \forall integer p, k; kid(w, p, k) == kid(v, p, k); @/
    /@ assert source: \forall integer p; in_source(w, root, p) <==> in_source(v, root, p); @/
    /@ assert leaf: \forall integer p; leaf(w, p) <==> leaf(v, p); @/
    /@ assert pattern: \forall integer p; wf_pattern(v, p) ==> wf_pattern(w, p); @/
    /@ assert before: \forall integer p; before_parent(v, p) ==> before_parent(w, p); @/
    /@ assert plain: \forall integer p; plain(v, p) ==> plain(w, p); @/
    /@ assert fixed: \forall integer p; fixed_pattern(v, p) ==> fixed_pattern(w, p); @/
}

/@ requires valid:    valid_fixed(v);
   requires places:   fixed_places(v, root);
   requires kids:     \forall integer j; 0 <= j < v.n ==> kids_listed(v, j);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  source:   \forall integer p; in_source(v, root, p) ==> listed(v, p);
@/
static void descents_listed(struct fixed_view v, int root)
{
    /@ assert places: \forall integer j, q; 0 <= j < v.n ==> child(v.pattern, v.kid, v.pos[j], q) ==> kid_of(v, v.pos[j], q); @/
    /@ assert each: \forall integer j, q; 0 <= j < v.n ==> kid_of(v, v.pos[j], q) ==> listed(v, q); @/
    /@ assert kids: \forall integer p, q; listed(v, p) ==> child(v.pattern, v.kid, p, q) ==> listed(v, q); @/
    /@ loop invariant range:  0 <= d <= v.patterns;
       loop invariant listed: \forall integer p, e; 0 <= e < d ==> descends(v.pattern, v.kid, root, p, e) ==> listed(v, p);
       loop assigns d;
       loop variant v.patterns - d;
    @/
    for (int d = 0; d < v.patterns; d++) {
        /@ assert root: listed(v, root); @/
        /@ assert here: \forall integer p; descends(v.pattern, v.kid, root, p, d) ==> listed(v, p); @/
    }
}
*/

/* v with q at one more place, after its parent at place j. */
/*@ requires valid:    valid_fixed(v) && 0 <= v.n < FIXED_MAX && v.pos == pos && v.up == up;
    requires arrays:   \valid(pos + (0 .. FIXED_MAX - 1)) && \valid(up + (0 .. FIXED_MAX - 1));
    requires apart:    \separated(pos + (0 .. FIXED_MAX - 1), up + (0 .. FIXED_MAX - 1), v.pattern + (0 .. v.patterns - 1),
                       v.kid + (0 .. v.kids - 1));
    requires places:   v.n > 0 ==> fixed_places(v, root);
    requires pattern:  fixed_pattern(v, q) && !listed(v, q);
    requires parent:   v.n == 0 && q == root && j == -1 || 0 <= j < v.n && kid_of(v, v.pos[j], q);
    terminates \true;
    exits    never:    \false;
    assigns  pos[v.n], up[v.n];
    ensures  valid:    valid_fixed(\result) && same_rule(v, \result) && \result.n == v.n + 1;
    ensures  places:   fixed_places(\result, root);
    ensures  last:     up[v.n] == j;
    ensures  kept:     \forall integer i; 0 <= i < v.n ==> pos[i] == \old(pos[i]) && up[i] == \old(up[i]);
    ensures  kids:     \forall integer i; 0 <= i < v.n ==> kids_listed{Pre}(v, i) ==> kids_listed(\result, i);
*/
static struct fixed_view put(struct fixed_view v, int q, int j, int *pos, int *up) /*@ ghost (int root) */
{
    struct fixed_view w = v;

    pos[w.n] = q;
    up[w.n] = j;
    w.n++;
    /*@ assert old: \forall integer i; 0 <= i < v.n ==> pos[i] == \at(pos[i], Pre) && up[i] == \at(up[i], Pre); */
    /*@ assert rule: \forall integer p; 0 <= p < v.patterns ==> v.pattern[p].kind == \at(v.pattern[p].kind, Pre) &&
                     v.pattern[p].kid == \at(v.pattern[p].kid, Pre) && v.pattern[p].nkid == \at(v.pattern[p].nkid, Pre) &&
                     v.pattern[p].op == \at(v.pattern[p].op, Pre) && v.pattern[p].opat == \at(v.pattern[p].opat, Pre) &&
                     v.pattern[p].template == \at(v.pattern[p].template, Pre); */
    /*@ assert numbers: \forall integer k; 0 <= k < v.kids ==> v.kid[k] == \at(v.kid[k], Pre); */
    /*@ assert patterns: \forall integer p; fixed_pattern{Pre}(v, p) ==> wf_pattern(w, p) && plain(w, p); */
    /*@ assert ranges: \forall integer p; fixed_pattern{Pre}(v, p) ==> 0 <= p < v.patterns && 0 <= w.pattern[p].kid &&
                       w.pattern[p].kid + w.pattern[p].nkid <= v.kids; */
    /*@ assert kids: \forall integer p, k; fixed_pattern{Pre}(v, p) ==> 0 <= k < v.pattern[p].nkid ==>
                     kid(w, p, k) == kid{Pre}(v, p, k); */
    /*@ assert before: \forall integer p; fixed_pattern{Pre}(v, p) ==> before_parent(w, p); */
    /*@ assert fixed: \forall integer p; fixed_pattern{Pre}(v, p) ==> fixed_pattern(w, p); */
    /*@ assert others: \forall integer i; 0 <= i < v.n ==> fixed_pattern(w, w.pos[i]); */
    /*@ assert parents: \forall integer p, r; fixed_pattern{Pre}(v, p) ==> kid_of{Pre}(v, p, r) ==> kid_of(w, p, r); */
    /*@ assert distinct: distinct(pos, w.n); */
    /*@ assert ups: \forall integer i; 0 < i < v.n ==> 0 <= w.up[i] < i && kid_of(w, w.pos[w.up[i]], w.pos[i]); */
    /*@ assert last_fixed: fixed_pattern(w, w.pos[v.n]); */
    /*@ assert all: \forall integer i; 0 <= i < w.n ==> fixed_pattern(w, w.pos[i]); */
    /*@ assert root: w.pos[0] == root && w.up[0] == -1; */
    /*@ assert last: v.n > 0 ==> kid_of(w, w.pos[j], q); */
    /*@ assert all_ups: \forall integer i; 0 < i < w.n ==> 0 <= w.up[i] < i && kid_of(w, w.pos[w.up[i]], w.pos[i]); */
    /*@ assert listed: \forall integer p; listed{Pre}(v, p) ==> listed(w, p); */
    return w;
}

struct fixed_view fixed_plan(struct fixed_view v, int root, int *pos, int *up)
{
    struct fixed_view w = v;
    int j = 0, q;

    if (!usable(v, root)) {
        /*@ assert root: descends(v.pattern, v.kid, root, root, 0); */
        /*@ assert not: too_much(v, root, 0, root); */
        return w;
    }
    w = put(w, root, -1, pos, up) /*@ ghost (root) */;
    /*@ loop invariant valid:   valid_fixed(w) && same_rule(v, w) && 0 < w.n <= FIXED_MAX;
        loop invariant place:   -1 <= j < w.n;
        loop invariant places:  fixed_places(w, root);
        loop invariant done:    \forall integer i; j < i < w.n ==> kids_listed(w, i);
        loop invariant between: \forall integer i, k; 0 <= k < w.n ==> up[k] < i < k ==> kids_listed(w, i);
        loop assigns w, j, q, pos[0 .. FIXED_MAX - 1], up[0 .. FIXED_MAX - 1];
        loop variant (FIXED_MAX - w.n) * (FIXED_MAX + 1) + j;
    */
    while (j >= 0) {
        q = missing(w, j);
        if (q < 0) {
            j = up[j];
            continue;
        }
        if (w.n == FIXED_MAX || !usable(w, q)) {
            /*@ ghost places_descend(w, root); */
            /*@ assert too_much: too_much(w, root, w.n, q); */
            /*@ ghost same_source(v, w, root); */
            /*@ assert none: too_much(v, root, w.n, q); */
            w.n = 0;
            return w;
        }
        w = put(w, q, j, pos, up) /*@ ghost (root) */;
        j = w.n - 1;
    }
    /*@ ghost places_descend(w, root); */
    /*@ ghost descents_listed(w, root); */
    /*@ ghost same_source(v, w, root); */
    /*@ ghost places_plan(w, root); */
    return w;
}
