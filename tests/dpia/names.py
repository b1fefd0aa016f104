#!/usr/bin/env python3
"""Programs whose sizes and parameters have names that C has other uses for, and a C program that runs each of them.
usage: names.py DIR <WORDS     writes DIR/K.dpia and DIR/K.c; prints how many"""
import sys

OURS = """i3 i3_ i3__ v1 v2 i v x1 a1 _x t_x tt_x _X __x _ t_ __ t__ arg_0 arg_1_ size_1 size_2_ calque_max_f32 calque_less_f32
EOF INT_MAX INT_MAX_ BUFSIZ M_PI SIZE_MAX A AB int_ int__ linux_ log2_ kernel program NAN NULL INFINITY INT64_C failed_ xs""".split()
LANGUAGE = set("size in out temp def fun let if then else num exp log sqrt pow tanh abs erf round max min neg less nan inf".split())
EACH = 48


def main():
    words = [w for w in dict.fromkeys(OURS + sys.stdin.read().split()) if w not in LANGUAGE]
    n = 0
    while n * EACH < len(words):
        sizes = words[n * EACH:(n + 1) * EACH]
        arrays = (words + words)[(n + 1) * EACH:][:len(sizes)]
        body = "zero"
        for k, a in enumerate(arrays):
            body = "(reduceSeq (fun %s %s -> %s + %s) 0 %s) + (%s)" % ("x" if k % 2 else "i", "v", "x" if k % 2 else "i", "v", a, body)
        with open("%s/%d.dpia" % (sys.argv[1], n), "w") as f:
            f.write("size %s\n" % ", ".join(sizes))
            f.writelines("in %s : %s.num\n" % x for x in zip(arrays, sizes))
            f.write("in zero : num\nout result : num\nresult := %s\n" % body)
        with open("%s/%d.c" % (sys.argv[1], n), "w") as f:
            lengths = [k % 5 for k in range(len(sizes))]
            f.write('#include "p.h"\n#include <stdio.h>\nint main(void)\n{\n    float x[5] = { 1, 2, 4, 8, 16 }, zero = 0, r;\n    p(')
            f.write(", ".join([str(k) for k in lengths] + ["x"] * len(arrays) + ["&zero", "&r"]))
            f.write(');\n    printf("%%g\\n", (double)r);\n    return r == %d ? 0 : 1;\n}\n' % sum(2 ** k - 1 for k in lengths))
        n += 1
    print(n)


main()
