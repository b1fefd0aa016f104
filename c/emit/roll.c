/* Calls that repeat are loops of the run: the steps of a recurrence, equal layers of which the weights lie one behind the other. A roll
   is a range of steps, `count` times `period` of them. Invariant: a step and the one a period later call the same function, of places
   that are as far apart as those of the next period; so the loop makes the same calls with the same arguments in the same order. */
#include "emit/module.h"

#include <stdint.h>
#include <string.h>

enum { PERIOD_MAX = 64, COUNT_MIN = 4, SAVED_MIN = 8 };

struct roll_place roll_place(const struct module *u, int slot)
{
    int whole = module_whole(u, slot);
    const struct slot *s = &u->slot.a[whole];
    size_t inside = u->slot.a[slot].kind == SLOT_PART ? u->slot.a[slot].offset : 0;

    if (s->kind == SLOT_ARENA || (s->kind == SLOT_WEIGHT && (!u->o->freestanding || u->o->weights_pointer)))
        return (struct roll_place){ .kind = s->kind, .index = -1, .offset = s->offset + inside };
    return (struct roll_place){ .kind = s->kind, .index = s->kind == SLOT_WEIGHT ? whole : s->index, .offset = inside };
}

static int slot_of(const struct module *u, int step, int arg)
{
    return u->pool.a[u->step.a[step].first + arg];
}

size_t roll_stride(const struct module *u, const struct roll *r, int step, int arg)
{
    return roll_place(u, slot_of(u, step + r->period, arg)).offset - roll_place(u, slot_of(u, step, arg)).offset;
}

/* Do steps i and i - p make the same call, of places that are as far apart as those of i - p and i - 2 p, which is not before `first`? */
static bool repeats(const struct module *u, int first, int i, int p)
{
    const struct step *s = &u->step.a[i], *t = &u->step.a[i - p];

    if (s->fn != t->fn || s->n != t->n || s->look >= 0 || t->look >= 0)
        return false;
    if (s->fn < 0 && u->slot.a[slot_of(u, i, 0)].bytes != u->slot.a[slot_of(u, i - p, 0)].bytes)
        return false;
    for (int k = 0; k < s->n; k++) {
        struct roll_place x = roll_place(u, slot_of(u, i, k)), y = roll_place(u, slot_of(u, i - p, k));
        if (x.kind != y.kind || x.index != y.index)
            return false;
        if (i - 2 * p >= first && x.offset - y.offset != y.offset - roll_place(u, slot_of(u, i - 2 * p, k)).offset)
            return false;
    }
    return true;
}

/* The roll among those that start at `first` or a few steps later that saves the most calls; of equal ones that with the shortest period.
   It ends where the steps stop repeating, as a recurrence differs at its first step rather than at its last. */
static struct roll best(const struct module *u, int first)
{
    struct roll r = { first, 0, 0 };

    for (int p = 1; p <= PERIOD_MAX && first + COUNT_MIN * p <= u->step.n; p++) {
        int end = first + p, count;
        while (end < u->step.n && repeats(u, first, end, p))
            end++;
        count = (end - first) / p;
        if (count >= COUNT_MIN && (count - 1) * p >= SAVED_MIN && (count - 1) * p > (r.count - 1) * r.period)
            r = (struct roll){ end - count * p, p, count };
    }
    return r;
}

/* The buffers of the arena that a call names. */
static void name_buffers(struct module *u)
{
    for (int i = 0; i < u->slot.n; i++)
        u->slot.a[i].named = false;
    for (int i = 0, at = 0; i < u->step.n; i++) {
        const struct roll *r = roll_of(u, i, &at);
        for (int k = 0; k < u->step.a[i].n; k++)
            if (!r || (i < r->first + r->period && roll_stride(u, r, i, k) == 0))
                u->slot.a[module_whole(u, slot_of(u, i, k))].named = true;
    }
}

const struct roll *roll_of(const struct module *u, int step, int *at)
{
    while (*at < u->roll.n && step >= u->roll.a[*at].first + u->roll.a[*at].period * u->roll.a[*at].count)
        (*at)++;
    return *at < u->roll.n && step >= u->roll.a[*at].first ? &u->roll.a[*at] : NULL;
}

bool module_roll(struct module *u)
{
    for (int i = 0; i < u->step.n && !u->o->acsl;) {
        struct roll r = best(u, i);
        if (r.count == 0) {
            i++;
            continue;
        }
        if (!vec_room(u->mem, &u->roll, 1))
            return false;
        u->roll.a[u->roll.n++] = r;
        i = r.first + r.period * r.count;
    }
    name_buffers(u);
    return true;
}

void roll_print_head(struct text *t, const struct roll *r)
{
    text_printf(t, "    for (size_t calque_t = 0u; calque_t < %du; calque_t++) {\n", r->count);
}

