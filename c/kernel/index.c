/* The value of an index expression (KE-Int .. KE-Mod) and of a condition (KE-Cmp, KE-And) at given variables. */
#include "kernel/index.h"

long index_atom(struct index_view v, int id)
{
    struct aff_atom x = v.atom[id];
    struct aff_form f;
    long r;

    /*@ assert ok: atom_ok(v, id); */
    if (x.kind == IX_VAR)
        return v.var[x.k];
    f = v.form[x.form];
    /*@ assert form: form_ok(v, x.form) && mild(v.term, f.first, f.n, f.k); */
    r = f.k;
    /*@ loop invariant index: 0 <= i <= f.n;
        loop invariant sum:   r == f.k + upto(v.term, f.first, i);
        loop assigns i, r;
        loop variant f.n - i;
    */
    for (int i = 0; i < f.n; i++) {
        struct aff_term t = v.term[f.first + i];
        /*@ assert next: upto(v.term, f.first, i + 1) == upto(v.term, f.first, i) + worth(t.c, t.atom); */
        /*@ assert before: 0 <= t.atom < id; */
        /*@ assert mild: in_long(worth(t.c, t.atom)); */
        /*@ assert sum:  in_long(f.k + upto(v.term, f.first, i + 1)); */
        /*@ assert worth: worth(t.c, t.atom) == t.c * val(t.atom); */
        r += t.c * index_atom(v, t.atom);
    }
    /*@ assert value: r == form_value(v, x.form); */
    return x.kind == IX_DIV ? floor_div(r, x.k) : floor_mod(r, x.k);
}

long index_sum(struct index_view v, const struct aff_term *t, int n, long k)
{
    long r = k;

    /*@ loop invariant index: 0 <= i <= n;
        loop invariant sum:   r == k + upto(t, 0, i);
        loop assigns i, r;
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        /*@ assert next: upto(t, 0, i + 1) == upto(t, 0, i) + worth(t[i].c, t[i].atom); */
        /*@ assert mild: in_long(worth(t[i].c, t[i].atom)) && in_long(k + upto(t, 0, i + 1)); */
        /*@ assert worth: worth(t[i].c, t[i].atom) == t[i].c * val(t[i].atom); */
        r += t[i].c * index_atom(v, t[i].atom);
    }
    return r;
}

void index_coords(int32_t *at, int n, long first, long stride, long extent)
{
    long x = floor_mod(floor_div(first, stride), extent), r = floor_mod(first, stride);

    /*@ loop invariant index: 0 <= l <= n;
        loop invariant rest:  r == floor_mod(first + l, stride);
        loop invariant coord: x == floor_mod(floor_div(first + l, stride), extent);
        loop invariant done:  \forall integer k; 0 <= k < l ==> at[k] == floor_mod(floor_div(first + k, stride), extent);
        loop assigns l, x, r, at[0 .. n - 1];
        loop variant n - l;
    */
    for (int l = 0; l < n; l++) {
        /*@ assert range: 0 <= x < extent && 0 <= r < stride; */
        /*@ assert step: r + 1 < stride ==> floor_div(first + l + 1, stride) == floor_div(first + l, stride); */
        /*@ assert carry: r + 1 == stride ==> floor_div(first + l + 1, stride) == floor_div(first + l, stride) + 1; */
        /*@ assert rest:  r + 1 == stride ==> floor_mod(first + l + 1, stride) == 0; */
        /*@ assert next: x + 1 < extent ==> floor_mod(floor_div(first + l, stride) + 1, extent) == x + 1; */
        /*@ assert wrap: x + 1 == extent ==> floor_mod(floor_div(first + l, stride) + 1, extent) == 0; */
        at[l] = (int32_t)x;
        if (++r == stride) {
            r = 0;
            x = x + 1 == extent ? 0 : x + 1;
            /*@ assert turn: x == floor_mod(floor_div(first + l, stride) + 1, extent); */
            /*@ assert there: floor_div(first + l + 1, stride) == floor_div(first + l, stride) + 1; */
        }
        /*@ assert coord: x == floor_mod(floor_div(first + l + 1, stride), extent); */
    }
}

enum outcome index_decide(int op, long lo, long hi)
{
    bool all, some;

    if (op == CMP_LT) {
        all = hi < 0;
        some = lo < 0;
    } else if (op == CMP_LE) {
        all = hi <= 0;
        some = lo <= 0;
    } else if (op == CMP_GT) {
        all = lo > 0;
        some = hi > 0;
    } else if (op == CMP_GE) {
        all = lo >= 0;
        some = hi >= 0;
    } else if (op == CMP_EQ) {
        all = lo == 0 && hi == 0;
        some = lo <= 0 && hi >= 0;
    } else {
        all = lo > 0 || hi < 0;
        some = lo != 0 || hi != 0;
    }
    if (all)
        return ALWAYS;
    return some ? MIXED : NEVER;
}
