#include "kernel/index.h"

long index_atom(struct index_view v, int id)
{
    struct aff_atom x = v.atom[id];
    const struct aff_term *t;
    struct aff_form f;
    long r;

    /*@ assert ok: atom_ok(v, id); */
    if (x.kind == IX_VAR)
        return v.var[x.k];
    f = v.form[x.form];
    /*@ assert form: form_ok(v, x.form) && mild(v.term + f.first, f.n, f.k); */
    t = v.term + f.first;
    r = f.k;
    /*@ loop invariant index: 0 <= i <= f.n;
        loop invariant sum:   r == f.k + upto(t, i);
        loop assigns i, r;
        loop variant f.n - i;
    */
    for (int i = 0; i < f.n; i++) {
        /*@ assert next: upto(t, i + 1) == upto(t, i) + t[i].c * val(t[i].atom); */
        /*@ assert mild: in_long(t[i].c * val(t[i].atom)) && in_long(f.k + upto(t, i + 1)); */
        r += t[i].c * index_atom(v, t[i].atom);
    }
    return x.kind == IX_DIV ? floor_div(r, x.k) : floor_mod(r, x.k);
}

long index_sum(struct index_view v, const struct aff_term *t, int n, long k)
{
    long r = k;

    /*@ loop invariant index: 0 <= i <= n;
        loop invariant sum:   r == k + upto(t, i);
        loop assigns i, r;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ assert next: upto(t, i + 1) == upto(t, i) + t[i].c * val(t[i].atom); */
        /*@ assert mild: in_long(t[i].c * val(t[i].atom)) && in_long(k + upto(t, i + 1)); */
        r += t[i].c * index_atom(v, t[i].atom);
    }
    return r;
}

void index_coords(int32_t *at, int n, long first, long stride, long extent)
{
    long x = first / stride % extent, r = first % stride;

    /*@ loop invariant index: 0 <= l <= n;
        loop invariant rest:  r == floor_mod(first + l, stride);
        loop invariant coord: x == floor_mod(floor_div(first + l, stride), extent);
        loop invariant done:  \forall integer k; 0 <= k < l ==> at[k] == floor_mod(floor_div(first + k, stride), extent);
        loop assigns l, x, r, at[0 .. n - 1];
        loop variant n - l;
    */
    for (int l = 0; l < n; l++) {
        /*@ assert range: 0 <= x < extent && 0 <= r < stride; */
        at[l] = (int32_t)x;
        if (++r == stride) {
            r = 0;
            x = x + 1 == extent ? 0 : x + 1;
        }
    }
}

enum outcome index_decide(int op, long lo, long hi)
{
    switch (op) {
    case CMP_LT:
        return hi < 0 ? ALWAYS : lo >= 0 ? NEVER : MIXED;
    case CMP_LE:
        return hi <= 0 ? ALWAYS : lo > 0 ? NEVER : MIXED;
    case CMP_GT:
        return lo > 0 ? ALWAYS : hi <= 0 ? NEVER : MIXED;
    case CMP_GE:
        return lo >= 0 ? ALWAYS : hi < 0 ? NEVER : MIXED;
    case CMP_EQ:
        return lo > 0 || hi < 0 ? NEVER : lo == hi ? ALWAYS : MIXED;
    default:
        return lo > 0 || hi < 0 ? ALWAYS : lo == hi ? NEVER : MIXED;
    }
}
