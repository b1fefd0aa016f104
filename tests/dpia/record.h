/* Records what the iterations of parallel loops touch: a place that two iterations of one loop touch, one of them writing, is
   an error, unless it was declared inside the iteration. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <stdint.h>

struct place {
    const char *at;
    long iteration;
    int written;
};
struct level {
    struct place *place;
    long n, cap, iteration;
    int locals; /* declarations when the iteration began */
};
static struct level level[32];
static struct { const char *from, *to; int depth; } local[256];
static int depth, locals;
static long touched, loops, conflicts;

static void rec_begin(void)
{
    level[depth].n = level[depth].iteration = 0;
    level[depth++].locals = locals;
    loops++;
}

static void rec_iteration(void)
{
    level[depth - 1].iteration++;
    locals = level[depth - 1].locals;
}

static void rec_end(void)
{
    locals = level[--depth].locals;
}

static void rec_local(const void *p, size_t n)
{
    local[locals].from = p;
    local[locals].to = (const char *)p + n;
    local[locals++].depth = depth;
}

static void rec_level(struct level *l, const char *p, int write)
{
    long i = 0;

    while (i < l->n && l->place[i].at != p)
        i++;
    if (i == l->n) {
        if (l->n == l->cap)
            l->place = realloc(l->place, sizeof *l->place * (size_t)(l->cap = 2 * l->cap + 64));
        l->place[l->n++] = (struct place){ p, l->iteration, write };
    } else if (l->place[i].iteration != l->iteration && (write || l->place[i].written)) {
        conflicts++;
    } else {
        l->place[i].written |= write;
        l->place[i].iteration = l->iteration;
    }
}

static const void *rec(const void *p, int write)
{
    int from = 0;

    for (int i = locals - 1; i >= 0; i--)
        if ((const char *)p >= local[i].from && (const char *)p < local[i].to) {
            from = local[i].depth;
            break;
        }
    for (int d = from; d < depth; d++)
        rec_level(&level[d], p, write);
    touched++;
    return p;
}
#define READ(x) (*(const __typeof__(x) *)rec(&(x), 0))
#define WRITE(x) (*(__typeof__(x) *)rec(&(x), 1))

static inline float calque_max_f32(float a, float b)
{
    return a < b ? b : a;
}
