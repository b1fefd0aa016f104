/* Preloaded: the BROKEN_ALLOC-th allocation fails, and with BROKEN_REST all after it; tmpfile with BROKEN_TMPFILE, threads with
   BROKEN_THREADS. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

static long left = -2; /* -2: not asked yet, -1: never */

static int rest(void)
{
    const char *s = getenv("BROKEN_REST");

    return s && *s;
}

static int fails(void)
{
    if (left == -2) {
        const char *s = getenv("BROKEN_ALLOC");
        left = s ? atol(s) : -1;
    }
    if (left < 0 || (left == 0 && !rest()))
        return 0;
    if (left == 1 && rest())
        return 1;
    return --left == 0;
}

void *malloc(size_t n)
{
    return fails() ? errno = ENOMEM, NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? errno = ENOMEM, NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails() ? errno = ENOMEM, NULL : __libc_realloc(p, n);
}

FILE *tmpfile(void)
{
    errno = EACCES;
    return getenv("BROKEN_TMPFILE") ? NULL : fopen("/dev/null", "r+");
}

int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x)
{
    (void)t, (void)a, (void)f, (void)x;
    return EAGAIN; /* the programs tried here start threads only for what BROKEN_THREADS tries */
}
