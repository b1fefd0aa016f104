/* Values that are kept: those from a mark on that are needed move down over the others. Invariant: a value moves to a smaller id
   or stays, after its elements have. */
#include "attr/value_internal.h"

#ifdef __FRAMAC__
#include "attr/sweep.acsl"
#endif

/* How many values and elements the arena holds. */
struct value_extent {
    int n, npool;
};

/* Of the values from `first` on, whose elements stand from pool[np] on, only what id[0 .. n-1] are made of stays; these
   ids become the new ones. Tuples are appended, so that their elements stand in the order of the tuples: clause order.
   map is scratch, one entry for each value from `first` on. */
/*@ requires room:     room_sweep(vs, first, map, id, n);
    requires wf:       WF_VALUES(vs);
    requires below:    0 <= np <= vs.npool && wf_values(vs.v, vs.pool, first, np);
    requires order:    tuples_from(vs, first, np) && in_order(vs, first);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[first .. vs.n - 1], vs.pool[0 .. vs.npool - 1], map[0 .. vs.n - first - 1], id[0 .. n - 1];
    ensures  extent:   first <= \result.n <= vs.n && np <= \result.npool <= vs.npool;
    ensures  wf:       wf_values(vs.v, vs.pool, \result.n, \result.npool);
    ensures  below:    same_values{Pre,Post}(vs.v, vs.pool, first, np);
    ensures  low:      extends(\old(VALS(vs)), SWEPT(\result.n, \result.npool), first);
    ensures  ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < \result.n &&
                       val(SWEPT(\result.n, \result.npool), id[k]) == val(\old(VALS(vs)), \old(id[k]));
    ensures  only:     \forall integer y; first <= y < \result.n ==>
                       made_of_needed{Pre,Post}(vs, first, id, n, \result.n, \result.npool, y);
*/
struct value_extent values_sweep(struct values vs, int first, int np, int *map, int *id, int n);

