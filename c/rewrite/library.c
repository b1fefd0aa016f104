#include "rewrite/library.h"

/* Generated from library.gsl: its bytes as numbers. */
static const unsigned char text[] = {
#include "library_gsl.h"
};

const char *library_text(size_t *n)
{
    *n = sizeof text;
    return (const char *)text;
}
