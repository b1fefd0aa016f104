/* The targets without libFuzzer: replay TARGET FILE.. runs the target on each file. Says how many; what goes wrong ends it. */
#include <stdint.h>
#include <stdio.h>

#include "fuzz/fuzz.h"

enum { MOST = 1 << 20 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int main(int argc, char **argv)
{
    static uint8_t data[MOST];
    size_t n;
    FILE *in;

    if (argc < 3) {
        fprintf(stderr, "usage: replay TARGET FILE..\n");
        return 2;
    }
    argv++;
    LLVMFuzzerInitialize(&argc, &argv);
    for (int k = 2; k < argc; k++) {
        in = fopen(argv[k - 1], "rb");
        if (!in) {
            perror(argv[k - 1]);
            return 2;
        }
        n = fread(data, 1, MOST, in);
        fclose(in);
        fprintf(stderr, "%s\n", argv[k - 1]);
        LLVMFuzzerTestOneInput(data, n);
    }
    printf("%s: %d inputs\n", argv[0], argc - 2);
    return 0;
}
