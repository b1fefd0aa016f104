#include "base/cells.h"

#ifdef __FRAMAC__
#include "base/times.acsl"
#endif

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
