#include "attr/read_value.h"

#include "attr/value_new.h"

struct reading read_made(struct reading r, int id)
{
    if (id < 0)
        return read_fail(r, CALQUE_LIMIT);
    r.id = id;
    return r;
}

struct reading read_push(struct reading r, struct mem *m)
{
    int id = r.id;

    r = read_room(r, m);
    if (r.status == CALQUE_OK)
        r.ids[r.nids++] = (unsigned)id;
    return r;
}

/* One character of a string. Only the printed characters 32 .. 126 stand for themselves. */
/*@ requires text:     readable(r) && r.at < r.n;
    requires quote:    chr(SRC(r), r.at) != '"';
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  range:    -1 <= \result.c <= 255;
    ensures  char:     0 <= \result.c ==> r.at < \result.at <= r.n && char_text(SRC(r), r.at, \result.at, \result.c);
*/
static struct read_char read_letter(struct reading r)
{
    char c = r.text[r.at];
    struct read_char x = { r.at + 1, c };

    /*@ assert char: chr(SRC(r), r.at) == c; */
    if (c == '\\') {
        r.at++;
        return read_escape(r);
    }
    if (c < 32 || c > 126)
        x.c = -1;
    return x;
}

/* Puts c behind the first n characters; the text stays. */
/*@ requires place:    0 <= n && \valid(buffer + (0 .. n));
    requires char:     0 <= c <= 255;
    requires text:     0 <= len && \valid_read(text + (0 .. len - 1)) && \separated(buffer + (0 .. n), text + (0 .. len - 1));
    terminates \true;
    exits    never:    \false;
    assigns  buffer[n];
    ensures  letters:  letters_of(buffer, n + 1) == snoc(\old(letters_of(buffer, n)), as_char(c));
    ensures  text:     source_of(text, len) == \old(source_of(text, len));
*/
static void put_letter(char *buffer, long n, int c) /*@ ghost (const char *text, long len) */
{
    buffer[n] = (char)(c > 127 ? c - 256 : c);
    /*@ ghost
    long i = 0;
    /@ loop invariant range: 0 <= i <= n;
       loop invariant same:  letters_of(buffer, i) == letters_of{Pre}(buffer, i);
       loop assigns i;
       loop variant n - i;
    @/
    while (i < n)
        i++;
    */
    /*@ assert char: buffer[n] == as_char(c); */
    /*@ assert next: letters_of(buffer, n + 1) == snoc(letters_of(buffer, n), buffer[n]); */
    /*@ assert same: \forall integer k; 0 <= k < len ==> text[k] == \at(text[k], Pre); */
    /*@ assert text: \forall integer k; 0 <= k < len ==> chr(source_of(text, len), k) == chr(\at(source_of(text, len), Pre), k); */
}

/* The characters up to the quote, in the buffer; .number of them. */
/*@ READ_REQUIRES
    requires buffer:   \valid(buffer + (0 .. r.n - r.at - 1)) &&
                       \separated(buffer + (0 .. r.n - r.at - 1), r.text + (0 .. r.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  buffer[0 .. r.n - r.at - 1];
    READ_KEEPS
    ensures  source:   SRC(\result) == \old(SRC(r));
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_BAD && \result.id == -1;
    ensures  number:   \result.status == CALQUE_OK ==> 0 <= \result.number <= r.n - r.at;
    ensures  letters:  \result.status == CALQUE_OK ==>
                       string_text(SRC(\result), r.at, \result.at, letters_of(buffer, \result.number));
    ensures  quote:    \result.status == CALQUE_OK ==> \result.at < r.n ==> mark(SRC(\result), \result.at, '"');
*/
static struct reading unquote(struct reading r, char *buffer)
{
    struct read_char x;

