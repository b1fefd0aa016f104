#include "attr/read_word.h"

#include <stdint.h>

struct reading read_fail(struct reading r, enum calque_status status)
{
    if (r.status == CALQUE_OK)
        r.status = status;
    r.id = -1;
    return r;
}

struct reading read_blanks(struct reading r)
{
    long k = scan_blanks(r.text + r.at, r.n - r.at);

    /*@ ghost
    long i = 0;
    /@ loop invariant range: 0 <= i <= k;
       loop invariant same:  blanks_at(SRC(r), r.at, r.at + i);
       loop assigns i;
       loop variant k - i;
    @/
    while (i < k) {
        /@ assert step: blank((r.text + r.at)[i]) && chr(SRC(r), r.at + i) == (r.text + r.at)[i]; @/
        i++;
    }
    */
    /*@ assert next: k < r.n - r.at ==> chr(SRC(r), r.at + k) == (r.text + r.at)[k]; */
    r.at += k;
    return r;
}

bool read_sees(struct reading r, char c)
{
    return r.at < r.n && r.text[r.at] == c;
}

struct reading read_mark(struct reading r, char c)
{
    r = read_blanks(r);
    if (!read_sees(r, c))
        return read_fail(r, CALQUE_BAD);
    r.at++;
    return r;
}

struct reading read_word(struct reading r)
{
    long k;

    r = read_blanks(r);
    k = scan_word(r.text + r.at, r.n - r.at);
    /*@ ghost
    long i = 0;
    /@ loop invariant range: 0 <= i <= k;
       loop invariant same:  letters_at(SRC(r), r.at, r.at + i);
       loop assigns i;
       loop variant k - i;
    @/
    while (i < k) {
        /@ assert step: !ends_word((r.text + r.at)[i]) && chr(SRC(r), r.at + i) == (r.text + r.at)[i]; @/
        i++;
    }
    */
    /*@ assert next: k < r.n - r.at ==> chr(SRC(r), r.at + k) == (r.text + r.at)[k]; */
    r.word = r.at;
    r.at += k;
    return r;
}

bool read_is(struct reading r, int w)
{
    const char *p = word_text(w), *s = r.text + r.word;
    long n = r.at - r.word;

    /*@ assert end: word_char(w, WORD_LETTERS) == 0 && p[WORD_LETTERS] == 0; */
    /*@ ghost
    long i = 0, j = 0;
    /@ loop invariant range: 0 <= i <= WORD_LETTERS;
       loop invariant word:  \forall integer k; 0 <= k < i ==> p[k] != 0;
       loop assigns i;
       loop variant WORD_LETTERS - i;
    @/
    while (p[i] != 0)
        i++;
    /@ assert word: c_word(p); @/
    /@ loop invariant range: 0 <= j <= n && j <= i;
       loop invariant text:  agrees(SRC(r), r.word, j, w);
       loop invariant same:  \forall integer k; 0 <= k < j ==> s[k] == p[k];
       loop assigns j;
       loop variant n - j;
    @/
    while (j < n && p[j] != 0 && p[j] == s[j]) {
        /@ assert step: chr(SRC(r), r.word + j) == s[j] && p[j] == word_char(w, j); @/
        j++;
    }
    /@ assert next: j < n ==> chr(SRC(r), r.word + j) == s[j]; @/
    /@ assert last: p[j] == word_char(w, j); @/
    /@ assert all:  j == n && p[j] == 0 ==> spelled(SRC(r), r.word, r.at, w) && same_word(s, n, p); @/
    /@ assert ends: j < n && p[j] == 0 ==> !same_word(s, n, p); @/
    /@ assert diff: j < n && p[j] != s[j] ==> !same_word(s, n, p); @/
    /@ assert more: j == n && p[n] != 0 ==> !same_word(s, n, p); @/
    /@ assert none: !(j == n && p[j] == 0) ==> !spelled(SRC(r), r.word, r.at, w); @/
    */
    return scan_is(s, n, p);
}

int read_among(struct reading r, int first, int n)
{
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant none:  \forall integer j; 0 <= j < k ==> !spelled(SRC(r), r.word, r.at, first + j);
        loop assigns k;
        loop variant n - k;
    */
    for (int k = 0; k < n; k++)
        if (read_is(r, first + k))
            return k;
    return -1;
}

