/* The programs that answer the oracle's requests, as functions: each answers what is in `in`, up to its end, on `out`, and returns
   what the program would exit with. */
#ifndef TESTS_ANSWERS_H
#define TESTS_ANSWERS_H

#include <stdio.h>

int attr_answers(FILE *in, FILE *out);
int gsl_answers(FILE *in, FILE *out);
int dpia_answers(FILE *in, FILE *out);
int model_answers(FILE *in, FILE *out);

#endif
