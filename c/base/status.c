/* Diagnoses: where in the input a call failed and why. Texts are cut, never overrun; a caller that wants no diagnosis
   passes NULL. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void diag_clear(struct diag *d)
{
    if (d)
        memset(d, 0, sizeof *d);
}

enum calque_status diag_set(struct diag *d, enum calque_status status, const char *file, int line,
                            int col, const char *format, ...)
{
    if (d) {
        va_list ap;
        d->status = status;
        d->line = line;
        d->col = col;
        snprintf(d->file, sizeof d->file, "%s", file ? file : "");
        va_start(ap, format);
        vsnprintf(d->text, sizeof d->text, format, ap);
        va_end(ap);
    }
    return status;
}

enum calque_status diag_nomem(struct diag *d)
{
    return diag_set(d, CALQUE_NOMEM, "", 0, 0, "out of memory");
}
