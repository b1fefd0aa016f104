#!/usr/bin/env python3
"""A C program that runs the plain C of a model and compares bits.

usage: plain_driver.py NAME REQUEST ANSWER   writes C to standard output

REQUEST is what `calque dump MODEL --format=sexp --data --random SEED` prints, ANSWER what `calque run MODEL --random SEED
--text` prints. The program has the inputs' bits, calls NAME and compares the outputs' bits; a NaN is any NaN.
"""
import re
import sys

C = {"f32": ("float", "uint32_t"), "f64": ("double", "uint64_t"), "i32": ("int32_t", "int32_t"),
     "i64": ("int64_t", "int64_t"), "bool": ("uint8_t", "uint8_t")}
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


def program(name, ins, outs):
    text = "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
    text += "extern const long %s_arena;\nvoid %s(unsigned char *arena%s%s);\n\n" % (
        name, name, "".join(", const %s *in%d" % (C[d][0], i) for i, (d, _) in enumerate(ins)),
        "".join(", %s *out%d" % (C[d][0], i) for i, (d, _) in enumerate(outs)))
    for i, (dtype, words) in enumerate(ins):
        text += array("in%d" % i, dtype, words)
    for i, (dtype, words) in enumerate(outs):
        text += array("want%d" % i, dtype, words)
        text += "static %s out%d[%d];\n" % (C[dtype][0], i, len(words))
    text += "\nint main(void)\n{\n    unsigned char *arena = malloc((size_t)%s_arena + 8);\n    int bad = 0;\n\n" % name
    text += "    if (!arena)\n        return 3;\n"
    text += "    memset(arena, 0xff, (size_t)%s_arena + 8);\n    %s(arena%s%s);\n" % (
        name, name, "".join(", (const %s *)(const void *)in%d" % (C[d][0], i) for i, (d, _) in enumerate(ins)),
        "".join(", out%d" % i for i in range(len(outs))))
    for i, (dtype, words) in enumerate(outs):
        same = "memcmp(&out%d[i], &want%d[i], sizeof out%d[i]) != 0" % (i, i, i)
        if dtype in NAN:
            same += " && !(isnan(out%d[i]) && want%d[i] == %s)" % (i, i, NAN[dtype])
        text += "    for (long i = 0; i < %d; i++)\n        if (%s) {\n" % (len(words), same)
        text += '            printf("output %d, cell %%ld differs\\n", i);\n            bad = 1;\n            break;\n        }\n' % i
    return text + "    free(arena);\n    return bad;\n}\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[2]) as f:
        ins = inputs(f.read())
    with open(sys.argv[3]) as f:
        outs = outputs(f.read())
    sys.stdout.write(program(sys.argv[1], ins, outs))


main()
