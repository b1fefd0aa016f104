/* The command line: which command, and the exit status. Invariant: what could not be printed makes the status an
   error. Names come from files that others made: control characters in them must not reach a terminal. Messages have them as
   \xHH always, the standard output when it is a terminal; files and pipes get the bytes as they are. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"

struct command {
    const char *name;
    int (*run)(struct cli *c, int argc, char **argv);
    const char *words;
};

static const struct command commands[] = {
    {"check", cmd_check, "check rules before any graph is seen"},
    {"match", cmd_match, "list the matches of rules in a model; --why explains a refusal"},
    {"opt", cmd_opt, "rewrite a model by rules, fold its parameters"},
    {"equiv", cmd_equiv, "are two models the same: bit for bit, over the reals, or on which inputs not"},
    {"emit", cmd_emit, "emit OpenMP C for a model or a kernel"},
    {"report", cmd_report, "optimise and emit a model, and say what became of each node: trace and page"},
    {"grad", cmd_grad, "reverse-mode gradient of a kernel or a model"},
    {"inline", cmd_inline, "inline temporaries of a kernel, remove dead statements"},
    {"run", cmd_run, "reference interpreter of a model"},
    {"dump", cmd_dump, "print a model or kernel at any stage"},
    {"ops", cmd_ops, "list the operators that have a meaning: opsets, element types, what is proved"},
    {"profile", cmd_profile, "where a model falls short of ONNX's safety-related profile; what answers its requirements"},
    {"rules", cmd_rules, "list the built-in rule library"},
};

static int help(FILE *f, int status)
{
    fprintf(f, "calque: a verified-core tensor compiler\n\nusage: calque COMMAND [options] ...\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(f, "  %-7s %s\n", commands[i].name, commands[i].words);
    fprintf(f, "\n`calque COMMAND --help` shows its options. Exit status: 0 yes or done, 1 a negative answer,\n"
               "2 usage or bad input, 3 a limit or an internal error.\n");
    return status;
}

static bool finished;

/* Libraries that call exit (OpenMP's, when it has no memory or no thread) would say 1, which is a negative answer. */
static void at_exit(void)
{
    if (finished)
        return;
    fflush(stdout);
    _exit(EXIT_INTERNAL);
}

/* Before the constructors of libraries, of which one can call exit too. */
static void early(void)
{
    atexit(at_exit);
}
__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = early;

/* Of a command whose output may not have arrived. */
static int finish(const struct cli *c, int status)
{
    if (c->json && status <= EXIT_NO && cli_json_failed()) {
        fprintf(stderr, "calque: error: the JSON answer is not whole: out of memory\n");
        status = EXIT_INTERNAL;
    }
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "calque: error: cannot write to standard output%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
        status = status > EXIT_INPUT ? status : EXIT_INPUT;
    }
    return status;
}

static int run(int argc, char **argv)
{
    struct cli c = {.mem = MEM_INIT, .program = argv[0]};
    int status;

    if (argc < 2)
        return help(stderr, EXIT_INPUT);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        return finish(&c, help(stdout, EXIT_YES));
    if (strcmp(argv[1], "--version") == 0) {
        printf("calque %s\n", CALQUE_VERSION);
        return finish(&c, EXIT_YES);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            strs_init(&c.strs, &c.mem);
            values_init(&c.values, &c.mem);
            c.values.strs = &c.strs;
            status = commands[i].run(&c, argc - 1, argv + 1);
            cli_given_free(&c);
            values_free(&c.values);
            strs_free(&c.strs);
            return finish(&c, status);
        }
    fprintf(stderr, "calque: unknown command '%s' (see calque --help)\n", argv[1]);
    return EXIT_INPUT;
}

int main(int argc, char **argv)
{
    int status;

    file_catch_signals();
    cli_guard_terminal();
    cli_json_init();
    status = run(argc, argv);
    finished = true;
    return status;
}

/* ---- what reaches a terminal ---- */

struct filter {
    int fd;
    bool c2; /* the last byte was 0xc2, which with 0x80 to 0x9f is a control character too */
};

static size_t escaped(char *out, unsigned c)
{
    static const char hex[] = "0123456789abcdef";

    out[0] = '\\';
    out[1] = 'x';
    out[2] = hex[c >> 4];
    out[3] = hex[c & 15];
    return 4;
}

static ssize_t filter_write(void *cookie, const char *s, size_t n)
{
    struct filter *f = cookie;
    char out[1024];
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned c = (unsigned char)s[i];
        if (f->c2) {
            bool control = c >= 0x80 && c < 0xa0;
            k += control ? escaped(out + k, 0xc2) : 1;
            if (!control)
                out[k - 1] = (char)0xc2;
            k += control ? escaped(out + k, c) : 0;
            f->c2 = false;
            if (control)
                continue;
        }
        if (c == 0xc2)
            f->c2 = true;
        else if ((c < 32 && c != '\n' && c != '\t') || c == 127)
            k += escaped(out + k, c);
        else
            out[k++] = (char)c;
        if (k > sizeof out - 16) {
            if (!file_put(f->fd, out, k))
                return 0;
            k = 0;
        }
    }
    return file_put(f->fd, out, k) ? (ssize_t)n : 0;
}

static FILE *filtered(struct filter *f)
{
    return fopencookie(f, "w", (cookie_io_functions_t){ .write = filter_write });
}

void cli_guard_terminal(void)
{
    static struct filter out = { STDOUT_FILENO, false }, err = { STDERR_FILENO, false };
    FILE *f = filtered(&err);

    if (f) {
        setvbuf(f, NULL, _IONBF, 0);
        stderr = f;
    }
    if (isatty(STDOUT_FILENO) && (f = filtered(&out)) != NULL) {
        setvbuf(f, NULL, _IOLBF, 0);
        stdout = f;
    }
}
