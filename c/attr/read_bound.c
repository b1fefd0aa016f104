#include "attr/read_bound.h"

#include "attr/read_beside.h"

#ifdef __FRAMAC__
#include "attr/both_trans.acsl"

/* After the word w, which begins after blanks from `from` on. */
#define AFTER(w) \
    requires word:     0 <= from <= r.at && word_text(SRC(r), from, r.at, w);
#define BOUND_VALUE val(VALS(*t->values), \result.x.id)
#define BOUND_READ(b) ((b).r.status == CALQUE_OK ==> bound_text(SRC((b).r), r.at, (b).r.at, t, BOUND((b).x)))
#endif

/* After "inst". */
/*@ EXPRS_READ_REQUIRES
    AFTER(WORD_INST)
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    BOUND_READ_KEEPS
    ensures  kind:     \result.r.status == CALQUE_OK ==> \result.x.kind == BOUND_NAMED && 0 <= \result.x.label;
    ensures  text:     \result.r.status == CALQUE_OK ==> r.at < \result.r.at &&
                       for_inst(SRC(\result.r), from, \result.r.at, \result.x.key, \result.x.label, \result.x.k, BOUND_VALUE);
*/
static struct bound_read read_instance(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */
{
    struct bound_read b = { read_count(r), { BOUND_NAMED, 0, -1, 0, 0 } };
    struct read_long k;

    if (b.r.status != CALQUE_OK)
        return b;
    b.x.key = (int)b.r.number;
    /*@ ghost long count = b.r.at; */
    /*@ assert count:  count_text(SRC(b.r), r.at, count, b.x.key); */
    b.r = read_word(b.r);
    k = read_long(b.r);
    if (!k.ok) {
        b.r = read_fail(b.r, CALQUE_BAD);
        return b;
    }
    b.x.k = k.z;
    /*@ ghost long number = b.r.at; */
    /*@ assert number: long_text(SRC(b.r), count, number, b.x.k); */
    b.r = read_label(b.r, strs);
    if (b.r.status != CALQUE_OK)
        return b;
    b.x.label = b.r.id;
    /*@ ghost long label = b.r.at; */
    /*@ assert label:  label_text(SRC(b.r), number, label, b.x.label); */
    b.r = read_value_of(b.r, t, strs);
    b.x.id = b.r.id;
    /*@ assert source: SRC(b.r) == \at(SRC(r), Pre); */
    /*@ assert value:  b.r.status == CALQUE_OK ==> value_text(SRC(b.r), label, b.r.at, val(VALS(*t->values), b.x.id), -1); */
    return b;
}

/* After "alt". */
/*@ READ_REQUIRES
    AFTER(WORD_MATCH)
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  forward:  further(r, \result.r);
    ensures  status:   \result.r.status == CALQUE_OK || \result.r.status == CALQUE_BAD && \result.r.id == -1;
    ensures  kind:     \result.x.kind == BOUND_NAMED && \result.x.label == -1 && \result.x.k == 0;
    ensures  range:    \result.r.status == CALQUE_OK ==> 0 <= \result.x.key && 0 <= \result.x.id;
    ensures  text:     \result.r.status == CALQUE_OK ==> r.at < \result.r.at &&
                       for_taken(SRC(r), from, \result.r.at, \result.x.key, \result.x.id);
*/
static struct bound_read read_taken(struct reading r)
    /*@ ghost (long from) */
{
    struct bound_read b = { read_count(r), { BOUND_NAMED, 0, -1, 0, 0 } };

    if (b.r.status != CALQUE_OK)
        return b;
    b.x.key = (int)b.r.number;
    /*@ ghost long count = b.r.at; */
    /*@ assert count:  count_text(SRC(r), r.at, count, b.x.key); */
    b.r = read_count(b.r);
    if (b.r.status != CALQUE_OK)
        return b;
    b.x.id = (int)b.r.number;
    /*@ assert which:  count_text(SRC(r), count, b.r.at, b.x.id); */
    return b;
}

/* After "sym". */
/*@ EXPRS_READ_REQUIRES
    AFTER(WORD_SYMBOL)
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    BOUND_READ_KEEPS
    ensures  kind:     \result.r.status == CALQUE_OK ==> \result.x.kind == BOUND_SYMBOL;
    ensures  text:     \result.r.status == CALQUE_OK ==> r.at < \result.r.at &&
                       for_symbol(SRC(\result.r), from, \result.r.at, \result.x.key, BOUND_VALUE);
*/
static struct bound_read read_for_symbol(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */
{
    struct bound_read b = { read_count(r), { BOUND_SYMBOL, 0, -1, 0, 0 } };

    if (b.r.status != CALQUE_OK)
        return b;
    b.x.key = (int)b.r.number;
    /*@ ghost long count = b.r.at; */
    /*@ assert count:  count_text(SRC(b.r), r.at, count, b.x.key); */
    if (b.x.key >= ATTR_SYMBOL_MAX) {
        b.r = read_fail(b.r, CALQUE_LIMIT);
        return b;
    }
    b.r = read_value_of(b.r, t, strs);
    b.x.id = b.r.id;
    /*@ assert source: SRC(b.r) == \at(SRC(r), Pre); */
    /*@ assert value:  b.r.status == CALQUE_OK ==> value_text(SRC(b.r), count, b.r.at, val(VALS(*t->values), b.x.id), -1); */
    return b;
}

/* The value of a slot, whose pattern and label stand before, from `from` on. */
/*@ EXPRS_READ_REQUIRES
    requires slot:     0 <= slot < t->slot.n && from <= r.at;
    requires before:   slot_text(SRC(r), from, r.at, t->slot.a[slot].pattern, t->slot.a[slot].label);
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    BOUND_READ_KEEPS
    ensures  kind:     \result.r.status == CALQUE_OK ==> \result.x.kind == BOUND_SLOT;
    ensures  text:     \result.r.status == CALQUE_OK ==> r.at < \result.r.at &&
                       for_slot(SRC(\result.r), from, \result.r.at, t->slot.a[\result.x.key].pattern,
                                t->slot.a[\result.x.key].label, BOUND_VALUE);
*/
static struct bound_read value_for_slot(struct reading r, struct attrs *t, struct strs *strs, int slot)
    /*@ ghost (long from) */
{
    struct reading s = read_value_of(r, t, strs);

    /*@ assert slots: kept_slots{Pre,Here}(t); */
    /*@ assert count: \at(t->slot.n, Pre) <= t->slot.n; */
    /*@ assert same:  t->slot.a[slot].pattern == \at(t->slot.a[slot].pattern, Pre) &&
                      t->slot.a[slot].label == \at(t->slot.a[slot].label, Pre); */
    /*@ assert still: slot_text(SRC(s), from, r.at, t->slot.a[slot].pattern, t->slot.a[slot].label); */
    return (struct bound_read){ s, { BOUND_SLOT, slot, -1, 0, s.id } };
}

/* The number and label of a pattern, and the value. */
/*@ EXPRS_READ_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *t, *t->mem, *t->values, *t->values->mem, { *p | struct attr_node *p; \true }, { *q | int *q; \true },
             { *s | struct attr_slot *s; \true }, { *v | struct value *v; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    BOUND_READ_KEEPS
    ensures  kind:     \result.r.status == CALQUE_OK ==> \result.x.kind == BOUND_SLOT;
    ensures  text:     \result.r.status == CALQUE_OK ==> r.at < \result.r.at &&
                       for_slot(SRC(\result.r), r.at, \result.r.at, t->slot.a[\result.x.key].pattern,
                                t->slot.a[\result.x.key].label, BOUND_VALUE);
*/
static struct bound_read read_for_slot(struct reading r, struct attrs *t, struct strs *strs)
{
    struct reading s = read_slot(r, t, strs);
    struct bound_read b;

    if (s.status != CALQUE_OK)
        return (struct bound_read){ s, { BOUND_SLOT, 0, -1, 0, 0 } };
    /*@ ghost Slot: ; */
    b = value_for_slot(s, t, strs, s.id)
        /*@ ghost (r.at) */;
    /*@ assert kept: kept_both{Slot,Here}(t); */
    /*@ assert old:  kept_both{Pre,Here}(t); */
    return b;
}

struct bound_read read_bound(struct reading r, struct attrs *t, struct strs *strs)
{
    struct reading s = read_word(r);
    struct bound_read b;

    /*@ assert word: \forall integer w; spelled(SRC(s), s.word, s.at, w) ==> word_text(SRC(s), r.at, s.at, w); */
    if (read_is(s, WORD_INST)) {
        b = read_instance(s, t, strs)
            /*@ ghost (r.at) */;
        /*@ assert inst: BOUND_READ(b); */
    } else if (read_is(s, WORD_MATCH)) {
        b = read_taken(s)
            /*@ ghost (r.at) */;
        /*@ assert taken: BOUND_READ(b); */
    } else if (read_is(s, WORD_SYMBOL)) {
        b = read_for_symbol(s, t, strs)
            /*@ ghost (r.at) */;
        /*@ assert symbol: BOUND_READ(b); */
    } else {
        b = read_for_slot(r, t, strs);
        /*@ assert key:  b.r.status == CALQUE_OK ==> key_of(t, BOUND_SLOT, b.x.key) == t->slot.a[b.x.key].pattern &&
                         label_of(t, BOUND_SLOT, b.x.key, -1) == t->slot.a[b.x.key].label; */
        /*@ assert slot: BOUND_READ(b); */
    }
    return b;
}
