/* The one place where memory is allocated. Each IR keeps a `struct mem *`; tests make the
   k-th allocation fail by setting fail_after. */
#ifndef CALQUE_BASE_MEM_H
#define CALQUE_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mem {
    long fail_after; /* number of allocations that still succeed; negative: no limit */
    long count;      /* allocations asked for so far, for the tests' sweeps */
};

#define MEM_INIT { -1, 0 }

/* As realloc(p, n * size), zero-filling nothing; NULL (p untouched) on overflow or failure. */
void *mem_resize(struct mem *m, void *p, size_t n, size_t size);
/* n * size zeroed bytes or NULL. */
void *mem_zero(struct mem *m, size_t n, size_t size);
/* A NUL-terminated copy of n bytes or NULL. */
char *mem_text(struct mem *m, const char *s, size_t n);
/* Trusted: nobody reads the block afterwards, which no proof says (acsl/TRUSTED.md). */
/*@ terminates \true;
    exits    never:    \false;
    assigns  \nothing;
*/
void mem_free(void *p);

/* Makes room for `need` elements in *array of capacity *cap (doubling); false when memory is out
   or need exceeds INT32_MAX / 2. New elements are not initialised. */
bool mem_grow(struct mem *m, void **array, int *cap, int need, size_t size);

/* vec_room(m, x, k): room for k more elements in x, a struct with fields {T *a; int n, cap;}. */
#define vec_room(m, x, k)                                                                    \
    ((x)->cap - (x)->n >= (k) ||                                                             \
     mem_grow((m), (void **)(void *)&(x)->a, &(x)->cap, (x)->n + (k), sizeof *(x)->a))

/* Typed growable arrays with the layout vec_room expects. */
struct ints {
    int *a;
    int n, cap;
};
bool ints_push(struct mem *m, struct ints *v, int x);
/*@ requires valid:    \valid(v);
    terminates \true;
    exits    never:    \false;
    assigns  *v;
    ensures  empty:    v->a == \null && v->n == 0 && v->cap == 0;
*/
static inline void ints_free(struct ints *v)
{
    mem_free(v->a);
    v->a = NULL;
    v->n = v->cap = 0;
}

#endif
