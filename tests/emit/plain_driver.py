#!/usr/bin/env python3
"""A C program that runs the plain C of a model and compares bits.

usage: plain_driver.py NAME REQUEST [ANSWER]   writes C to standard output

REQUEST is what `calque dump MODEL --format=sexp --data --random SEED` prints, ANSWER what `calque run MODEL --random SEED
--text` prints. The program has the inputs' bits, calls NAME and compares the outputs' bits; a NaN is any NaN. Without
ANSWER an index of a look-up is outside: NAME must return 1. Exit status: 0 as it must be, 1 not.
"""
import math
import re
import sys

C = {"f32": ("float", "uint32_t"), "f64": ("double", "uint64_t"), "i32": ("int32_t", "int32_t"),
     "i64": ("int64_t", "int64_t"), "i8": ("int8_t", "int8_t"), "u8": ("uint8_t", "uint8_t"), "bool": ("uint8_t", "uint8_t")}
NAN = {"f32": "0x7fc00000", "f64": "0x7ff8000000000000"}


def cells(dtype, words):
    """The words as initialisers of the type that has their bits."""
    if dtype in NAN:
        return [NAN[dtype] if w == "nan" else "0x" + w for w in words]
    return ["INT64_MIN" if w == "-9223372036854775808" else "(-2147483647 - 1)" if w == "-2147483648" else w for w in words]


def array(name, dtype, words):
    return "static const %s %s[] = {%s};\n" % (C[dtype][1], name, ", ".join(cells(dtype, words)))


def inputs(request):
    graph, data = request.split("\n(data", 1)
    kinds = re.findall(r'^  \((\d+) (?:-|"(?:[^"\\]|\\.)*") \((\w+)[^)]*\) \(input\)\)', graph, re.M)
    tensors = {m.group(1): m.group(2).split() for m in re.finditer(r"\((\d+)((?: [^() ]+)*)\)", data)}
    return [(dtype, tensors[node]) for node, dtype in kinds]


def outputs(answer):
    return [(m.group(1), m.group(2).split())
            for m in re.finditer(r'^\(output "(?:[^"\\]|\\.)*" \((\w+)[^)]*\)((?: [^() ]+)*)\)$', answer, re.M)]


def declared(request):
    """The type and the number of cells of each output."""
    nodes = dict(re.findall(r'^  \((\d+) (?:-|"(?:[^"\\]|\\.)*") \((\w+(?: \d+)*)\)', request, re.M))
    outs = re.findall(r'\("(?:[^"\\]|\\.)*" (\d+)\)', request[request.index("\n  (outputs"):])
    types = [nodes[node].split() for node in outs]
    return [(t[0], math.prod(int(n) for n in t[1:])) for t in types]


def program(name, ins, outs, status):
    text = "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
    text += "extern const long %s_arena;\nint %s(unsigned char *arena%s%s);\n\n" % (
        name, name, "".join(", const %s *in%d" % (C[d][0], i) for i, (d, _) in enumerate(ins)),
        "".join(", %s *out%d" % (C[d][0], i) for i, (d, _) in enumerate(outs)))
    for i, (dtype, words) in enumerate(ins):
        text += array("in%d" % i, dtype, words)
    for i, (dtype, words) in enumerate(outs):
        if status == 0:
            text += array("want%d" % i, dtype, words)
        text += "static %s out%d[%d];\n" % (C[dtype][0], i, len(words))
    text += "\nint main(void)\n{\n    unsigned char *arena = malloc((size_t)%s_arena + 8);\n    int bad = 0;\n\n" % name
    text += "    if (!arena)\n        return 3;\n"
    text += "    memset(arena, 0xff, (size_t)%s_arena + 8);\n    if (%s(arena%s%s) != %d) {\n" % (
        name, name, "".join(", (const %s *)(const void *)in%d" % (C[d][0], i) for i, (d, _) in enumerate(ins)),
        "".join(", out%d" % i for i in range(len(outs))), status)
    text += '        printf("another status than %d\\n");\n        bad = 1;\n    }\n' % status
    for i, (dtype, words) in enumerate(outs if status == 0 else []):
        same = "memcmp(&out%d[i], &want%d[i], sizeof out%d[i]) != 0" % (i, i, i)
        if dtype in NAN:
            same += " && !(isnan(out%d[i]) && want%d[i] == %s)" % (i, i, NAN[dtype])
        text += "    for (long i = 0; i < %d; i++)\n        if (%s) {\n" % (len(words), same)
        text += '            printf("output %d, cell %%ld differs\\n", i);\n            bad = 1;\n            break;\n        }\n' % i
    return text + "    free(arena);\n    return bad;\n}\n"


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with open(sys.argv[2]) as f:
        request = f.read()
    if len(sys.argv) == 3:
        outs = [(dtype, ["0"] * max(cells, 1)) for dtype, cells in declared(request)]
        sys.stdout.write(program(sys.argv[1], inputs(request), outs, 1))
        return
    with open(sys.argv[3]) as f:
        outs = outputs(f.read())
    sys.stdout.write(program(sys.argv[1], inputs(request), outs, 0))


main()
