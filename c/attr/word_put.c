#include "attr/word_put.h"

#include "attr/strs_named.h"

void word_put(struct text *t, int w)
{
    char c;

    /*@ loop invariant range: 0 <= k <= WORD_LETTERS;
        loop invariant text:  held_text(t) && t->mem == \at(t->mem, Pre);
        loop invariant apart: \forall struct strs *s; apart_strs{Pre}(t, s) ==> apart_strs(t, s);
        loop invariant wrote: wrote{Pre,Here}(t, add_part(\at(printed(t), Pre), w, k));
        loop assigns k, c, t->a, t->n, t->cap, t->failed, *t->mem, { *p | char *p; \true };
        loop variant WORD_LETTERS - k;
    */
    for (int k = 0; k < WORD_LETTERS; k++) {
        c = word_letter(w, k);
        if (c != '\0')
            text_letter(t, c);
    }
}

void name_put(struct text *t, const struct strs *strs, int id)
{
    const char *p = strs_text(strs, id);
    int n = strs_len(strs, id);

    /*@ ghost
    int k = 0;
    /@ loop invariant range: 0 <= k <= n;
       loop invariant same:  add_chars(printed(t), p, k) == add_letters(printed(t), id, k);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n)
        k++;
    */
    text_put(t, p, (size_t)n);
}

void string_put(struct text *t, const struct strs *strs, int id)
{
    const char *p = strs_text(strs, id);
    int n = strs_len(strs, id);

    /*@ ghost
    int k = 0;
    /@ loop invariant range: 0 <= k <= n;
       loop invariant same:  add_quote(printed(t), p, k) == add_inside(printed(t), id, k);
       loop assigns k;
       loop variant n - k;
    @/
    while (k < n)
        k++;
    */
    text_quote(t, p, (size_t)n);
}
