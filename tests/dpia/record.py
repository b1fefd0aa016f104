"""A listing (calque dump --stage=c --numbering=seed) as a program that records its footprints. usage: record.py PROGRAM LISTING,
both as printed; n=3 .. as further arguments are the sizes."""
import re, sys

prog, listing = open(sys.argv[1]).read(), open(sys.argv[2]).read()
sizes = dict(a.split("=") for a in sys.argv[3:])


def declare(t, name):
    """C declaration of a value of type t (n.t, (t x u), num)."""
    dims = ""
    while not t.startswith("num"):
        m = re.match(r"([\w]+|\([^()]*\))\.", t)
        if not m:
            break
        dims, t = dims + "[%s]" % m.group(1), t[m.end():]
    if t.startswith("("):
        level = 0
        for i, c in enumerate(t):
            level += (c == "(") - (c == ")")
            if level == 1 and t[i:i + 3] == " x ":
                return "struct { %s; %s; } %s%s" % (declare(t[1:i], "x1"), declare(t[i + 3:-1], "x2"), name, dims)
    return "float %s%s" % (name, dims)


places = r"\b(?:%s|v\d+)\b(?:\[(?:[^][]|\[[^][]*\])*\]|\.x[12])*"
params = re.findall(r"^(in|out) (\w+) : (.*)$", prog, re.M)
place = re.compile(places % "|".join(p[1] for p in params))
out = ['#include "record.h"', "int main(void)", "{"]
out += ["enum { %s = %s };" % nv for nv in sizes.items() if nv[0] not in [p[1] for p in params]]
for role, name, t in params:
    out += ["static %s;" % declare(t, name)]
    out += ["for (size_t i = 0; i < sizeof %s / sizeof(float); i++) ((float *)&%s)[i] = (float)(i %% 7);" % (name, name)]
closing, pending = [], False
for line in listing.splitlines():
    at = len(line) - len(line.lstrip())
    if "#pragma omp parallel for" in line:
        pending = True
        out.append("rec_begin();")
    elif line.lstrip().startswith("for "):
        out.append(line)
        if pending:
            closing.append(at)
            out.append("rec_iteration();")
        pending = False
    elif re.match(r" *(float|struct) ", line):
        name = re.search(r"(v\d+)[^ ]*;$| (v\d+)\b[^;]*;$", line)
        name = name.group(1) or name.group(2)
        out += [line, "rec_local(&%s, sizeof %s);" % (name, name)]
    elif " = " in line and not line.lstrip().startswith("if"):
        left, right = line.rstrip(";").split(" = ", 1)
        out.append("WRITE(%s) = %s;" % (left.strip(), place.sub(lambda m: "READ(%s)" % m.group(0), right)))
    else:
        out.append(line)
        if line.strip() == "}" and closing and closing[-1] == at:
            closing.pop()
            out.append("rec_end();")
out += ['printf("%ld touches, %ld loops, %ld conflicts\\n", touched, loops, conflicts);', "return conflicts > 0;", "}"]
print("\n".join(out))
