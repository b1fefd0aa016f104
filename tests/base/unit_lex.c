/* The lexer: limits of a text and of a token. */
#include <string.h>

#include "base/lex.h"
#include "unit.h"

/* A text too long for int lengths is refused before it is looked at. */
static void too_long(void)
{
    struct diag d = { 0 };
    struct lex lx;

    lex_init(&lx, "f", "x", (size_t)LEX_MAX + 1, true, &d);
    CU_ASSERT_EQUAL(lx.status, CALQUE_LIMIT);
    CU_ASSERT_EQUAL(lx.tok.kind, TOK_END);
    CU_ASSERT_STRING_EQUAL(d.text, "the text has more than 1073741824 bytes");
    CU_ASSERT_FALSE(lex_expect(&lx, "x"));
    CU_ASSERT_EQUAL(lx.status, CALQUE_LIMIT);
}

static enum calque_status one(const char *text, struct lex *lx, struct diag *d)
{
    lex_init(lx, "f", text, strlen(text), true, d);
    return lx->status;
}

static void numbers(void)
{
    struct diag d = { 0 };
    struct lex lx;

    CU_ASSERT_EQUAL(one("0x1.8p1", &lx, &d), CALQUE_OK);
    CU_ASSERT(lx.tok.kind == TOK_FLOAT && lx.tok.real == 3.0 && lx.tok.len == 7);
    CU_ASSERT_EQUAL(one("6.num", &lx, &d), CALQUE_OK);
    CU_ASSERT(lx.tok.kind == TOK_INT && lx.tok.num == 6 && lx.tok.len == 1);
    CU_ASSERT_EQUAL(one("0x", &lx, &d), CALQUE_BAD);
    CU_ASSERT_EQUAL(one("1_", &lx, &d), CALQUE_BAD);
    CU_ASSERT_EQUAL(one("9223372036854775808", &lx, &d), CALQUE_BAD);
}

static const struct unit_case cases[] = {
    { "a text that is too long", too_long },
    { "numbers", numbers },
};

int main(void)
{
    return unit_main("base/lex", cases, UNIT_COUNT(cases));
}
