/* What tests ask of emitted files. */
#ifndef CALQUE_TESTS_EMIT_FILES_H
#define CALQUE_TESTS_EMIT_FILES_H

#include <string.h>

#include "emit/emit.h"

/* Does the file of that name have the text? */
static inline bool file_says(const struct emit_files *f, const char *name, const char *text)
{
    size_t n = strlen(text);

    for (int i = 0; i < f->file.n; i++)
        for (size_t j = 0; strcmp(f->file.a[i].name, name) == 0 && j + n <= f->file.a[i].n; j++)
            if (memcmp(f->file.a[i].data + j, text, n) == 0)
                return true;
    return false;
}

#endif
