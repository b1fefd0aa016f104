#include "attr/scan.h"

#include <limits.h>

long scan_blanks(const char *s, long n)
{
    long k = 0;

    /*@ loop invariant range:  0 <= k <= n;
        loop invariant blanks: \forall integer i; 0 <= i < k ==> blank(s[i]);
        loop assigns k;
        loop variant n - k;
    */
    while (k < n && (s[k] == ' ' || s[k] == '\t'))
        k++;
    return k;
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  ends:     \result != 0 <==> ends_word(c);
*/
static int ends(char c)
{
    return c == ' ' || c == '\t' || c == '(' || c == ')' || c == '"' || c == '\0';
}

long scan_word(const char *s, long n)
{
    long k = 0;

    /*@ loop invariant range: 0 <= k <= n;
        loop invariant word:  \forall integer i; 0 <= i < k ==> !ends_word(s[i]);
        loop assigns k;
        loop variant n - k;
    */
    while (k < n && !ends(s[k]))
        k++;
    return k;
}

int scan_is(const char *s, long n, const char *word)
{
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant same:  \forall integer j; 0 <= j < k ==> word[j] != 0 && s[j] == word[j];
        loop assigns k;
        loop variant n - k;
    */
    for (long k = 0; k < n; k++)
        if (word[k] == '\0' || word[k] != s[k])
            return 0;
    return word[n] == '\0';
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  digit:    \result != 0 <==> digit(c);
*/
static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int scan_name(const char *s, long n)
{
    if (n == 0 || is_digit(s[0]))
        return 0;
    /*@ loop invariant range: 0 <= k <= n;
        loop invariant name:  \forall integer i; 0 <= i < k ==> name_char(s[i]);
        loop assigns k;
        loop variant n - k;
    */
    for (long k = 0; k < n; k++)
        if (!is_digit(s[k]) && !(s[k] >= 'a' && s[k] <= 'z') && !(s[k] >= 'A' && s[k] <= 'Z') && s[k] != '_')
            return 0;
    return 1;
}

#define LIMIT (1UL + LONG_MAX) /* the number furthest from 0 is -LIMIT */

/* What the digits from `first` on say, LIMIT + 1 when that is beyond LIMIT; LIMIT + 2 when one is no digit. */
/*@ requires text:     0 <= first <= n && \valid_read(s + (0 .. n - 1));
    terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  digits:   \result <= LIMIT + 1 <==> \forall integer i; first <= i < n ==> digit(s[i]);
    ensures  value:    \result <= LIMIT ==> \result == decimal(s, first, n);
    ensures  beyond:   \result == LIMIT + 1 ==> LIMIT < decimal(s, first, n);
*/
static unsigned long digits(const char *s, long first, long n)
{
    unsigned long v = 0;

    /*@ loop invariant range:  first <= k <= n;
        loop invariant digits: \forall integer i; first <= i < k ==> digit(s[i]);
        loop invariant value:  v <= LIMIT ==> v == decimal(s, first, k);
        loop invariant beyond: LIMIT < v ==> v == LIMIT + 1 && LIMIT < decimal(s, first, k);
        loop assigns k, v;
        loop variant n - k;
    */
    for (long k = first; k < n; k++) {
        unsigned long d;

        if (!is_digit(s[k]))
            return LIMIT + 2;
        d = (unsigned long)(s[k] - '0');
        /*@ assert step: decimal(s, first, k + 1) == 10 * decimal(s, first, k) + d; */
        v = v > (LIMIT - d) / 10 ? LIMIT + 1 : 10 * v + d;
    }
    return v;
}

int scan_long(const char *s, long n, long *z)
{
    int negative = n > 0 && s[0] == '-';
    unsigned long v;

    if (n > SCAN_NUMBER_MAX || negative == n)
        return 0;
    v = digits(s, negative, n);
    if (v > LIMIT || (v == LIMIT && !negative))
        return 0;
    *z = v == LIMIT ? LONG_MIN : negative ? -(long)v : (long)v;
    return 1;
}

/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
    ensures  hex:      \result == hex(c);
    ensures  range:    -1 <= \result <= 15;
*/
static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int scan_escape(const char *s, long n)
{
    int hi, lo;

    if (n <= 0)
        return -1;
    switch (s[0]) {
    case '\\':
        return '\\';
    case '"':
        return '"';
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'x':
        if (n < 3)
            return -1;
        hi = hex_digit(s[1]);
        lo = hex_digit(s[2]);
        return hi < 0 || lo < 0 ? -1 : hi * 16 + lo;
    default:
        return -1;
    }
}

int scan_escape_len(char c)
{
    return c == 'x' ? 3 : 1;
}
