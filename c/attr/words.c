#include "attr/words.h"

static const char table[WORDS][WORD_LETTERS + 1] = {
#define WORD(name, text) text,
#include "attr/words.def"
#define ATTR_UNARY_OP(name, text, meaning) text,
#define ATTR_BINARY_OP(name, text, meaning) text,
#define ATTR_REDUCTION(name, text, meaning) text,
#define ATTR_FUNC_OP(name, text, meaning) text,
#include "attr/attr_ops.def"
};

/* The table has the word; for the provers, one at a time. */
#define KNOWN(name) (w == WORD_##name ==> spells(&table[w][0], w))

const char *word_text(int w)
{
    /*@ assert own: KNOWN(UNKNOWN) && KNOWN(NONE) && KNOWN(FALSE) && KNOWN(TRUE) && KNOWN(INF)
             && KNOWN(NEGINF) && KNOWN(NAN) && KNOWN(TUPLE) && KNOWN(CONST); */
    /*@ assert forms: KNOWN(ANY) && KNOWN(ACCESS) && KNOWN(SYMBOL) && KNOWN(INST) && KNOWN(VAR) && KNOWN(MAP)
             && KNOWN(PROJ) && KNOWN(COND) && KNOWN(MATCH); */
    /*@ assert unary: KNOWN(NEG) && KNOWN(NOT) && KNOWN(LEN); */
    /*@ assert binary: KNOWN(ADD) && KNOWN(SUB) && KNOWN(MUL) && KNOWN(FLOORDIV) && KNOWN(MOD) && KNOWN(MIN)
             && KNOWN(MAX) && KNOWN(EQ); */
    /*@ assert compare: KNOWN(NE) && KNOWN(LT) && KNOWN(LE) && KNOWN(GT) && KNOWN(GE) && KNOWN(AND) && KNOWN(OR)
             && KNOWN(GATHER); */
    /*@ assert reduction: KNOWN(SUM) && KNOWN(PROD) && KNOWN(AMIN) && KNOWN(AMAX) && KNOWN(ALL) && KNOWN(EXISTS)
             && KNOWN(CONCAT); */
    /*@ assert func: KNOWN(IN) && KNOWN(REVERSED) && KNOWN(RANGE) && KNOWN(SLICE) && KNOWN(ZIP)
             && KNOWN(REMAP); */
    return table[w];
}

char word_letter(int w, int k)
{
    return word_text(w)[k];
}
