/* Arithmetic of indices: floor quotients and remainders, sums and products that fit or are refused, cells of boxes, rows. */
#include "base/arith.h"

#ifdef __FRAMAC__
#include "base/times.acsl"
#endif

long floor_div(long a, long k)
{
    return a / k - (a % k < 0);
}

long floor_mod(long a, long k)
{
    return a % k < 0 ? a % k + k : a % k;
}

struct exact exact_add(long a, long b)
{
    struct exact r = { b > 0 ? a <= LONG_MAX - b : a >= LONG_MIN - b, 0 };

    if (r.fits)
        r.z = a + b;
    return r;
}

bool exceeds(long a, long b, long max)
{
    return a > max / b;
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  fits:     \result != 0 ==> in_long(a * b);
    ensures  refused:  \result == 0 ==> !in_long(a * b);
*/
static bool mul_fits(long a, long b)
{
    if (a == 0 || b == 0)
        return true;
    if (a > 0 && b > 0)
        return !exceeds(a, b, LONG_MAX);
    if (b > 0) {
        /*@ assert down: a >= LONG_MIN / b <==> a * b >= LONG_MIN; */
        return a >= LONG_MIN / b;
    }
    if (a > 0) {
        /*@ assert down: b >= LONG_MIN / a <==> b * a >= LONG_MIN; */
        return b >= LONG_MIN / a;
    }
    return a != LONG_MIN && b != LONG_MIN && !exceeds(-a, -b, LONG_MAX);
}

struct exact exact_mul(long a, long b)
{
    struct exact r = { mul_fits(a, b), 0 };

    if (r.fits)
        r.z = a * b;
    return r;
}

long row_cells(const long *dim, int n, long max)
{
    long r = 1;
    bool empty = false;

    /*@ loop invariant range: 0 <= i <= n && 1 <= r <= max + 1;
        loop invariant empty: empty != 0 <==> cells(dim, i) == 0;
        loop invariant count: 0 <= cells(dim, i);
        loop invariant fits:  empty == 0 ==> r <= max ==> r == cells(dim, i);
        loop invariant far:   empty == 0 ==> r > max ==> cells(dim, i) > max;
        loop assigns i, r, empty;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ assert next: cells(dim, i + 1) == cells(dim, i) * dim[i]; */
        /*@ assert zero: cells(dim, i + 1) == 0 <==> cells(dim, i) == 0 || dim[i] == 0; */
        if (dim[i] == 0) {
            empty = true;
        } else {
            /*@ assert more: cells(dim, i) <= cells(dim, i + 1); */
            if (exceeds(r, dim[i], max)) {
                /*@ assert over: r * dim[i] > max; */
                /*@ assert least: empty == 0 ==> r <= max ==> cells(dim, i + 1) == r * dim[i]; */
                /*@ assert beyond: empty == 0 ==> cells(dim, i + 1) > max; */
                r = max + 1; /* too many, unless some dimension is 0 */
            } else {
                /*@ assert under: r * dim[i] <= max; */
                /*@ assert least: r <= r * dim[i]; */
                /*@ assert exact: empty == 0 ==> cells(dim, i + 1) == r * dim[i]; */
                r *= dim[i];
            }
        }
    }
    return empty ? 0 : r > max ? -1 : r;
}

long row_place(const long *dim, const long *at, int n)
{
    long r = 0;

    /*@ loop invariant index: 0 <= i <= n;
        loop invariant place: r == place(dim, at, i);
        loop invariant range: 0 <= r < cells(dim, i);
        loop assigns i, r;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ assert next: cells(dim, i + 1) == cells(dim, i) * dim[i]; */
        /*@ assert here: 0 <= at[i] < dim[i]; */
        /*@ assert some: 0 < dim[i]; */
        /*@ assert row:  r * dim[i] + dim[i] <= cells(dim, i) * dim[i]; */
        /*@ assert less: 0 <= r * dim[i]; */
        /*@ assert size: cells(dim, i + 1) <= LONG_MAX; */
        r = r * dim[i] + at[i];
    }
    return r;
}

/* Coordinate i - 1 of a cell whose place in the first i dimensions is x. */
/*@ requires valid:    0 < i <= n && \valid_read(dim + (0 .. n - 1)) && \valid(at + (0 .. n - 1));
    requires apart:    \separated(dim + (0 .. n - 1), at + (0 .. n - 1));
    requires digit:    x == q * dim[i - 1] + c;
    terminates \true;
    exits    never:    \false;
    assigns  at[i - 1];
    ensures  digit:    at[i - 1] == c;
    ensures  others:   \forall integer j; i <= j < n ==> at[j] == \old(at[j]);
    ensures  dims:     \forall integer j; 0 <= j < n ==> dim[j] == \old(dim[j]);
    ensures  place:    place_from(dim, at, q, i - 1, n) == \old(place_from(dim, at, x, i, n));
    ensures  cells:    \forall integer j; 0 <= j <= n ==> cells{Pre}(dim, j) == cells{Post}(dim, j);
*/
static void put_digit(long *at, int i, long c) /*@ ghost (const long *dim, int n, long x, long q) */
{
    at[i - 1] = c;
    /*@ assert dim: \forall integer j; 0 <= j < n ==> dim[j] == \at(dim[j], Pre); */
    /*@ assert at: \forall integer j; i <= j < n ==> at[j] == \at(at[j], Pre); */
    /*@ assert digit: x == times(q, dim[i - 1]) + c; */
    /*@ assert one: place_from{Here}(dim, at, q, i - 1, i) ==
                    times(place_from{Here}(dim, at, q, i - 1, i - 1), dim[i - 1]) + at[i - 1]; */
    /*@ assert first: place_from{Here}(dim, at, q, i - 1, i) == place_from{Pre}(dim, at, x, i, i); */
    /*@ ghost
    int k = i;
    /@ loop invariant index: i <= k <= n;
       loop invariant same:  \forall integer j; i <= j <= k ==>
                             place_from{Here}(dim, at, q, i - 1, j) == place_from{Pre}(dim, at, x, i, j);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n) {
        /@ assert digit: \let m = k; dim[m] == \at(dim[m], Pre) && at[m] == \at(at[m], Pre); @/
        /@ assert sofar: place_from{Here}(dim, at, q, i - 1, k) == place_from{Pre}(dim, at, x, i, k); @/
        /@ assert step: place_from{Here}(dim, at, q, i - 1, k + 1) == place_from{Pre}(dim, at, x, i, k + 1); @/
        k++;
    }
    /@ loop invariant index: 0 <= m <= n;
       loop invariant cells: \forall integer j; 0 <= j <= m ==> cells{Here}(dim, j) == cells{Pre}(dim, j);
       loop assigns m;
       loop variant n - m;
    @/
    for (int m = 0; m < n; m++) {
        /@ assert step: cells{Here}(dim, m + 1) == cells{Pre}(dim, m + 1); @/
    }
    */
}

