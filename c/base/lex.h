/* The one lexer of .graph, .gsl, .kern and .dpia text: `#` comments, names, integers, decimal and
   C99 hexadecimal floats, quoted strings, punctuation of one or two characters. */
#ifndef CALQUE_BASE_LEX_H
#define CALQUE_BASE_LEX_H

#include "base/mem.h"
#include "base/status.h"

enum token_kind { TOK_END, TOK_NEWLINE, TOK_NAME, TOK_INT, TOK_FLOAT, TOK_STRING, TOK_PUNCT };

enum { LEX_MAX = 1 << 30 }; /* bytes of a text: lengths, lines and columns are ints */

struct token {
    enum token_kind kind;
    int line, col;
    const char *start; /* into the source; for strings, the first character after the quote */
    int len;           /* source characters; for strings, without the quotes, escapes not resolved */
    long num;          /* TOK_INT */
    double real;       /* TOK_FLOAT */
};

struct lex {
    const char *file;
    const char *src, *end, *at;
    const char *line_start;
    int line;
    int nesting;        /* of ( [ : newlines inside are white space */
    bool newlines;      /* give TOK_NEWLINE outside brackets (the .gsl and .graph statements) */
    struct token tok;   /* the current token */
    struct diag *diag;
    enum calque_status status; /* the first error; then tok is TOK_END for ever */
};

/* Starts on src[0..n-1] and reads the first token; CALQUE_LIMIT when n > LEX_MAX. src must outlive the lexer. */
void lex_init(struct lex *lx, const char *file, const char *src, size_t n, bool newlines,
              struct diag *d);
/* Advances to the next token; false (and status set) on a malformed one. */
bool lex_next(struct lex *lx);
/* Is the current token this punctuation or name? */
bool lex_is(const struct lex *lx, const char *text);
/* If so, advances and says true. */
bool lex_accept(struct lex *lx, const char *text);
/* Advances over it, or records "expected 'text'" at the current token and says false. */
bool lex_expect(struct lex *lx, const char *text);
/* Records an error at the current token (the first one stays) and returns its status. */
enum calque_status lex_error(struct lex *lx, const char *format, ...) CALQUE_PRINTF(2, 3);
/* The same at a given place. */
enum calque_status lex_error_at(struct lex *lx, int line, int col, const char *format, ...)
    CALQUE_PRINTF(4, 5);
/* Resolves the escapes of a TOK_STRING into out (room for tok.len + 1 bytes); its length. */
int lex_unescape(const struct token *t, char *out);

#endif
