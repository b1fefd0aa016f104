/* What is freed, and messages. Guards: mem.h, status.h. */
#include "base/mem.h"
#include "base/status.h"

/*@ requires valid: \valid(p) && \valid(v) && \separated(p, v) && \valid(v->a) && v->n == 1; */
void client_mem_free(int *p, struct ints *v)
{
    *p = 1;
    mem_free(v->a);
    /*@ assert kept: *p == 1 && v->n == 1; */
    /*@ assert BOOM: \false; */
}

/*@ requires valid: \valid(d) && \valid(p) && \separated(d, p); */
void client_diag_set(struct diag *d, int *p)
{
    enum calque_status a = diag_set(d, CALQUE_BAD, "", 0, 0, "one"), b = diag_set(NULL, CALQUE_NO, "", 0, 0, "two %d", *p);

    /*@ assert status: a == CALQUE_BAD && b == CALQUE_NO && *p == \at(*p, Pre); */
    /*@ assert BOOM: \false; */
}