    r.number = 0;
    /*@ loop invariant place:   further(\at(r, Pre), r) && r.status == CALQUE_OK;
        loop invariant number:  0 <= r.number <= r.at - \at(r.at, Pre);
        loop invariant source:  SRC(r) == \at(SRC(r), Pre);
        loop invariant letters: string_text(SRC(r), \at(r.at, Pre), r.at, letters_of(buffer, r.number));
        loop assigns r, x, buffer[0 .. \at(r.n, Pre) - \at(r.at, Pre) - 1];
        loop variant r.n - r.at;
    */
    while (r.at < r.n && r.text[r.at] != '"') {
        /*@ assert char: chr(SRC(r), r.at) == r.text[r.at]; */
        x = read_letter(r);
        if (x.c < 0)
            return read_fail(r, CALQUE_BAD);
        put_letter(buffer, r.number, x.c)
            /*@ ghost (r.text, r.n) */;
        r.number++;
        r.at = x.at;
    }
    /*@ assert quote: r.at < r.n ==> chr(SRC(r), r.at) == r.text[r.at]; */
    return r;
}

/* The same, and past the quote. */
/*@ READ_REQUIRES
    requires buffer:   \valid(buffer + (0 .. r.n - r.at - 1)) &&
                       \separated(buffer + (0 .. r.n - r.at - 1), r.text + (0 .. r.n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  buffer[0 .. r.n - r.at - 1];
    READ_KEEPS
    ensures  source:   SRC(\result) == \old(SRC(r));
    ensures  status:   \result.status == CALQUE_OK || \result.status == CALQUE_BAD && \result.id == -1;
    ensures  number:   \result.status == CALQUE_OK ==> 0 <= \result.number <= r.n - r.at;
    ensures  letters:  \result.status == CALQUE_OK ==> r.at < \result.at && mark(SRC(\result), \result.at - 1, '"') &&
                       string_text(SRC(\result), r.at, \result.at - 1, letters_of(buffer, \result.number));
*/
static struct reading unquoted(struct reading r, char *buffer)
{
    r = unquote(r, buffer);
    if (r.status != CALQUE_OK)
        return r;
    if (r.at == r.n)
        return read_fail(r, CALQUE_BAD);
    r.at++;
    return r;
}

/* A string as value: its characters are in the buffer. */
/*@ VALUES_READ_REQUIRES
    requires buffer:   0 <= r.number && \valid_read(buffer + (0 .. r.number - 1));
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true }, { *c | char *c; \true };
    VALUES_READ_KEEPS
    ensures  same:     \result.at == r.at;
    ensures  string:   \result.status == CALQUE_OK ==> v_kind(READ_VALUE) == VALUE_STR &&
                       add_name(no_letters, v_num(READ_VALUE)) == \old(letters_of(buffer, r.number));
*/
static struct reading string_made(struct reading r, struct values *vs, struct strs *strs, const char *buffer)
{
    int id = read_intern(strs, buffer, r.number)
        /*@ ghost (r.text, r.n) */;

    return id < 0 ? read_fail(r, CALQUE_NOMEM) : read_made(r, value_str(vs, id));
}

struct reading read_string(struct reading r, struct values *vs, struct strs *strs)
{
    char *buffer = read_buffer(vs->mem, r.n - r.at)
        /*@ ghost (r.text, r.n) */;

    /*@ assert same: same_values{Pre,Here}(vs->v, vs->pool, vs->n, vs->npool); */
    /*@ assert wf:   ready_values(vs); */
    /*@ assert old:  extends(\at(VALS(*vs), Pre), VALS(*vs), vs->n); */
    if (!buffer)
        return read_fail(r, CALQUE_NOMEM);
    r = unquoted(r, buffer);
    /*@ assert after: same_values{Pre,Here}(vs->v, vs->pool, vs->n, vs->npool); */
    if (r.status == CALQUE_OK)
        r = string_made(r, vs, strs, buffer);
    read_buffer_free(buffer);
    return r;
}

/* Is the word read last one of a float: hexadecimal, inf, -inf, nan? */
/*@ WORD_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  result:   \result == 0 || \result == 1;
    ensures  form:     \result == 1 <==> float_form(SRC(r), r.word, r.at);
*/
static bool is_float(struct reading r)
{
    long first = r.word + (r.word < r.at && r.text[r.word] == '-');

    /*@ assert sign:  r.word < r.at ==> chr(SRC(r), r.word) == r.text[r.word]; */
    /*@ assert first: first == digits_start(SRC(r), r.word, r.at); */
    /*@ assert zero:  first + 3 <= r.at ==> chr(SRC(r), first) == r.text[first] && chr(SRC(r), first + 1) == r.text[first + 1]; */
    if (r.at - first < 3 || r.at - r.word > SCAN_NUMBER_MAX)
        return false;
    return (r.text[first] == '0' && r.text[first + 1] == 'x') || read_is(r, WORD_INF) || read_is(r, WORD_NEGINF) ||
           read_is(r, WORD_NAN);
}

