/* Heap sort: its time does not depend on how the items stand. Who includes this says what an item is (HEAP_ITEM) and whether
   one is below another (HEAP_BELOW), and in its logic what base/heap_sort.acsl asks for. */
/* Items i and j change places. */
/*@ requires valid:    \valid(a + (0 .. n - 1)) && 0 <= i < n && 0 <= j < n;
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  places:   exchanged{Pre,Post}(a, n, i, j);
    ensures  same:     reordered{Pre,Post}(a, n);
*/
static void swap(HEAP_ITEM *a, int i, int j) /*@ ghost (int n) */
{
    HEAP_ITEM x = a[i];

    a[i] = a[j];
    a[j] = x;
    /*@ assert places: exchanged{Pre,Here}(a, n, i, j); */
    /*@ assert same:   reordered{Pre,Here}(a, n); */
}

/* Is item i below item j? */
/*@ requires valid:    \valid_read(a + i) && \valid_read(a + j);
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  below:    \result == 0 ? item_leq(a, j, i) : item_leq(a, i, j);
*/
static int below(const HEAP_ITEM *a, int i, int j)
{
    return HEAP_BELOW(a, i, j);
}

/* The greatest of item k and those behind it. */
/*@ requires valid:    \valid_read(a + (0 .. n - 1)) && 0 <= k < n;
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  which:    \result == k || (\result == 2 * k + 1 || \result == 2 * k + 2) && \result < n;
    ensures  greatest: leq_below(a, n, k, \result) && item_leq(a, k, \result);
*/
static int greatest(const HEAP_ITEM *a, int k, int n)
{
    int m = k;

    if (k >= n / 2)
        return k;
    if (below(a, m, 2 * k + 1))
        m = 2 * k + 1;
    if (2 * k + 1 < n - 1 && below(a, m, 2 * k + 2))
        m = 2 * k + 2;
    return m;
}

/* The items behind k are heaps; so is k, when it has sunk. */
/*@ requires valid:    \valid(a + (0 .. n - 1)) && 0 <= from < n;
    requires heap:     heap(a, from + 1, n);
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  heap:     heap(a, from, n);
    ensures  same:     reordered{Pre,Post}(a, n);
*/
static void sink(HEAP_ITEM *a, int from, int n)
{
    int k = from, m = greatest(a, k, n);

    /*@ loop invariant range:    from <= k < n;
        loop invariant heap:     heap_but(a, from, n, k);
        loop invariant which:    m == k || (m == 2 * k + 1 || m == 2 * k + 2) && m < n;
        loop invariant greatest: leq_below(a, n, k, m) && item_leq(a, k, m);
        loop invariant same:     reordered{Pre,Here}(a, n);
        loop assigns k, m, a[0 .. n - 1];
        loop variant n - k;
    */
    while (m != k) {
        swap(a, k, m) /*@ ghost (n) */;
        k = m;
        m = greatest(a, k, n);
    }
}

/* All of them are a heap. */
/*@ requires valid:    0 <= n && \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  heap:     heap(a, 0, n);
    ensures  same:     reordered{Pre,Post}(a, n);
*/
static void build(HEAP_ITEM *a, int n)
{
    int k = n / 2;

    /*@ loop invariant range: 0 <= k <= n / 2;
        loop invariant heap:  heap(a, k, n);
        loop invariant same:  reordered{Pre,Here}(a, n);
        loop assigns k, a[0 .. n - 1];
        loop variant k;
    */
    while (k > 0) {
        /*@ ghost Before: ; */
        k--;
        sink(a, k, n);
        /*@ assert sunk: reordered{Before,Here}(a, n); */
    }
}

/* The first sinks; what stands behind the l of the heap is sorted and stays so. */
/*@ requires valid:    0 < l <= n && \valid(a + (0 .. n - 1));
    requires heap:     heap(a, 1, l) && sorted_from(a, l, n);
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  heap:     heap(a, 0, l) && sorted_from(a, l, n);
    ensures  same:     reordered{Pre,Post}(a, n);
*/
static void sink_first(HEAP_ITEM *a, int l) /*@ ghost (int n) */
{
    sink(a, 0, l);
    /*@ assert kept: same_rest{Pre,Here}(a, l, n); */
    /*@ assert less: drawn{Pre,Here}(a, l); */
    /*@ assert sunk: reordered{Pre,Here}(a, n); */
    /*@ assert leq:  \forall integer j; l <= j < n ==> items_leq(a, j, j); */
}

/* The first of a heap is the greatest; it comes last, and what is left is a heap. */
/*@ requires valid:    0 < m <= n && \valid(a + (0 .. n - 1));
    requires heap:     heap(a, 0, m) && sorted_from(a, m, n);
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  heap:     heap(a, 0, m - 1) && sorted_from(a, m - 1, n);
    ensures  same:     reordered{Pre,Post}(a, n);
*/
static void take(HEAP_ITEM *a, int m) /*@ ghost (int n) */
{
    /*@ ghost int k = 1; */
    /*@ ghost
    /@ loop invariant range: 1 <= k <= m;
       loop invariant first: items_leq(a, k, 0);
       loop assigns k;
       loop variant m - k;
    @/
    while (k < m) {
        /@ assert parent: 2 * ((k - 1) / 2) + 1 == k || 2 * ((k - 1) / 2) + 2 == k; @/
        /@ assert before: leq_below(a, m, (k - 1) / 2, (k - 1) / 2); @/
        k++;
    }
    */
    /*@ assert top:    items_leq(a, m, 0); */
    swap(a, 0, m - 1) /*@ ghost (n) */;
    /*@ ghost Swapped: ; */
    /*@ assert rest:   heap(a, 1, m - 1); */
    /*@ assert last:   items_leq(a, m - 1, m - 1); */
    /*@ assert behind: sorted_from(a, m, n); */
    /*@ assert end:    sorted_from(a, m - 1, n); */
    if (m > 1)
        sink_first(a, m - 1) /*@ ghost (n) */;
}

/* The same items, sorted. */
/*@ requires valid:    0 <= n && \valid(a + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  a[0 .. n - 1];
    ensures  sorted:   sorted_from(a, 0, n);
    ensures  same:     reordered{Pre,Post}(a, n);
*/
static void heap_sort(HEAP_ITEM *a, int n)
{
    int m = n;

    build(a, n);
    /*@ loop invariant range:  0 <= m <= n;
        loop invariant heap:   heap(a, 0, m) && sorted_from(a, m, n);
        loop invariant same:   reordered{Pre,Here}(a, n);
        loop assigns m, a[0 .. n - 1];
        loop variant m;
    */
    while (m > 0) {
        take(a, m) /*@ ghost (n) */;
        m--;
    }
}