/* Marks id[0 .. n - 1], nothing else. */
/*@ requires room:     room_sweep(vs, first, map, id, n);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. vs.n - first - 1];
    ensures  marks:    marks(vs, first, map);
    ensures  ids:      \forall integer k; 0 <= k < n ==> marked(map, first, id[k]);
    ensures  only:     \forall integer x; first <= x < vs.n ==> map[x - first] >= 0 ==>
                       \exists integer k; 0 <= k < n && id[k] == x;
    ensures  same:     same_sweep{Pre,Post}(vs, id, n);
*/
static void mark_ids(struct values vs, int first, int *map, const int *id, int n)
{
    /*@ loop invariant range: 0 <= k <= vs.n - first;
        loop invariant clear: \forall integer x; 0 <= x < k ==> map[x] == -1;
        loop assigns k, map[0 .. vs.n - first - 1];
        loop variant vs.n - first - k;
    */
    for (int k = 0; k < vs.n - first; k++)
        map[k] = -1;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant marks: marks(vs, first, map);
        loop invariant ids:   \forall integer j; 0 <= j < k ==> marked(map, first, id[j]);
        loop invariant only:  \forall integer x; first <= x < vs.n ==> map[x - first] >= 0 ==>
                              \exists integer j; 0 <= j < n && id[j] == x;
        loop assigns k, map[0 .. vs.n - first - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        if (id[k] >= first)
            map[id[k] - first] = 0;
}

/* Marks the elements of value k. */
/*@ requires room:     room_sweep(vs, first, map, id, n) && first <= k < vs.n;
    requires wf:       WF_VALUES(vs);
    requires marks:    marks(vs, first, map);
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. vs.n - first - 1];
    ensures  marks:    marks(vs, first, map);
    ensures  elements: elements_marked(vs, first, map, k);
    ensures  more:     grown{Pre,Post}(vs, first, map);
    ensures  above:    \forall integer x; k <= x < vs.n ==> map[x - first] == \old(map[x - first]);
    ensures  only:     \forall integer x; first <= x < vs.n ==> map[x - first] >= 0 ==> \old(map[x - first]) >= 0 ||
                       element_of{Pre}(vs, k, x);
    ensures  same:     same_sweep{Pre,Post}(vs, id, n);
*/
static void mark_elements(struct values vs, int first, int *map, const int *id, int n, int k)
{
    int from = vs.v[k].first, to;

    (void)id;
    (void)n;
    if (vs.v[k].kind != VALUE_TUPLE)
        return;
    /*@ assert wf: wf_value(vs.v, vs.pool, k); */
    to = from + vs.v[k].len;
    /*@ loop invariant range: from <= j <= to;
        loop invariant marks: marks(vs, first, map);
        loop invariant same:  same_sweep{Pre,Here}(vs, id, n);
        loop invariant elements: \forall integer i; from <= i < j ==> marked(map, first, vs.pool[i]);
        loop invariant more:  grown{Pre,Here}(vs, first, map);
        loop invariant above: \forall integer x; k <= x < vs.n ==> map[x - first] == \at(map[x - first], Pre);
        loop invariant only:  \forall integer x; first <= x < vs.n ==> map[x - first] >= 0 ==>
                              \at(map[x - first], Pre) >= 0 || element_of{Pre}(vs, k, x);
        loop assigns j, map[0 .. vs.n - first - 1];
        loop variant to - j;
    */
    for (int j = from; j < to; j++) {
        int x = vs.pool[j];
        /*@ assert below: 0 <= x < k; */
        /*@ assert is: element_of{Pre}(vs, k, x); */
        if (x >= first)
            map[x - first] = 0;
        /*@ assert other: \forall integer y; first <= y < vs.n ==> map[y - first] == 0 ||
                          map[y - first] == \at(map[y - first], LoopCurrent); */
        /*@ assert marks: marks{LoopCurrent}(vs, first, map) && marks(vs, first, map); */
        /*@ assert pool: same_pool{LoopCurrent,Here}(vs.pool, vs.npool); */
        /*@ assert more: grown{LoopCurrent,Here}(vs, first, map); */
        /*@ assert done: \forall integer i; from <= i < j ==>
                         marked{LoopCurrent}(map, first, \at(vs.pool[i], LoopCurrent)) && marked(map, first, vs.pool[i]); */
    }
}

/* Marks what id[0 .. n - 1] are made of. */
/*@ requires room:     room_sweep(vs, first, map, id, n);
    requires wf:       WF_VALUES(vs);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  map[0 .. vs.n - first - 1];
    ensures  marks:    marks(vs, first, map);
    ensures  ids:      \forall integer k; 0 <= k < n ==> marked(map, first, id[k]);
    ensures  closed:   closed(vs, first, map, first);
    ensures  only:     \forall integer x; first <= x < vs.n ==> map[x - first] >= 0 ==>
                       needed{Pre}(vs, first, id, n, x);
    ensures  same:     same_sweep{Pre,Post}(vs, id, n);
*/
static void mark(struct values vs, int first, int *map, const int *id, int n)
{
    mark_ids(vs, first, map, id, n);
    /*@ assert wf: WF_VALUES(vs); */
    /*@ loop invariant range: first <= k <= vs.n;
        loop invariant marks: marks(vs, first, map);
        loop invariant same:  same_sweep{Pre,Here}(vs, id, n);
        loop invariant wf:    WF_VALUES(vs);
        loop invariant ids:   \forall integer j; 0 <= j < n ==> marked(map, first, id[j]);
        loop invariant closed: closed(vs, first, map, k);
        loop invariant only:  \forall integer x; first <= x < vs.n ==> map[x - first] >= 0 ==>
                              needed{Pre}(vs, first, id, n, x);
        loop assigns k, map[0 .. vs.n - first - 1];
        loop variant k - first;
    */
    for (int k = vs.n; k > first; k--) {
        if (map[k - 1 - first] < 0)
            continue;
        /*@ assert wf_one: wf_value{Pre}(vs.v, vs.pool, k - 1) && needed{Pre}(vs, first, id, n, k - 1); */
        mark_elements(vs, first, map, id, n, k - 1);
        /*@ assert same: same_values{LoopCurrent,Here}(vs.v, vs.pool, vs.n, vs.npool); */
        /*@ assert all:  same_sweep{Pre,Here}(vs, id, n); */
        /*@ assert more: grown{LoopCurrent,Here}(vs, first, map); */
        /*@ assert old:  \forall integer x; k <= x < vs.n ==> map[x - first] >= 0 ==>
                         \at(map[x - first], LoopCurrent) >= 0 && elements_marked{LoopCurrent}(vs, first, map, x) &&
                         elements_marked(vs, first, map, x); */
        /*@ assert new:  \forall integer x; element_of{LoopCurrent}(vs, k - 1, x) ==> element_of{Pre}(vs, k - 1, x); */
        /*@ assert which: \forall integer x; first <= x < vs.n ==> map[x - first] >= 0 ==>
                          \at(map[x - first], LoopCurrent) >= 0 || element_of{Pre}(vs, k - 1, x); */
        /*@ assert need: \forall integer x; first <= x ==> element_of{Pre}(vs, k - 1, x) ==>
                         needed{Pre}(vs, first, id, n, x); */
    }
}

/* The elements of tuple k go to pool[np] on, and say where those that moved stand now. */
/*@ requires room:     room_sweep(vs, first, map, id, n) && first <= k < vs.n;
    requires tuple:    vs.v[k].kind == VALUE_TUPLE && 0 <= np <= vs.v[k].first && 0 <= vs.v[k].len &&
                       vs.v[k].first + vs.v[k].len <= vs.npool;
    requires to:       first <= to <= k;
    requires elements: \forall integer j; 0 <= j < vs.v[k].len ==> ready_element(vs, first, map, k, to, j);
    terminates \true;
    exits    never:    \false;
    assigns  vs.pool[np .. np + vs.v[k].len - 1];
    ensures  low:      \forall integer q; np <= q < np + vs.v[k].len ==> low_element(vs, to, vs.v[k].depth, q);
    ensures  moved:    \forall integer j; 0 <= j < vs.v[k].len ==>
                       vs.pool[np + j] == moved{Pre}(map, first, \old(vs.pool[vs.v[k].first + j]));
    ensures  nodes:    same_nodes{Pre,Post}(vs.v, vs.n);
    ensures  below:    same_pool{Pre,Post}(vs.pool, np);
    ensures  behind:   \forall integer q; np + vs.v[k].len <= q < vs.npool ==> vs.pool[q] == \old(vs.pool[q]);
    ensures  map:      \forall integer x; first <= x < vs.n ==> map[x - first] == \old(map[x - first]);
*/
static void move_elements(struct values vs, int first, const int *map, const int *id, int n, int k, int to, int np)
{
    int from = vs.v[k].first, len = vs.v[k].len;

    (void)id;
    (void)n;
    (void)to;
    /*@ loop invariant range: 0 <= j <= len;
        loop invariant low:   \forall integer q; np <= q < np + j ==> low_element(vs, to, vs.v[k].depth, q);
        loop invariant moved: \forall integer i; 0 <= i < j ==>
                              vs.pool[np + i] == moved{Pre}(map, first, \at(vs.pool[vs.v[k].first + i], Pre));
        loop invariant ahead: \forall integer q; np + j <= q < vs.npool ==> vs.pool[q] == \at(vs.pool[q], Pre);
        loop invariant nodes: same_nodes{Pre,Here}(vs.v, vs.n);
        loop invariant map:   \forall integer x; first <= x < vs.n ==> map[x - first] == \at(map[x - first], Pre);
        loop assigns j, vs.pool[np .. np + len - 1];
        loop variant len - j;
    */
    for (int j = 0; j < len; j++) {
        int x = vs.pool[from + j];
        /*@ assert ready: ready_element{Pre}(vs, first, map, k, to, j); */
        /*@ assert x: 0 <= x < k && \forall integer i; i == j ==> x == \at(vs.pool[vs.v[k].first + i], Pre); */
        vs.pool[np + j] = x < first ? x : map[x - first];
        /*@ assert last: low_element(vs, to, vs.v[k].depth, np + j); */
    }
}

/* Value `to` is x, and is where value k stands now. */
/*@ requires room:     room_sweep(vs, first, map, id, n) && first <= to <= k < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[to], map[k - first];
    ensures  set:      vs.v[to].kind == x.kind && vs.v[to].len == x.len && vs.v[to].first == x.first &&
                       vs.v[to].depth == x.depth && vs.v[to].size == x.size && vs.v[to].num == x.num;
    ensures  below:    same_nodes{Pre,Post}(vs.v, to);
    ensures  ahead:    ahead{Pre,Post}(vs, first, map, k + 1, 0);
    ensures  pool:     same_pool{Pre,Post}(vs.pool, vs.npool);
    ensures  map:      map[k - first] == to;
    ensures  others:   \forall integer y; first <= y < vs.n ==> y != k ==> map[y - first] == \old(map[y - first]);
*/
static void set(struct values vs, int first, int *map, const int *id, int n, int k, int to, struct value x)
{
    (void)id;
    (void)n;
    vs.v[to].kind = x.kind;
    vs.v[to].len = x.len;
    vs.v[to].first = x.first;
    vs.v[to].depth = x.depth;
    vs.v[to].size = x.size;
    vs.v[to].num = x.num;
    map[k - first] = to;
    /*@ assert others: \forall integer y; first <= y < vs.n ==> y != k ==> map[y - first] == \at(map[y - first], Pre); */
    /*@ assert below:  same_nodes{Pre,Here}(vs.v, to); */
    /*@ assert pool:   same_pool{Pre,Here}(vs.pool, vs.npool); */
}

/* Value k becomes value `to`, its elements from pool[np] on. */
/*@ requires room:     room_sweep(vs, first, map, id, n) && first <= to <= k < vs.n;
    requires node:     plain_ok(vs, k);
    requires tuple:    0 <= np <= vs.npool && (vs.v[k].kind == VALUE_TUPLE ==> np <= vs.v[k].first &&
                       vs.v[k].first + vs.v[k].len <= vs.npool);
    requires elements: vs.v[k].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[k].len ==>
                       ready_element(vs, first, map, k, to, j);
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[to], vs.pool[np .. vs.npool - 1], map[k - first];
    ensures  extent:   \result == np + (\old(vs.v[k].kind) == VALUE_TUPLE ? \old(vs.v[k].len) : 0);
    ensures  root:     vs.v[to].kind == \old(vs.v[k].kind) && vs.v[to].num == \old(vs.v[k].num) &&
                       vs.v[to].depth == \old(vs.v[k].depth) && vs.v[to].size == \old(vs.v[k].size) &&
                       vs.v[to].len == \old(vs.v[k].len);
    ensures  first:    vs.v[to].kind == VALUE_TUPLE ==> vs.v[to].first == np;
    ensures  moved:    vs.v[to].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[to].len ==>
                       vs.pool[np + j] == moved{Pre}(map, first, \old(vs.pool[vs.v[k].first + j]));
    ensures  low:      vs.v[to].kind == VALUE_TUPLE ==> \forall integer q; np <= q < np + vs.v[to].len ==>
                       low_element(vs, to, vs.v[to].depth, q);
    ensures  below:    same_values{Pre,Post}(vs.v, vs.pool, to, np);
    ensures  ahead:    ahead{Pre,Post}(vs, first, map, k + 1, \result);
    ensures  map:      map[k - first] == to;
    ensures  others:   \forall integer x; first <= x < vs.n ==> x != k ==> map[x - first] == \old(map[x - first]);
*/
static int move(struct values vs, int first, int *map, const int *id, int n, int k, int to, int np)
{
    struct value x = vs.v[k];
    int more = np;

    if (x.kind == VALUE_TUPLE) {
        move_elements(vs, first, map, id, n, k, to, np);
        x.first = np;
        more = np + x.len;
    }
    /*@ ghost Elements: ; */
    /*@ assert low:  x.kind == VALUE_TUPLE ==> \forall integer q; np <= q < more ==> low_element(vs, to, x.depth, q); */
    set(vs, first, map, id, n, k, to, x);
    /*@ assert kept: x.kind == VALUE_TUPLE ==> \forall integer q; np <= q < more ==>
                     low_element{Elements}(vs, to, x.depth, q) && vs.pool[q] == \at(vs.pool[q], Elements) &&
                     low_element(vs, to, x.depth, q); */
    return more;
}

/* The same, where what value k is built from has moved: `to` is the tree of these. */
/*@ requires room:     room_sweep(vs, first, map, id, n) && first <= to <= k < vs.n;
    requires wf:       wf_values(vs.v, vs.pool, to, np) && plain_ok(vs, k);
    requires tuple:    0 <= np <= vs.npool && (vs.v[k].kind == VALUE_TUPLE ==> np <= vs.v[k].first &&
                       vs.v[k].first + vs.v[k].len <= vs.npool);
    requires elements: vs.v[k].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[k].len ==>
                       ready_element(vs, first, map, k, to, j);
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[first .. vs.n - 1], vs.pool[0 .. vs.npool - 1], map[0 .. vs.n - first - 1];
    ensures  extent:   \result == np + (\old(vs.v[k].kind) == VALUE_TUPLE ? \old(vs.v[k].len) : 0);
    ensures  wf:       wf_values(vs.v, vs.pool, to + 1, \result);
    ensures  below:    same_values{Pre,Post}(vs.v, vs.pool, to, np);
    ensures  old:      extends(\old(SWEPT(to, np)), SWEPT(to + 1, \result), to);
    ensures  built:    built{Pre,Post}(vs, first, map, k, to, np, \result);
    ensures  depth:    vs.v[to].depth == \old(vs.v[k].depth);
    ensures  ahead:    ahead{Pre,Post}(vs, first, map, k + 1, \result);
    ensures  map:      map[k - first] == to;
    ensures  others:   map_but{Pre,Post}(vs, first, map, k);
    ensures  ids:      same_ids{Pre,Post}(id, n);
*/
static int keep(struct values vs, int first, int *map, const int *id, int n, int k, int to, int np)
{
    int more = move(vs, first, map, id, n, k, to, np);

    /*@ assert ids:   same_ids{Pre,Here}(id, n); */
    /*@ assert frame: wf_values(vs.v, vs.pool, to, np); */
    /*@ assert old:   wf_values(vs.v, vs.pool, to, more); */
    /*@ assert plain: plain_ok(vs, to); */
    /*@ assert low:   vs.v[to].kind == VALUE_TUPLE ==> vs.v[to].first == np && \forall integer q;
                      np <= q < np + vs.v[to].len ==> low_element(vs, to, vs.v[to].depth, q) &&
                      0 <= vs.pool[q] < to && vs.v[vs.pool[q]].depth < vs.v[to].depth; */
    /*@ assert elements: vs.v[to].kind == VALUE_TUPLE ==> wf_elements(vs.v, vs.pool, to); */
    /*@ assert new:   wf_value(vs.v, vs.pool, to); */
    /*@ assert wf:    wf_values(vs.v, vs.pool, to + 1, more); */
    /*@ assert ext:   extends(\at(SWEPT(to, np), Pre), SWEPT(to + 1, more), to); */
    /*@ assert nth:   vs.v[to].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[to].len ==>
                      v_nth(val(SWEPT(to + 1, more), to), j) == val(SWEPT(to + 1, more), vs.pool[np + j]); */
    /*@ assert there: vs.v[to].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[to].len ==>
                      low_element(vs, to, vs.v[to].depth, np + j); */
    /*@ assert those: vs.v[to].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[to].len ==>
                      0 <= vs.pool[np + j] < to &&
                      val(SWEPT(to + 1, more), vs.pool[np + j]) ==
                      val(\at(SWEPT(to, np), Pre), \at(vs.pool[np + j], Here)); */
    /*@ assert moved: vs.v[to].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[to].len ==>
                      vs.pool[np + j] == moved{Pre}(map, first, \at(vs.pool[vs.v[k].first + j], Pre)); */
    /*@ assert built: vs.v[to].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[to].len ==>
                      built_nth{Pre,Here}(vs, first, map, k, to, np, more, j); */
    return more;
}

/* The marked values move down, in their order. */
/*@ requires room:     room_sweep(vs, first, map, id, n);
    requires wf:       WF_VALUES(vs);
    requires below:    0 <= np <= vs.npool && wf_values(vs.v, vs.pool, first, np);
    requires order:    tuples_from(vs, first, np) && in_order(vs, first);
    requires closed:   closed(vs, first, map, first);
    terminates \true;
    exits    never:    \false;
    assigns  vs.v[first .. vs.n - 1], vs.pool[0 .. vs.npool - 1], map[0 .. vs.n - first - 1];
    ensures  extent:   first <= \result.n <= vs.n && np <= \result.npool <= vs.npool;
    ensures  wf:       wf_values(vs.v, vs.pool, \result.n, \result.npool);
    ensures  below:    same_values{Pre,Post}(vs.v, vs.pool, first, np);
    ensures  low:      extends(\old(VALS(vs)), SWEPT(\result.n, \result.npool), first);
    ensures  places:   places_ok{Pre,Post}(vs, first, map, vs.n, \result.n, \result.npool);
    ensures  images:   images{Pre,Post}(vs, first, map, vs.n, \result.n);
    ensures  ids:      same_ids{Pre,Post}(id, n);
*/
static struct value_extent move_all(struct values vs, int first, int *map, const int *id, int n, int np)
{
    struct value_extent e = { first, np };

    /*@ loop invariant range:  first <= e.n <= k <= vs.n && np <= e.npool <= vs.npool;
        loop invariant before: \forall integer x; k <= x < vs.n ==> \at(vs.v[x].kind, Pre) == VALUE_TUPLE ==>
                               e.npool <= \at(vs.v[x].first, Pre);
        loop invariant wf:     wf_values(vs.v, vs.pool, e.n, e.npool);
        loop invariant below:  same_values{Pre,Here}(vs.v, vs.pool, first, np);
        loop invariant low:    extends(\at(VALS(vs), Pre), SWEPT(e.n, e.npool), first);
        loop invariant places: places_ok{Pre,Here}(vs, first, map, k, e.n, e.npool);
        loop invariant images: images{Pre,Here}(vs, first, map, k, e.n);
        loop invariant ahead:  ahead{Pre,Here}(vs, first, map, k, e.npool);
        loop invariant ids:    same_ids{Pre,Here}(id, n);
        loop assigns k, e, vs.v[first .. vs.n - 1], vs.pool[0 .. vs.npool - 1], map[0 .. vs.n - first - 1];
        loop variant vs.n - k;
    */
    for (int k = first; k < vs.n; k++) {
        if (map[k - first] < 0) {
            /*@ assert out:    !marked{Pre}(map, first, k); */
            /*@ assert places: places_ok{Pre,Here}(vs, first, map, k + 1, e.n, e.npool); */
            /*@ assert image: \forall integer y; first <= y < e.n ==> image_of{Pre,Here}(vs, first, map, k, y) &&
                              image_of{Pre,Here}(vs, first, map, k + 1, y); */
            /*@ assert images: images{Pre,Here}(vs, first, map, k + 1, e.n); */
            continue;
        }
        /*@ assert was:   plain_ok(vs, k) && elements_marked{Pre}(vs, first, map, k) && marked{Pre}(map, first, k); */
        /*@ assert ready: vs.v[k].kind == VALUE_TUPLE ==> \forall integer j; 0 <= j < vs.v[k].len ==>
                          element_ok{Pre}(vs, first, map, k, j) && same_element{Pre,Here}(vs, k, j) &&
                          ready_element(vs, first, map, k, e.n, j); */
        e.npool = keep(vs, first, map, id, n, k, e.n, e.npool);
        /*@ assert ahead: ahead{Pre,LoopCurrent}(vs, first, map, k, \at(e.npool, LoopCurrent)) &&
                          ahead{LoopCurrent,Here}(vs, first, map, k + 1, e.npool) &&
                          ahead{Pre,Here}(vs, first, map, k + 1, e.npool); */
        /*@ assert root:  built_root{Pre,Here}(vs, k, e.n, e.npool); */
        /*@ assert built: \at(vs.v[k].kind, LoopCurrent) == VALUE_TUPLE ==> \forall integer j;
                          0 <= j < \at(vs.v[k].len, LoopCurrent) ==>
                          same_element{Pre,LoopCurrent}(vs, k, j) && element_ok{Pre}(vs, first, map, k, j) &&
                          built_nth{LoopCurrent,Here}(vs, first, map, k, e.n, \at(e.npool, LoopCurrent), e.npool, j); */
        /*@ assert nth:   \at(vs.v[k].kind, LoopCurrent) == VALUE_TUPLE ==> \forall integer j;
                          0 <= j < \at(vs.v[k].len, LoopCurrent) ==>
                          same_element{Pre,LoopCurrent}(vs, k, j) && element_ok{Pre}(vs, first, map, k, j) &&
                          built_nth{LoopCurrent,Here}(vs, first, map, k, e.n, \at(e.npool, LoopCurrent), e.npool, j) &&
                          v_nth(val(SWEPT(e.n + 1, e.npool), e.n), j) == v_nth(val(\at(VALS(vs), Pre), k), j); */
        /*@ assert tree:  val(SWEPT(e.n + 1, e.npool), e.n) == val(\at(VALS(vs), Pre), k); */
        /*@ assert new:   place_ok{Pre,Here}(vs, first, map, e.n + 1, e.npool, k); */
        /*@ assert nodes: same_nodes{LoopCurrent,Here}(vs.v, e.n) && map_but{LoopCurrent,Here}(vs, first, map, k); */
        /*@ assert ext:   extends(\at(SWEPT(e.n, e.npool), LoopCurrent), SWEPT(e.n + 1, e.npool), e.n); */
        /*@ assert were:  places_ok{Pre,LoopCurrent}(vs, first, map, k, e.n, \at(e.npool, LoopCurrent)); */
        /*@ assert places: places_ok{Pre,Here}(vs, first, map, k, e.n + 1, e.npool); */
        /*@ assert placed: places_ok{Pre,Here}(vs, first, map, k + 1, e.n + 1, e.npool); */
        /*@ assert last:  image_of{Pre,Here}(vs, first, map, k + 1, e.n); */
        /*@ assert image: \forall integer y; first <= y < e.n ==> image_of{Pre,LoopCurrent}(vs, first, map, k, y) &&
                          image_of{Pre,Here}(vs, first, map, k + 1, y); */
        /*@ assert images: images{Pre,Here}(vs, first, map, k + 1, e.n + 1); */
        e.n++;
    }
    return e;
}

/*@ requires room:     room_sweep(vs, first, map, id, n);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs.n;
    terminates \true;
    exits    never:    \false;
    assigns  id[0 .. n - 1];
    ensures  moved:    \forall integer k; 0 <= k < n ==> id[k] == moved{Pre}(map, first, \old(id[k]));
    ensures  map:      \forall integer x; first <= x < vs.n ==> map[x - first] == \old(map[x - first]);
    ensures  same:     same_values{Pre,Post}(vs.v, vs.pool, vs.n, vs.npool);
*/
static void move_ids(struct values vs, int first, const int *map, int *id, int n)
{
    (void)vs;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant moved: \forall integer i; 0 <= i < k ==> id[i] == moved{Pre}(map, first, \at(id[i], Pre));
        loop invariant ahead: \forall integer i; k <= i < n ==> id[i] == \at(id[i], Pre);
        loop assigns k, id[0 .. n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        if (id[k] >= first)
            id[k] = map[id[k] - first];
}

struct value_extent values_sweep(struct values vs, int first, int np, int *map, int *id, int n)
{
    struct value_extent e;

    mark(vs, first, map, id, n);
    /*@ ghost Marked: ; */
    /*@ assert same:  extends(\at(VALS(vs), Pre), VALS(vs), vs.n); */
    /*@ assert need:  marks_needed{Pre,Here}(vs, first, map, id, n); */
    e = move_all(vs, first, map, id, n, np);
    /*@ ghost Moved: ; */
    /*@ assert place: \forall integer x; first <= x < vs.n ==> marked{Marked}(map, first, x) ==>
                      place_ok{Marked,Here}(vs, first, map, e.n, e.npool, x); */
    /*@ assert roots: \forall integer k; 0 <= k < n ==> id[k] == \at(id[k], Pre) && 0 <= id[k] < vs.n &&
                      marked{Marked}(map, first, id[k]); */
    /*@ assert low:   extends(\at(VALS(vs), Marked), SWEPT(e.n, e.npool), first); */
    /*@ assert image: \forall integer k; 0 <= k < n ==> 0 <= moved(map, first, id[k]) < e.n &&
                      val(SWEPT(e.n, e.npool), moved(map, first, id[k])) == val(\at(VALS(vs), Pre), \at(id[k], Pre)); */
    /*@ assert from:  \forall integer y; first <= y < e.n ==> made_of{Marked,Here}(vs, first, map, e.n, e.npool, y); */
    /*@ assert only:  \forall integer y; first <= y < e.n ==> made_of{Marked,Here}(vs, first, map, e.n, e.npool, y) &&
                      made_of_needed{Pre,Here}(vs, first, id, n, e.n, e.npool, y); */
    move_ids(vs, first, map, id, n);
    /*@ assert wf:    wf_values(vs.v, vs.pool, e.n, e.npool); */
    /*@ assert whole: same_values{Moved,Here}(vs.v, vs.pool, vs.n, vs.npool) && e.n <= vs.n && e.npool <= vs.npool; */
    /*@ assert all:   same_values{Moved,Here}(vs.v, vs.pool, e.n, e.npool); */
    /*@ assert kept:  \forall integer y; 0 <= y < e.n ==>
                      val(SWEPT(e.n, e.npool), y) == val(\at(SWEPT(e.n, e.npool), Moved), y); */
    /*@ assert made:  \forall integer y; first <= y < e.n ==>
                      made_of_needed{Pre,Moved}(vs, first, id, n, e.n, e.npool, y) &&
                      made_of_needed{Pre,Here}(vs, first, id, n, e.n, e.npool, y); */
    /*@ assert ids:   \forall integer k; 0 <= k < n ==> id[k] == moved{Moved}(map, first, \at(id[k], Moved)); */
    return e;
}

/* Values from `first` on and elements from pool[np] on may go, ids stay the ids of what they were. */
#define KEEP_REQUIRES                                                                                                  \
    requires ready:    ready_values(vs);                                                                               \
    requires below:    0 <= first <= vs->n && 0 <= np <= vs->npool && wf_values(vs->v, vs->pool, first, np);           \
    requires ids:      0 <= n && \valid(id + (0 .. n - 1)) && apart_ids(vs, id, n) &&                                  \
                       \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs->n;
/* What is done to the arena and the ids. */
#define KEEPS                                                                                                          \
    ensures  ready:    ready_values(vs);                                                                               \
    ensures  extent:   first <= vs->n <= \old(vs->n) && np <= vs->npool <= \old(vs->npool);                            \
    ensures  low:      extends(\old(VALS(*vs)), VALS(*vs), first);                                                     \
    ensures  ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs->n;                                           \
    ensures  means:    \forall integer k; 0 <= k < n ==> val(VALS(*vs), id[k]) == val(\old(VALS(*vs)), \old(id[k]));
#define KEEPS_OR_NOT                                                                                                   \
    ensures  none:     \result == 0 ==> vs->n == \old(vs->n) && vs->npool == \old(vs->npool) &&                        \
                       \forall integer k; 0 <= k < n ==> id[k] == \old(id[k]);
/* All that stays from `first` on is needed. */
#define ONLY(vs) \forall integer y; first <= y < vs->n ==> \
                 made_of_needed{Pre,Post}(\old(*vs), first, id, n, vs->n, vs->npool, y)

#define ONLY_HERE \forall integer y; first <= y < vs->n ==> \
                  made_of_needed{Pre,Here}(\at(*vs, Pre), first, id, n, vs->n, vs->npool, y)

/*@ predicate off_fields{L}(struct values *vs, int *a, integer n) = \separated(&vs->n, a + (0 .. n - 1)) &&
      \separated(&vs->cap, a + (0 .. n - 1)) && \separated(&vs->npool, a + (0 .. n - 1)) &&
      \separated(&vs->cappool, a + (0 .. n - 1)); */

/* Do the elements of the tuples from `first` on stand behind pool[np], in the order of the tuples? Appending makes it so. */
/*@ requires valid:    valid_values(vs) && WF_VALUES(vs);
    requires range:    0 <= first <= vs.n && 0 <= np <= vs.npool;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  order:    \result == 1 <==> tuples_from(vs, first, np) && in_order(vs, first);
*/
static bool ordered(struct values vs, int first, int np)
{
    int end = np;
    /*@ ghost int last = -1; */

    /*@ loop invariant range: first <= k <= vs.n && np <= end <= vs.npool;
        loop invariant last:  last == -1 && end == np || first <= last < k && vs.v[last].kind == VALUE_TUPLE &&
                              end == vs.v[last].first + vs.v[last].len;
        loop invariant from:  \forall integer j; first <= j < k ==> vs.v[j].kind == VALUE_TUPLE ==>
                              np <= vs.v[j].first && vs.v[j].first + vs.v[j].len <= end;
        loop invariant order: \forall integer j, l; first <= j < l < k ==> vs.v[j].kind == VALUE_TUPLE ==>
                              vs.v[l].kind == VALUE_TUPLE ==> vs.v[j].first + vs.v[j].len <= vs.v[l].first;
        loop assigns k, end, last;
        loop variant vs.n - k;
    */
    for (int k = first; k < vs.n; k++) {
        /*@ assert wf: wf_value(vs.v, vs.pool, k); */
        if (vs.v[k].kind != VALUE_TUPLE)
            continue;
        if (vs.v[k].first < end)
            return false;
        end = vs.v[k].first + vs.v[k].len;
        /*@ ghost last = k; */
    }
    return true;
}

/* The extent is taken over. */
/*@ requires held:     held_values(vs) && apart_ids(vs, id, n) && 0 <= n && \valid(id + (0 .. n - 1));
    requires wf:       0 <= left.n <= vs->cap && 0 <= left.npool <= vs->cappool &&
                       wf_values(vs->v, vs->pool, left.n, left.npool);
    terminates \true;
    exits    never:    \false;
    assigns  vs->n, vs->npool;
    ensures  ready:    ready_values(vs);
    ensures  extent:   vs->n == left.n && vs->npool == left.npool;
    ensures  all:      extends(\old(vals_of(vs->v, vs->pool, left.n, left.npool)), VALS(*vs), left.n);
    ensures  ids:      same_ids{Pre,Post}(id, n);
*/
static void take(struct values *vs, struct value_extent left) /*@ ghost (const int *id, int n) */
{
    vs->n = left.n;
    vs->npool = left.npool;
    /*@ assert same: same_values{Pre,Here}(vs->v, vs->pool, left.n, left.npool); */
}

/* With scratch; the arena's extent is taken over. */
/*@ requires ready:    ready_values(vs);
    requires room:     room_sweep(*vs, first, map, id, n);
    requires apart:    apart_ids(vs, id, n) && apart_ids(vs, map, vs->n - first);
    requires below:    0 <= np <= vs->npool && wf_values(vs->v, vs->pool, first, np);
    requires ids:      \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs->n;
    requires order:    tuples_from(*vs, first, np) && in_order(*vs, first);
    terminates \true;
    exits    never:    \false;
    assigns  vs->n, vs->npool, vs->v[first .. vs->n - 1], vs->pool[0 .. vs->npool - 1], map[0 .. vs->n - first - 1],
             id[0 .. n - 1];
    KEEPS
    ensures  only:     ONLY(vs);
*/
static void sweep(struct values *vs, int first, int np, int *map, int *id, int n)
{
    struct values s = *vs;
    struct value_extent left;

    /*@ assert off: \separated(vs, s.v + (0 .. s.cap - 1)) && \separated(vs, s.pool + (0 .. s.cappool - 1)) &&
                    \separated(vs, id + (0 .. n - 1)) && \separated(vs, map + (0 .. s.n - first - 1)); */
    /*@ assert off_pool: off_fields(vs, s.pool, s.npool); */
    /*@ assert off_id:   off_fields(vs, id, n); */
    /*@ assert off_map:  off_fields(vs, map, s.n - first); */
    /*@ assert off_v:    \separated(&vs->n, s.v + (first .. s.n - 1)) && \separated(&vs->cap, s.v + (first .. s.n - 1)) &&
                         \separated(&vs->npool, s.v + (first .. s.n - 1)) &&
                         \separated(&vs->cappool, s.v + (first .. s.n - 1)); */
    left = values_sweep(s, first, np, map, id, n);
    /*@ assert view: is_view(s, vs); */
    /*@ ghost Swept: ; */
    take(vs, left)
        /*@ ghost (id, n) */;
    /*@ assert all:  extends(\at(vals_of(s.v, s.pool, left.n, left.npool), Swept), VALS(*vs), left.n); */
    /*@ assert kept: \forall integer k; 0 <= k < n ==> id[k] == \at(id[k], Swept) && 0 <= id[k] < left.n; */
    /*@ assert were: \forall integer k; 0 <= k < n ==>
                     val(\at(vals_of(s.v, s.pool, left.n, left.npool), Swept), \at(id[k], Swept)) ==
                     val(\at(VALS(*vs), Pre), \at(id[k], Pre)); */
    /*@ assert made: \forall integer y; first <= y < left.n ==>
                     made_of_needed{Pre,Swept}(s, first, id, n, left.n, left.npool, y); */
    /*@ assert need: \forall integer y; first <= y < left.n ==>
                     made_of_needed{Pre,Here}(s, first, id, n, left.n, left.npool, y); */
}

/*@ KEEP_REQUIRES
    requires order:    tuples_from(*vs, first, np) && in_order(*vs, first);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    KEEPS
    KEEPS_OR_NOT
    ensures  only:     \result == 1 ==> ONLY(vs);
*/
static bool keep_listed(struct values *vs, int first, int np, int *id, int n)
{
    int *map;

    map = values_scratch(vs, vs->n - first)
        /*@ ghost (id, n) */;
    /*@ assert same: same_values{Pre,Here}(vs->v, vs->pool, vs->n, vs->npool); */
    /*@ assert wf:   WF_VALUES(*vs) && wf_values(vs->v, vs->pool, first, np); */
    /*@ assert old:  extends(\at(VALS(*vs), Pre), VALS(*vs), vs->n); */
    /*@ assert held: \forall integer k; 0 <= k < n ==> id[k] == \at(id[k], Pre) &&
                     val(VALS(*vs), id[k]) == val(\at(VALS(*vs), Pre), \at(id[k], Pre)); */
    if (!map)
        return false;
    /*@ ghost Ready: ; */
    sweep(vs, first, np, map, id, n);
    /*@ assert low: \forall integer y; 0 <= y < first ==> val(VALS(*vs), y) == val(\at(VALS(*vs), Ready), y); */
    /*@ assert ids: \forall integer k; 0 <= k < n ==> 0 <= id[k] < vs->n && \at(id[k], Ready) == \at(id[k], Pre) &&
                    val(VALS(*vs), id[k]) == val(\at(VALS(*vs), Ready), \at(id[k], Ready)); */
    /*@ assert only: \forall integer y; first <= y < vs->n ==>
                     made_of_needed{Ready,Here}(\at(*vs, Ready), first, id, n, vs->n, vs->npool, y); */
    /*@ assert were: \forall integer k; 0 <= k < n ==> val(\at(VALS(*vs), Ready), \at(id[k], Ready)) ==
                     val(\at(VALS(*vs), Pre), \at(id[k], Pre)); */
    /*@ assert means: \forall integer k; 0 <= k < n ==>
                     val(VALS(*vs), id[k]) == val(\at(VALS(*vs), Pre), \at(id[k], Pre)); */
    /*@ assert same_needed: \forall integer y; made_of_needed{Ready,Here}(\at(*vs, Ready), first, id, n, vs->n, vs->npool, y) ==>
                            made_of_needed{Pre,Here}(\at(*vs, Pre), first, id, n, vs->n, vs->npool, y); */
    /*@ assert made: ONLY_HERE; */
    values_scratch_free(map);
    return true;
}

/*@ KEEP_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    KEEPS
    KEEPS_OR_NOT
    ensures  only:     \result == 1 ==> \old(tuples_from(*vs, first, np) && in_order(*vs, first)) ==> ONLY(vs);
*/
bool values_keep(struct values *vs, int first, int np, int *id, int n)
{
    return !ordered(*vs, first, np) || keep_listed(vs, first, np, id, n);
}
