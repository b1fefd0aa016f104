#include "attr/read_label.h"

struct reading read_label(struct reading r, struct strs *strs)
{
    const char *s;
    long n;
    int id;

    r = read_name(r);
    if (r.status != CALQUE_OK)
        return r;
    s = r.text + r.word;
    n = r.at - r.word;
    /*@ ghost
    long k = 0;
    /@ loop invariant range: 0 <= k <= n;
       loop invariant same:  letters_of(s, k) == taken(SRC(r), r.word, r.word + k);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n) {
        /@ assert step: chr(SRC(r), r.word + k) == s[k]; @/
        k++;
    }
    */
    id = read_intern(strs, s, n)
        /*@ ghost (r.text, r.n) */;
    if (id < 0)
        return read_fail(r, CALQUE_NOMEM);
    r.id = id;
    return r;
}
