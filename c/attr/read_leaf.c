#include "attr/read_leaf.h"

#include "attr/read_beside.h"
#include "attr/read_make.h"

#ifdef __FRAMAC__
#include "attr/both_trans.acsl"
#include "attr/reads.acsl"
#endif

struct reading read_slot(struct reading r, struct attrs *t, struct strs *strs)
{
    struct reading s = read_count(r);
    int p, slot;

    if (s.status != CALQUE_OK)
        return s;
    p = (int)s.number;
    /*@ ghost long at = s.at; */
    /*@ assert count: count_text(SRC(s), r.at, at, p); */
    s = read_label(s, strs);
    if (s.status != CALQUE_OK)
        return s;
    /*@ assert label: label_text(SRC(s), at, s.at, s.id); */
    /*@ assert text:  slot_text(SRC(s), r.at, s.at, p, s.id); */
    slot = expr_slot(t, p, s.id);
    if (slot < 0)
        return read_fail(s, CALQUE_NOMEM);
    /*@ assert slot:  slot_text(SRC(s), r.at, s.at, t->slot.a[slot].pattern, t->slot.a[slot].label); */
    s.id = slot;
    return s;
}

struct reading read_access(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */
{
    struct reading s = read_slot(r, t, strs);
    int slot = s.id, id;

    if (s.status != CALQUE_OK)
        return s;
    /*@ ghost Slot: ; */
    /*@ ghost long at = s.at; */
    /*@ assert first: kept_both{Pre,Here}(t) && 0 <= slot < t->slot.n; */
    /*@ assert was:   slot_text(SRC(s), r.at, at, t->slot.a[slot].pattern, t->slot.a[slot].label); */
    s = read_mark(s, ')');
    if (s.status != CALQUE_OK)
        return s;
    /*@ assert still: slot_text(SRC(s), r.at, at, t->slot.a[slot].pattern, t->slot.a[slot].label); */
    id = expr_make(t, ATTR_ACCESS, 0, slot, 0);
    /*@ assert kept:  kept_both{Slot,Here}(t); */
    /*@ assert old:   kept_both{Pre,Here}(t); */
    /*@ assert same:  t->slot.a[slot].pattern == \at(t->slot.a[slot].pattern, Slot) &&
                      t->slot.a[slot].label == \at(t->slot.a[slot].label, Slot); */
    /*@ assert slot:  slot_text(SRC(s), r.at, at, t->slot.a[slot].pattern, t->slot.a[slot].label); */
    /*@ assert open:  opens(SRC(s), from, r.word, r.at, WORD_ACCESS); */
    /*@ assert close: marks(SRC(s), at, s.at, ')'); */
    /*@ assert more:  from < s.at; */
    /*@ assert text:  id >= 0 ==> reads(SRC(s), from, s.at, t, id); */
    return read_made(s, id);
}

struct reading read_symbol(struct reading r, struct attrs *t)
    /*@ ghost (long from) */
{
    struct reading s = read_count(r);
    int symbol, id;

    if (s.status != CALQUE_OK)
        return s;
    symbol = (int)s.number;
    /*@ ghost long at = s.at; */
    /*@ assert count: count_text(SRC(s), r.at, at, symbol); */
    s = read_mark(s, ')');
    if (s.status != CALQUE_OK)
        return s;
    id = expr_make_symbol(t, ATTR_SYMBOL, symbol, 0, 0);
    /*@ assert open:  opens(SRC(s), from, r.word, r.at, WORD_SYMBOL); */
    /*@ assert close: marks(SRC(s), at, s.at, ')'); */
    /*@ assert more:  from < s.at; */
    /*@ assert text:  id >= 0 ==> reads(SRC(s), from, s.at, t, id); */
    return read_made(s, id);
}

struct reading read_const(struct reading r, struct attrs *t, struct strs *strs)
    /*@ ghost (long from) */
{
    struct reading s = read_blanks(r);
    int v, id;

    if (!read_sees(s, '('))
        return read_fail(s, CALQUE_BAD);
    /*@ ghost long start = s.at; */
    s = read_value_of(s, t, strs);
    v = s.id;
    if (s.status != CALQUE_OK)
        return s;
    /*@ ghost Value: ; */
    /*@ ghost long at = s.at; */
    /*@ assert first: kept_both{Pre,Here}(t) && 0 <= v < t->values->n; */
    /*@ assert was:   value_text(SRC(s), start, at, val(VALS(*t->values), v), -1); */
    s = read_mark(s, ')');
    if (s.status != CALQUE_OK)
        return s;
    id = expr_make(t, ATTR_CONST, 0, v, 0);
    /*@ assert kept:  kept_both{Value,Here}(t); */
    /*@ assert old:   kept_both{Pre,Here}(t); */
    /*@ assert same:  val(VALS(*t->values), v) == \at(val(VALS(*t->values), v), Value); */
    /*@ assert value: value_text(SRC(s), start, at, val(VALS(*t->values), v), -1); */
    /*@ assert blank: skips(SRC(s), r.at, start) && mark(SRC(s), start, '('); */
    /*@ assert open:  opens(SRC(s), from, r.word, r.at, WORD_CONST); */
    /*@ assert close: marks(SRC(s), at, s.at, ')'); */
    /*@ assert more:  from < s.at; */
    /*@ assert text:  id >= 0 ==> reads(SRC(s), from, s.at, t, id); */
    return read_made(s, id);
}

struct reading read_leaf(struct reading r, struct attrs *t, struct strs *strs)
{
    struct reading s = read_word(r);
    int id, v;

    if (read_is(s, WORD_ANY)) {
        /*@ assert word: word_at(SRC(s), r.at, s.at) && spelled(SRC(s), r.at, s.at, WORD_ANY); */
        id = expr_make(t, ATTR_ANY, 0, 0, 0);
        /*@ assert any: id >= 0 ==> reads(SRC(s), r.at, s.at, t, id); */
        return read_made(s, id);
    }
    s = read_value_of(r, t, strs);
    if (s.status != CALQUE_OK)
        return s;
    v = s.id;
    /*@ ghost Value: ; */
    /*@ assert first: kept_both{Pre,Here}(t) && 0 <= v < t->values->n; */
    /*@ assert was:   value_text(SRC(s), r.at, s.at, val(VALS(*t->values), v), -1); */
    id = expr_make(t, ATTR_CONST, 0, v, 0);
    /*@ assert kept:  kept_both{Value,Here}(t); */
    /*@ assert old:   kept_both{Pre,Here}(t); */
    /*@ assert same:  val(VALS(*t->values), v) == \at(val(VALS(*t->values), v), Value); */
    /*@ assert value: value_text(SRC(s), r.at, s.at, val(VALS(*t->values), v), -1); */
    /*@ assert plain: plain(SRC(s), r.at); */
    /*@ assert text:  id >= 0 ==> reads(SRC(s), r.at, s.at, t, id); */
    return read_made(s, id);
}