/* What the digits s[first .. n - 1] say is what those of the source say. */
#ifdef __FRAMAC__
/*@ ghost
/@ requires text:     \valid_read(p + (0 .. n - 1)) && 0 <= a && 0 <= first <= m && a + m <= n;
   terminates \true;
   exits    never:    \false;
   assigns  \nothing;
   ensures  natural:  digits_at(source_of(p, n), a + first, a + m) ==> 0 <= decimal_at(source_of(p, n), a + first, a + m);
   ensures  same:     decimal(p + a, first, m) == decimal_at(source_of(p, n), a + first, a + m);
@/
static void same_digits(const char *p, long n, long a, long first, long m)
{
    long k = first;

    /@ loop invariant range: first <= k <= m;
       loop invariant same:  decimal(p + a, first, k) == decimal_at(source_of(p, n), a + first, a + k);
       loop invariant some:  digits_at(source_of(p, n), a + first, a + k) ==>
                             0 <= decimal_at(source_of(p, n), a + first, a + k);
       loop assigns k;
       loop variant m - k;
    @/
    while (k < m) {
        /@ assert step: chr(source_of(p, n), a + k) == (p + a)[k]; @/
        k++;
    }
}
*/
#endif

struct read_long read_long(struct reading r)
{
    const char *s = r.text + r.word;
    long n = r.at - r.word;
    struct read_long x = { false, 0 };

    /*@ assert stands: stands(s, n, SRC(r), r.word); */
    /*@ assert first: 0 < n ==> chr(SRC(r), r.word) == s[0]; */
    /*@ assert start: digits_start(SRC(r), r.word, r.at) == r.word + digits_from(s, n); */
    /*@ ghost
    if (n > 0 && s[0] == '-')
        same_digits(r.text, r.n, r.word, 1, n);
    else
        same_digits(r.text, r.n, r.word, 0, n);
    */
    /*@ assert same:   digits_ahead(s, digits_from(s, n), n) <==>
                       digits_at(SRC(r), r.word + digits_from(s, n), r.word + n); */
    /*@ assert number: number(s, n) <==> digits_from(s, n) < n && digits_ahead(s, digits_from(s, n), n); */
    /*@ assert digits: number(s, n) <==> digits_start(SRC(r), r.word, r.at) < r.at &&
                       digits_at(SRC(r), digits_start(SRC(r), r.word, r.at), r.at); */
    /*@ assert value:  number_of(s, n) == number_at(SRC(r), r.word, r.at); */
    x.ok = scan_long(s, n, &x.z) != 0;
    return x;
}

bool read_is_name(struct reading r)
{
    const char *s = r.text + r.word;
    long n = r.at - r.word;

    /*@ assert first:  0 < n ==> chr(SRC(r), r.word) == s[0]; */
    /*@ assert stands: stands(s, n, SRC(r), r.word); */
    /*@ assert same:   name_ahead(s, n) <==> name_chars(SRC(r), r.word, r.word + n); */
    /*@ assert name:   name_word(SRC(r), r.word, r.at) <==> 0 < n && !digit(s[0]) && name_ahead(s, n); */
    return scan_name(s, n);
}

struct reading read_count(struct reading r)
{
    struct read_long x;

    r = read_word(r);
    x = read_long(r);
    /*@ assert some:  x.ok == 1 ==> r.word < r.at; */
    /*@ assert first: r.word < r.at ==> chr(SRC(r), r.word) == r.text[r.word]; */
    if (!x.ok || r.text[r.word] == '-' || x.z > INT32_MAX)
        return read_fail(r, CALQUE_BAD);
    r.number = x.z;
    /*@ assert count: count_word(SRC(r), r.word, r.at, r.number); */
    return r;
}

struct reading read_name(struct reading r)
{
    r = read_word(r);
    return read_is_name(r) ? r : read_fail(r, CALQUE_BAD);
}

struct read_char read_escape(struct reading r)
{
    const char *s = r.text + r.at;
    struct read_char x = { r.at, scan_escape(s, r.n - r.at) };

    /*@ assert one:   r.at < r.n ==> chr(SRC(r), r.at) == s[0]; */
    /*@ assert two:   r.at + 1 < r.n ==> chr(SRC(r), r.at + 1) == s[1]; */
    /*@ assert three: r.at + 2 < r.n ==> chr(SRC(r), r.at + 2) == s[2]; */
    if (x.c >= 0)
        x.at += scan_escape_len(*s);
    return x;
}