void roll_print_offset(struct text *t, size_t offset, size_t stride)
{
    bool back = stride > SIZE_MAX / 2;

    if (offset == 0)
        text_printf(t, "%zuu * calque_t", stride);
    else
        text_printf(t, "(%zuu %c %zuu * calque_t)", offset, back ? '-' : '+', back ? -stride : stride);
}

void roll_print_note(struct text *t, const struct module *u, const struct roll *r, int step)
{
    const char *note = u->notes.a + u->step.a[step + (r->count - 1) * r->period].note;

    text_puts(t, "        /* .. ");
    module_comment(t, note, strlen(note));
    text_puts(t, " */\n");
}

/* ---- the certificate: what is called, and how (coq/emit/Calls.v) ---- */

/* Of a tensor (-1: there is none) or of a region of memory. */
static void put_region(struct text *t, int tensor, int kind, int index)
{
    static const char *const word[] = { "input", "output", "weight", "arena" };

    if (tensor >= 0)
        text_printf(t, "%d", tensor);
    else if (index >= 0 && kind != SLOT_ARENA)
        text_printf(t, "%s%d", word[kind], index);
    else
        text_puts(t, kind == SLOT_WEIGHT ? "weights" : "arena");
}

/* Where the slot is: in the value that it is, or is part of; or in memory. */
static void put_range(struct text *t, const struct module *u, int slot, size_t bytes, bool in_memory, const size_t *step)
{
    struct roll_place p = roll_place(u, slot);
    const struct slot *s = &u->slot.a[slot];

    text_puts(t, "(");
    put_region(t, in_memory ? -1 : module_whole(u, slot), p.kind, p.index);
    text_printf(t, " %zu %zu", in_memory ? p.offset : s->kind == SLOT_PART ? s->offset : 0, bytes);
    if (step)
        text_printf(t, " %zu", *step);
    text_puts(t, ")");
}

/* The function of a step, what it writes, what it reads; of a roll's: in memory. */
static void put_call(struct text *t, const struct module *u, int step, bool in_memory, const struct roll *r)
{
    const struct step *s = &u->step.a[step];

    if (s->fn < 0)
        text_puts(t, "copy");
    else
        text_printf(t, "k%d", s->fn);
    for (int writes = 1; writes >= 0; writes--) {
        bool first = true;
        text_puts(t, " (");
        for (int k = 0; k < s->n; k++) {
            size_t stride = r ? roll_stride(u, r, step, k) : 0;
            if (u->writes.a[s->first + k] != writes)
                continue;
            text_puts(t, first ? "" : " ");
            put_range(t, u, slot_of(u, step, k), u->slot.a[slot_of(u, step, s->fn < 0 ? 0 : k)].bytes, in_memory, r ? &stride : NULL);
            first = false;
        }
        text_puts(t, ")");
    }
}

static void put_regions(struct text *t, const struct module *u)
{
    text_printf(t, "(regions (arena %zu) (weights %zu)", u->arena, u->weights);
    for (int i = 0; i < u->in.n; i++)
        text_printf(t, " (input%d %zu)", i, u->in.a[i].bytes);
    for (int i = 0; i < u->out.n; i++)
        text_printf(t, " (output%d %zu)", i, u->out.a[i].bytes);
    for (int i = 0; i < u->slot.n; i++)
        if (u->slot.a[i].kind == SLOT_WEIGHT && roll_place(u, i).index >= 0)
            text_printf(t, " (weight%d %zu)", i, u->slot.a[i].bytes);
    text_puts(t, ")\n");
}

/* Values that the caller brings, or finds: which, and where. */
static void put_held(struct text *t, const struct module *u, const char *head, bool given)
{
    text_printf(t, "(%s", head);
    for (int i = 0; i < u->slot.n; i++) {
        int kind = u->slot.a[i].kind;
        if (given ? kind != SLOT_INPUT && kind != SLOT_WEIGHT : kind != SLOT_OUTPUT)
            continue;
        text_puts(t, " (");
        put_range(t, u, i, u->slot.a[i].bytes, false, NULL);
        text_puts(t, " ");
        put_range(t, u, i, u->slot.a[i].bytes, true, NULL);
        text_puts(t, ")");
    }
    text_puts(t, ")\n");
}

void roll_certify(struct text *t, const struct module *u)
{
    put_regions(t, u);
    put_held(t, u, "given", true);
    put_held(t, u, "results", false);
    for (int i = 0; i < u->step.n; i++) {
        text_puts(t, "(call ");
        put_call(t, u, i, false, NULL);
        text_puts(t, ")\n");
    }
    for (int i = 0, at = 0; i < u->step.n; i++) {
        const struct roll *r = roll_of(u, i, &at);
        if (!r) {
            text_puts(t, "(one ");
            put_call(t, u, i, true, NULL);
            text_puts(t, ")\n");
            continue;
        }
        text_printf(t, "(loop %d", r->count);
        for (int k = i; k < i + r->period; k++) {
            text_puts(t, " (");
            put_call(t, u, k, true, r);
            text_puts(t, ")");
        }
        text_puts(t, ")\n");
        i += r->count * r->period - 1;
    }
}
