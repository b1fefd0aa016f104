/* Copies of consecutive cells: what only reads a range of another tensor, cell by cell in order (a Slice or Split along the first
   dimension that has several places), needs no code and no memory. Invariant: equal normal forms of indices are equal numbers wherever the
   variables are in their ranges, so the range holds, bit for bit, what the copy would. */
#include "emit/module.h"
#include "kernel/affine.h"

/* The number of a cell, in row-major order, as a form: of the statement's own variables (ix NULL) or of n index expressions. */
static int cell_number(struct aff *a, const struct kernel_tensor *x, const int *ix, int n)
{
    int at = aff_const(a, 0);

    for (int i = 0; i < n; i++) {
        int scaled = aff_add(a, aff_const(a, 0), at, x->dim[i]);
        at = aff_add(a, scaled, ix ? aff_of(a, ix[i]) : aff_var(a, i), 1);
    }
    return at;
}

/* The statement as a part; CALQUE_NO: it is none. */
static enum calque_status part_of(const struct kernel *k, const struct kernel_stmt *s, struct part *out)
{
    const struct ex *e = &k->ex.a[s->body];
    const struct kernel_tensor *y = &k->tensor.a[s->out];
    enum calque_status st = CALQUE_NO;
    struct aff a;
    int differ;

    if (s->look > 0 || e->kind != EX_LOAD || e->op == s->out || kernel_stored(k, e->op) != kernel_stored(k, s->out))
        return CALQUE_NO;
    aff_init(&a, k->mem, k, s);
    differ = aff_add(&a, cell_number(&a, &k->tensor.a[e->op], k->pool.a + e->first, e->n), cell_number(&a, y, NULL, y->rank), -1);
    if (differ >= 0 && a.form.a[differ].n == 0) {
        *out = (struct part){ e->op, s->out, a.form.a[differ].k };
        st = CALQUE_OK;
    } else if (a.status == CALQUE_NOMEM) {
        st = CALQUE_NOMEM;
    }
    aff_free(&a);
    return st;
}

enum calque_status part_find(const struct kernel *k, struct part *out)
{
    enum calque_status st = k->stmt.n > 0 ? CALQUE_OK : CALQUE_NO;

    for (int i = 0; i < k->stmt.n && st == CALQUE_OK; i++)
        st = part_of(k, &k->stmt.a[i], &out[i]);
    return st;
}

int module_part(struct module *u, int slot, size_t offset, size_t bytes)
{
    const struct slot *s = &u->slot.a[slot];

    if (s->kind == SLOT_PART)
        return module_part(u, s->index, s->offset + offset, bytes); /* once: that one is none */
    return module_slot(u, (struct slot){ .kind = SLOT_PART, .index = slot, .bytes = bytes, .offset = offset });
}

int module_whole(const struct module *u, int slot)
{
    return u->slot.a[slot].kind == SLOT_PART ? u->slot.a[slot].index : slot;
}
