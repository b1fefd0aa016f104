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
