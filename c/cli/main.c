#include <string.h>

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
    {"emit", cmd_emit, "emit OpenMP C for a model or a kernel"},
    {"grad", cmd_grad, "reverse-mode gradient of a kernel or a model"},
    {"inline", cmd_inline, "inline temporaries of a kernel, remove dead statements"},
    {"run", cmd_run, "reference interpreter of a model"},
    {"dump", cmd_dump, "print a model or kernel at any stage"},
    {"rules", cmd_rules, "list the built-in rule library"},
};

static int help(FILE *f, int status)
{
    fprintf(f, "calque: a verified-core tensor compiler\n\nusage: calque COMMAND [options] ...\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(f, "  %-6s %s\n", commands[i].name, commands[i].words);
    fprintf(f, "\n`calque COMMAND --help` shows its options. Exit status: 0 yes or done, 1 a negative answer,\n"
               "2 usage or bad input, 3 internal error.\n");
    return status;
}

int main(int argc, char **argv)
{
    struct cli c = {.mem = MEM_INIT, .program = argv[0]};
    int status;

    if (argc < 2)
        return help(stderr, EXIT_INPUT);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        return help(stdout, EXIT_YES);
    if (strcmp(argv[1], "--version") == 0) {
        printf("calque %s\n", CALQUE_VERSION);
        return EXIT_YES;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            strs_init(&c.strs, &c.mem);
            values_init(&c.values, &c.mem);
            c.values.strs = &c.strs;
            status = commands[i].run(&c, argc - 1, argv + 1);
            values_free(&c.values);
            strs_free(&c.strs);
            if (fflush(stdout) != 0 || ferror(stdout))
                return EXIT_INPUT;
            return status;
        }
    fprintf(stderr, "calque: unknown command '%s' (see calque --help)\n", argv[1]);
    return EXIT_INPUT;
}