/* The float that it says. */
/*@ VALUES_READ_REQUIRES
    requires word:     0 <= r.word < r.at && letters_at(SRC(r), r.word, r.at);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUES_READ_KEEPS
    ensures  same:     \result.at == r.at;
    ensures  float:    \result.status == CALQUE_OK ==> float_word(SRC(\result), r.word, r.at, READ_VALUE);
*/
static struct reading read_float(struct reading r, struct values *vs)
{
    if (!is_float(r) || !read_is_double(r.text, r.n, r.word, r.at))
        return read_fail(r, CALQUE_BAD);
    return read_made(r, value_float_bits(vs, read_double(r.text, r.n, r.word, r.at)));
}

/* The number that it says. */
/*@ VALUES_READ_REQUIRES
    requires word:     0 <= r.word < r.at && letters_at(SRC(r), r.word, r.at);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUES_READ_KEEPS
    ensures  same:     \result.at == r.at;
    ensures  number:   \result.status == CALQUE_OK ==> number_word(SRC(\result), r.word, r.at, READ_VALUE);
*/
static struct reading read_number(struct reading r, struct values *vs)
{
    struct read_long x = read_long(r);

    return x.ok ? read_made(r, value_int(vs, x.z)) : read_float(r, vs);
}

/* The truth value that it says. */
/*@ VALUES_READ_REQUIRES
    requires word:     0 <= r.word < r.at && (spelled(SRC(r), r.word, r.at, WORD_TRUE) || spelled(SRC(r), r.word, r.at, WORD_FALSE));
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUES_READ_KEEPS
    ensures  same:     \result.at == r.at;
    ensures  truth:    \result.status == CALQUE_OK ==> bool_word(SRC(\result), r.word, r.at, READ_VALUE);
*/
static struct reading read_bool(struct reading r, struct values *vs)
{
    bool b = read_is(r, WORD_TRUE);

    return read_made(r, value_bool(vs, b));
}

/* None. */
/*@ VALUES_READ_REQUIRES
    requires word:     0 <= r.word < r.at && spelled(SRC(r), r.word, r.at, WORD_NONE);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUES_READ_KEEPS
    ensures  same:     \result.at == r.at;
    ensures  none:     \result.status == CALQUE_OK ==> none_word(SRC(\result), r.word, r.at, READ_VALUE);
*/
static struct reading read_none(struct reading r, struct values *vs)
{
    return read_made(r, value_none(vs));
}

#define SCALAR(r, s) \
    ((s).status == CALQUE_OK ==> scalar_word(SRC(s), (r).word, (r).at, val(VALS(*vs), (s).id)))

struct reading read_scalar(struct reading r, struct values *vs)
{
    struct reading s;

    if (read_is(r, WORD_NONE)) {
        s = read_none(r, vs);
        /*@ assert none: SCALAR(r, s); */
    } else if (read_is(r, WORD_TRUE) || read_is(r, WORD_FALSE)) {
        s = read_bool(r, vs);
        /*@ assert truth: SCALAR(r, s); */
    } else {
        s = read_number(r, vs);
        /*@ assert number: SCALAR(r, s); */
    }
    return s;
}

void read_copy_ids(int *own, const unsigned *ids, int n)
{
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant same:  \forall integer i; 0 <= i < k ==> own[i] == ids[i];
        loop assigns k, own[0 .. n - 1];
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        own[k] = (int)ids[k];
}

/* The tuple of the ids from `first` on. */
/*@ VALUES_READ_REQUIRES
    requires exist:    ids_exist(r.ids, first, r.nids, vs->n);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUES_READ_KEEPS
    ensures  same:     \result.at == r.at;
    ensures  tuple:    \result.status == CALQUE_OK ==> v_kind(READ_VALUE) == VALUE_TUPLE && v_len(READ_VALUE) == r.nids - first;
    ensures  elements: \result.status == CALQUE_OK ==> elements_are(READ_VALUE, VALS(*vs), r.ids, first, r.nids);
*/
static struct reading tuple_made(struct reading r, struct values *vs, int first)
{
    int n = r.nids - first, id;
    int *own = values_scratch(vs, n)
        /*@ ghost (0, 0) */;

