/* The built-in rules, c/rewrite/library.gsl, as text. */
#ifndef CALQUE_REWRITE_LIBRARY_H
#define CALQUE_REWRITE_LIBRARY_H

#include <stddef.h>

/* *n bytes, not NUL-terminated. */
const char *library_text(size_t *n);

#endif