void row_cell(const long *dim, int n, long place, long *at)
{
    long x = place;
    int i = n;

    /*@ loop invariant index: 0 <= i <= n;
        loop invariant range: 0 <= x < cells(dim, i);
        loop invariant box:   box_from(dim, at, i, n);
        loop invariant place: place_from(dim, at, x, i, n) == place;
        loop assigns i, x, at[0 .. n - 1];
        loop variant i;
    */
    while (i > 0) {
        long d = dim[i - 1], q, c;
        /*@ assert last: cells(dim, i) == cells(dim, i - 1) * d && 0 <= d; */
        /*@ assert none: d == 0 ==> cells(dim, i) == 0; */
        /*@ assert some: 0 < d; */
        q = floor_div(x, d);
        c = floor_mod(x, d);
        /*@ assert rest: x == q * d + c; */
        /*@ assert split: 0 <= q < cells(dim, i - 1) && 0 <= c < d && x == q * d + c; */
        put_digit(at, i, c) /*@ ghost (dim, n, x, q) */;
        /*@ assert digit: 0 <= at[i - 1] < dim[i - 1]; */
        /*@ assert others: box_from(dim, at, i, n); */
        /*@ assert box: box_from(dim, at, i - 1, n); */
        x = q;
        i--;
    }
}

/*@ ghost
/@ requires valid:    0 <= n && \valid_read(dim + (0 .. n - 1)) && \valid_read(at + (0 .. n - 1));
   requires box:      in_box(dim, at, n);
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  range:    \forall integer i; 0 <= i <= n ==> 0 <= place(dim, at, i) < cells(dim, i);
@/
void row_range(const long *dim, const long *at, int n)
{
    /@ loop invariant index: 0 <= i <= n;
       loop invariant range: \forall integer j; 0 <= j <= i ==> 0 <= place(dim, at, j) < cells(dim, j);
       loop assigns i;
       loop variant n - i;
    @/
    for (int i = 0; i < n; i++) {
        /@ assert next: cells(dim, i + 1) == cells(dim, i) * dim[i]; @/
        /@ assert here: 0 <= at[i] < dim[i] && 0 <= place(dim, at, i) < cells(dim, i); @/
        /@ assert less: 0 <= place(dim, at, i) * dim[i]; @/
        /@ assert row:  place(dim, at, i) * dim[i] + dim[i] <= cells(dim, i) * dim[i]; @/
        /@ assert last: place(dim, at, i + 1) == place(dim, at, i) * dim[i] + at[i]; @/
    }
}

void row_one(const long *dim, const long *at, const long *bt, int n)
{
    int i = n;

    row_range(dim, at, n);
    row_range(dim, bt, n);
    /@ loop invariant index: 0 <= i <= n;
       loop invariant same:  place(dim, at, i) == place(dim, bt, i);
       loop invariant one:   \forall integer k; i <= k < n ==> at[k] == bt[k];
       loop assigns i;
       loop variant i;
    @/
    while (i > 0) {
        /@ assert box: 0 <= at[i - 1] < dim[i - 1] && 0 <= bt[i - 1] < dim[i - 1]; @/
        /@ assert at: joined(place(dim, at, i), place(dim, at, i - 1), at[i - 1], dim[i - 1]); @/
        /@ assert bt: joined(place(dim, bt, i), place(dim, bt, i - 1), bt[i - 1], dim[i - 1]); @/
        /@ assert one: place(dim, at, i - 1) == place(dim, bt, i - 1) && at[i - 1] == bt[i - 1]; @/
        i--;
    }
}
*/

/* How much to reserve: a capacity that doubles and does not overflow. */

int mem_cap(int cap, int need)
{
    int c = cap < 8 ? 8 : cap;

    /*@ loop invariant below: \max(cap, 8) <= c && (c == \max(cap, 8) || c <= need + need / 2 + 8);
        loop invariant half:  c == \max(cap, 8) || (8 <= cap ==> cap + cap / 2 < c);
        loop invariant same:  need <= \max(cap, 8) ==> c == \max(cap, 8);
        loop assigns c;
        loop variant need - c;
    */
    while (c < need)
        c += c / 2 + 8;
    return c;
}