    /*@ assert same: same_values{Pre,Here}(vs->v, vs->pool, vs->n, vs->npool); */
    /*@ assert old:  extends(\at(VALS(*vs), Pre), VALS(*vs), vs->n); */
    if (!own)
        return read_fail(r, CALQUE_NOMEM);
    read_copy_ids(own, r.ids + first, n);
    /*@ assert ids:   \forall integer k; 0 <= k < n ==> own[k] == r.ids[first + k]; */
    /*@ assert after: same_values{Pre,Here}(vs->v, vs->pool, vs->n, vs->npool); */
    /*@ assert kept:  extends(\at(VALS(*vs), Pre), VALS(*vs), vs->n); */
    /*@ ghost Copied: ; */
    id = value_tuple(vs, own, n);
    /*@ assert nth:   id >= 0 ==> \forall integer k; first <= k < r.nids ==>
                      v_nth(val(VALS(*vs), id), k - first) == val(\at(VALS(*vs), Copied), r.ids[k]); */
    values_scratch_free(own);
    return read_made(r, id);
}

/* Whatever is read of a tuple: as VALUES_READ_KEEPS, with more ids on top. */
#define ELEMENTS_KEPT                                                                          \
    ensures  place:    \result.text == r.text && \result.n == r.n && r.at <= \result.at <= r.n && \
                       \result.depth == r.depth && r.nids <= \result.nids;                     \
    ensures  ids:      ids_held(\result) && ids_kept{Pre,Post}(r, \result, r.nids);            \
    ensures  source:   SRC(\result) == \old(SRC(r));                                           \
    ensures  ready:    ready_values(vs) && vs->mem == \old(vs->mem);                           \
    ensures  old:      \old(vs->n) <= vs->n && extends(\old(VALS(*vs)), VALS(*vs), \old(vs->n)); \
    ensures  error:    \result.status == CALQUE_OK || \result.id == -1 && CALQUE_BAD <= \result.status <= CALQUE_NOMEM;

/* Puts the value that was read from `at` on upon the others, and goes past blanks. The text of those begins at `start`. */
/*@ VALUES_READ_REQUIRES
    requires id:       0 <= r.id < vs->n;
    requires exist:    ids_exist(r.ids, first, r.nids, vs->n);
    requires before:   elements_text(SRC(r), start, at, VALS(*vs), r.ids, first, r.nids);
    requires value:    value_text(SRC(r), at, r.at, val(VALS(*vs), r.id), -1);
    terminates \true;
    exits    never:    \false;
    assigns  *vs->mem, { *u | unsigned *u; \true };
    ELEMENTS_KEPT
    ensures  same:     vs->n == \old(vs->n);
    ensures  element:  \result.status == CALQUE_OK ==> \result.nids == r.nids + 1;
    ensures  exist:    \result.status == CALQUE_OK ==> ids_exist(\result.ids, first, \result.nids, vs->n);
    ensures  text:     \result.status == CALQUE_OK ==>
                       elements_text(SRC(\result), start, \result.at, VALS(*vs), \result.ids, first, \result.nids);
*/
static struct reading next_element(struct reading r, struct values *vs)
    /*@ ghost (long start, long at, int first) */
{
    struct reading s;

    /*@ assert ready: held_values(vs) && apart_values(vs); */
    s = read_push(r, vs->mem);
    /*@ assert held: vs->v == \at(vs->v, Pre) && vs->n == \at(vs->n, Pre) && vs->pool == \at(vs->pool, Pre); */
    /*@ assert pool: same_pool{Pre,Here}(vs->pool, vs->npool); */
    /*@ assert node: same_nodes{Pre,Here}(vs->v, vs->n); */
    /*@ assert same: same_values{Pre,Here}(vs->v, vs->pool, vs->n, vs->npool); */
    /*@ assert wf:   ready_values(vs); */
    /*@ assert old:  extends(\at(VALS(*vs), Pre), VALS(*vs), vs->n); */
    if (s.status != CALQUE_OK)
        return s;
    /*@ assert top:  s.ids[r.nids] == r.id && s.nids == r.nids + 1; */
    /*@ assert text: elements_text(SRC(r), start, at, VALS(*vs), s.ids, first, r.nids); */
    /*@ assert ids:  ids_exist(s.ids, first, r.nids, vs->n); */
    return read_blanks(s);
}

