/* The oracle and libcalque in one process, on random requests: usage: both LANGUAGE [COUNT [SEED [FIRST]]]. Prints how many cases a second both
   sides take together, with the making of the requests, in processor time; exit status 1: an answer differs, and its case is printed.
   Answers that begin with "unsupported" are discarded. It is also what a harness of one's own looks like: oracle_cases, then the same bytes to the other side. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../oracle/oracle.h"
#include "answers.h"

static const struct {
    const char *name, *end; /* the line that ends an answer; NULL: each line is one */
    int (*answers)(FILE *in, FILE *out);
} language[] = {
    { "attr", NULL, attr_answers }, { "gsl", "end\n", gsl_answers },     { "gsl-fixed", "end\n", gsl_answers },
    { "dpia", "%%\n", dpia_answers }, { "model", "\n", model_answers },
};

enum { AT_ONCE = 256 };

/* The other side's answers to the requests; false when there is no memory for them. */
static bool answered(int l, const struct oracle_text *requests, char **answers, size_t *n)
{
    FILE *in = fmemopen(requests->a, requests->n, "r"), *out = open_memstream(answers, n);
    bool ok = in && out;

    if (ok)
        language[l].answers(in, out);
    if (in)
        fclose(in);
    return (!out || fclose(out) == 0) && ok;
}

/* How long the answer at text is, with the line that ends it. */
static size_t block(const char *text, const char *end)
{
    const char *at = text;

    while (*at) {
        size_t n = strcspn(at, "\n") + 1;
        bool last = !end || (n == strlen(end) && strncmp(at, end, n) == 0);
        at += at[n - 1] ? n : n - 1;
        if (last)
            break;
    }
    return (size_t)(at - text);
}

/* Cases first to first + n - 1: 0 equal, 1 not, 3 neither. Counts those that are discarded. */
static int compare(int l, int64_t seed, int64_t first, int64_t n, struct oracle_text *requests, struct oracle_text *answers, long *discarded)
{
    char *got = NULL;
    size_t size = 0;
    const char *a, *b;
    int status = 3;

    if (oracle_cases(language[l].name, seed, first, n, requests, answers) != ORACLE_OK)
        fprintf(stderr, "both: %s\n", requests->a ? requests->a : "out of memory");
    else if (answered(l, requests, &got, &size))
        status = 0;
    a = answers->a;
    b = got;
    for (int64_t k = first; k < first + n && status == 0; k++) {
        size_t na = block(a, language[l].end), nb = block(b, language[l].end);
        if (strncmp(b, "unsupported", 11) == 0) {
            ++*discarded;
        } else if (na != nb || memcmp(a, b, na) != 0) {
            status = 1;
            printf("case %lld of seed %lld: the oracle:\n%.*sthe other side:\n%.*s", (long long)k, (long long)seed, (int)na, a, (int)nb, b);
        }
        a += na;
        b += nb;
    }
    if (status == 0 && (*a || *b)) {
        status = 1;
        printf("more answers than requests\n");
    }
    free(got);
    return status;
}

int main(int argc, char **argv)
{
    struct oracle_text requests = ORACLE_TEXT_INIT, answers = ORACLE_TEXT_INIT;
    long long count = argc > 2 ? strtoll(argv[2], NULL, 10) : 10000, seed = argc > 3 ? strtoll(argv[3], NULL, 10) : 1;
    long long first = argc > 4 ? strtoll(argv[4], NULL, 10) : 0, done = 0;
    long discarded = 0;
    int l = 0, status = 0;

    while (l < (int)(sizeof language / sizeof *language) && (argc < 2 || strcmp(language[l].name, argv[1]) != 0))
        l++;
    if (argc < 2 || argc > 5 || count < 1 || first < 0 || l == (int)(sizeof language / sizeof *language)) {
        fprintf(stderr, "usage: both LANGUAGE [COUNT [SEED [FIRST]]]\n");
        return 2;
    }
    /* The runtime starts, and what is kept between cases is made. */
    status = compare(l, seed, first, 1, &requests, &answers, &discarded);
    discarded = 0;
    clock_t start = clock();
    while (done < count && status == 0) {
        long long n = count - done < AT_ONCE ? count - done : AT_ONCE;
        status = compare(l, seed, first + done, n, &requests, &answers, &discarded);
        done += n;
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (status == 0)
        printf("%s: seed %lld: %lld cases equal, %ld discarded, %.0f a second\n", language[l].name, seed, done - discarded, discarded, seconds > 0 ? (double)done / seconds : 0);
    oracle_text_free(&requests);
    oracle_text_free(&answers);
    return status;
}
