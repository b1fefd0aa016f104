/* Sizes of a model's open dimensions from the command line: --dim NAME=N, --input-shape NAME=D,.. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { GIVEN_DIM_MAX = INT32_MAX };

/* A number at *s, which is moved behind it; false if there is none in 0..GIVEN_DIM_MAX. */
static bool number(const char **s, long *n)
{
    char *end;

    if (**s < '0' || **s > '9')
        return false;
    *n = strtol(*s, &end, 10);
    *s = end;
    return *n <= GIVEN_DIM_MAX;
}

/* The text before the last '=' (names may have one) as a string of its own; *rest is what follows. */
static char *name_part(struct cli *c, const char *arg, const char **rest)
{
    const char *eq = strrchr(arg, '=');

    if (!eq || eq == arg)
        return NULL;
    *rest = eq + 1;
    return mem_text(&c->mem, arg, (size_t)(eq - arg));
}

static bool dims(const char *s, struct shape *out)
{
    out->rank = 0;
    while (*s) {
        if (out->rank == RANK_MAX || !number(&s, &out->dim[out->rank++]))
            return false;
        if (*s == ',' && s[1])
            s++;
        else if (*s)
            return false;
    }
    return true;
}

bool cli_given(struct cli *c, const char *command, int key, const char *arg, int *status)
{
    struct cli_given *x = &c->given;
    const char *rest;
    char *name;
    bool ok;

    if (key != CLI_DIM && key != CLI_INPUT_SHAPE)
        return false;
    *status = EXIT_YES;
    if (x->nsize == CLI_GIVEN || x->nshape == CLI_GIVEN) {
        *status = cli_usage(command, "more than %d of one option", CLI_GIVEN);
        return true;
    }
    name = name_part(c, arg, &rest);
    if (name && key == CLI_DIM) {
        x->size[x->nsize].name = name;
        ok = number(&rest, &x->size[x->nsize].n) && !*rest;
        x->nsize++;
    } else if (name) {
        x->shape[x->nshape].input = name;
        ok = dims(rest, &x->shape[x->nshape].shape);
        x->nshape++;
    } else {
        ok = false;
    }
    if (!ok)
        *status = key == CLI_DIM ? cli_usage(command, "--dim takes NAME=NUMBER, not '%s'", arg)
                                 : cli_usage(command, "--input-shape takes NAME=D,D,.., not '%s'", arg);
    return true;
}

enum calque_status cli_given_none(const struct cli *c, const char *path, const char *what, struct diag *d)
{
    if (!c->given.nsize && !c->given.nshape)
        return CALQUE_OK;
    return diag_set(d, CALQUE_BAD, path, 0, 0, "%s is for ONNX models: %s", c->given.nsize ? "--dim" : "--input-shape", what);
}

void cli_given_free(struct cli *c)
{
    for (int i = 0; i < c->given.nsize; i++)
        mem_free((char *)(uintptr_t)c->given.size[i].name);
    for (int i = 0; i < c->given.nshape; i++)
        mem_free((char *)(uintptr_t)c->given.shape[i].input);
    mem_free(c->reasons.a);
}