/* The next element and the blanks after it; its id goes on top. The text of the elements before it begins at `start`. */
/*@ VALUES_READ_REQUIRES
    requires exist:    ids_exist(r.ids, first, r.nids, vs->n);
    requires before:   elements_text(SRC(r), start, r.at, VALS(*vs), r.ids, first, r.nids);
    terminates \true;
    decreases 4 * (2 * VALUE_DEPTH_MAX - r.depth) + 4;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    ELEMENTS_KEPT
    ensures  element:  \result.status == CALQUE_OK ==> r.at < \result.at && \result.nids == r.nids + 1;
    ensures  exist:    \result.status == CALQUE_OK ==> ids_exist(\result.ids, first, \result.nids, vs->n);
    ensures  text:     \result.status == CALQUE_OK ==>
                       elements_text(SRC(\result), start, \result.at, VALS(*vs), \result.ids, first, \result.nids);
*/
static struct reading read_element(struct reading r, struct values *vs, struct strs *strs)
    /*@ ghost (long start, int first) */
{
    struct reading s = value_read(r, vs, strs);

    if (s.status != CALQUE_OK)
        return s;
    /*@ assert ids:  ids_exist(s.ids, first, s.nids, vs->n); */
    /*@ assert text: elements_text(SRC(s), start, r.at, VALS(*vs), s.ids, first, s.nids); */
    return next_element(s, vs)
        /*@ ghost (start, r.at, first) */;
}

/* After "(tuple": up to the closing parenthesis. */
/*@ VALUES_READ_REQUIRES
    terminates \true;
    decreases 4 * (2 * VALUE_DEPTH_MAX - r.depth) + 5;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    ELEMENTS_KEPT
    ensures  exist:    \result.status == CALQUE_OK ==> ids_exist(\result.ids, r.nids, \result.nids, vs->n);
    ensures  text:     \result.status == CALQUE_OK ==> mark(SRC(\result), \result.at, ')') &&
                       elements_text(SRC(\result), r.at, \result.at, VALS(*vs), \result.ids, r.nids, \result.nids);
*/
static struct reading read_elements(struct reading r, struct values *vs, struct strs *strs)
{
    /*@ ghost long start = r.at; int first = r.nids; */

    r = read_blanks(r);
    /*@ loop invariant place:  r.text == \at(r.text, Pre) && r.n == \at(r.n, Pre) && start <= r.at <= r.n &&
                               r.depth == \at(r.depth, Pre) && first <= r.nids;
        loop invariant ids:    ids_held(r) && ids_kept{Pre,Here}(\at(r, Pre), r, first);
        loop invariant source: SRC(r) == \at(SRC(r), Pre);
        loop invariant ready:  ready_values(vs) && vs->mem == \at(vs->mem, Pre);
        loop invariant old:    \at(vs->n, Pre) <= vs->n && extends(\at(VALS(*vs), Pre), VALS(*vs), \at(vs->n, Pre));
        loop invariant error:  r.status == CALQUE_OK || r.id == -1 && CALQUE_BAD <= r.status <= CALQUE_NOMEM;
        loop invariant exist:  r.status == CALQUE_OK ==> ids_exist(r.ids, first, r.nids, vs->n);
        loop invariant text:   r.status == CALQUE_OK ==>
                               elements_text(SRC(r), start, r.at, VALS(*vs), r.ids, first, r.nids);
        loop assigns r, *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true }, { *u | unsigned *u; \true },
                     { *c | char *c; \true };
        loop variant r.n - r.at + (r.status == CALQUE_OK ? 1 : 0);
    */
    while (r.status == CALQUE_OK && !read_sees(r, ')'))
        r = read_element(r, vs, strs)
            /*@ ghost (start, first) */;
    return r;
}

