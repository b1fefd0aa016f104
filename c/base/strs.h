/* Interned strings: equal strings have equal ids (but for strs_append), so the rest compares ints. Ids count from 0;
   strings may hold any bytes. */
#ifndef CALQUE_BASE_STRS_H
#define CALQUE_BASE_STRS_H

#include "base/mem.h"

enum { STRS_ALONE = -2 };

struct str_entry {
    size_t start; /* into text */
    int len;
    unsigned hash;
    int next; /* next id of the same bucket, -1: the last one, STRS_ALONE: in none */
};

struct strs {
    struct mem *mem;
    struct {
        char *a;
        int n, cap;
    } text; /* each string NUL-terminated */
    struct {
        struct str_entry *a;
        int n, cap;
    } entry;
    int *bucket;
    int buckets;
};

void strs_init(struct strs *s, struct mem *mem);
void strs_free(struct strs *s);
/* The id of the string, or -1 when memory is out. */
int strs_add(struct strs *s, const char *text, size_t len);
int strs_addz(struct strs *s, const char *text);
/* A string of its own, which the other functions do not find: for texts that are only printed. */
int strs_append(struct strs *s, const char *text, size_t len);
/* The id of the string if it was added before, else -1. */
int strs_find(const struct strs *s, const char *text, size_t len);
int strs_findz(const struct strs *s, const char *text);
/* The text, NUL-terminated; valid until the next strs_add. */
const char *strs_text(const struct strs *s, int id);
int strs_len(const struct strs *s, int id);

#endif