/* The tuple of the ids from `first` on, whose text begins at `start` and ends before the parenthesis that comes now. */
/*@ VALUES_READ_REQUIRES
    requires exist:    ids_exist(r.ids, first, r.nids, vs->n);
    requires before:   elements_text(SRC(r), start, r.at, VALS(*vs), r.ids, first, r.nids);
    requires close:    mark(SRC(r), r.at, ')');
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUES_READ_KEEPS
    ensures  past:     \result.status == CALQUE_OK ==> \result.at == r.at + 1;
    ensures  tuple:    \result.status == CALQUE_OK ==> v_kind(READ_VALUE) == VALUE_TUPLE &&
                       value_text(SRC(\result), start, r.at, READ_VALUE, v_len(READ_VALUE));
*/
static struct reading close_tuple(struct reading r, struct values *vs, int first)
    /*@ ghost (long start) */
{
    struct reading s = tuple_made(r, vs, first);

    if (s.status != CALQUE_OK)
        return s;
    /*@ assert text: elements_text(SRC(r), start, r.at, VALS(*vs), r.ids, first, r.nids); */
    /*@ assert all:  value_text(SRC(r), start, r.at, val(VALS(*vs), s.id), r.nids - first); */
    s.at++;
    return s;
}

/* After "(": up to the parenthesis that closes the tuple, and past it. */
/*@ VALUES_READ_REQUIRES
    requires open:     0 < r.at && mark(SRC(r), r.at - 1, '(');
    terminates \true;
    decreases 4 * (2 * VALUE_DEPTH_MAX - r.depth) + 2;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true }, { *u | unsigned *u; \true },
             { *c | char *c; \true };
    VALUES_READ_KEEPS
    ensures  tuple:    \result.status == CALQUE_OK ==> r.at < \result.at &&
                       value_text(SRC(\result), r.at - 1, \result.at, READ_VALUE, -1);
*/
static struct reading read_tuple(struct reading r, struct values *vs, struct strs *strs)
{
    int first = r.nids;
    /*@ ghost long start, word; */

    r = read_word(r);
    if (!read_is(r, WORD_TUPLE))
        return read_fail(r, CALQUE_BAD);
    if (r.depth >= 2 * VALUE_DEPTH_MAX)
        return read_fail(r, CALQUE_LIMIT);
    /*@ ghost start = r.at; word = r.word; */
    /*@ assert open: opens(SRC(r), \at(r.at, Pre) - 1, word, start, WORD_TUPLE); */
    r.depth++;
    r = read_elements(r, vs, strs);
    r.depth--;
    /*@ ghost long end = r.at; */
    /*@ assert same: opens(SRC(r), \at(r.at, Pre) - 1, word, start, WORD_TUPLE); */
    if (r.status == CALQUE_OK) {
        /*@ assert close: mark(SRC(r), end, ')'); */
        r = close_tuple(r, vs, first)
            /*@ ghost (start) */;
        /*@ assert still: opens(SRC(r), \at(r.at, Pre) - 1, word, start, WORD_TUPLE) && mark(SRC(r), end, ')'); */
        /*@ assert text: r.status == CALQUE_OK ==>
                         value_text(SRC(r), \at(r.at, Pre) - 1, end + 1, val(VALS(*vs), r.id), -1); */
    }
    r.nids = first;
    return r;
}

#define TEXT(from, s)                                                                          \
    ((s).status == CALQUE_OK ==> value_text(SRC(s), from, (s).at, val(VALS(*vs), (s).id), -1))

struct reading value_read(struct reading r, struct values *vs, struct strs *strs)
{
    struct reading s = read_blanks(r);
    /*@ ghost long start = s.at; */

    if (read_sees(s, '"')) {
        s.at++;
        s = read_string(s, vs, strs);
        /*@ assert string: TEXT(start, s); */
    } else if (read_sees(s, '(')) {
        s.at++;
        s = read_tuple(s, vs, strs);
        /*@ assert tuple: TEXT(start, s); */
    } else {
        s = read_word(s);
        /*@ ghost long word = s.word; */
        if (s.word == s.at)
            return read_fail(s, CALQUE_BAD);
        s = read_scalar(s, vs);
        /*@ assert scalar: TEXT(word, s); */
        /*@ assert word:   TEXT(start, s); */
    }
    /*@ assert unit:   TEXT(start, s); */
    /*@ assert blanks: blanks_at(SRC(s), r.at, start); */
    /*@ assert text:   TEXT(r.at, s); */
    /*@ assert more:   s.status == CALQUE_OK ==> r.at < s.at; */
    return s;
}
