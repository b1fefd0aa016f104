"""The executable form of files that `calque emit --acsl` wrote, for E-ACSL: eacsl.py OUT DIR.. with the files of NAME in ../NAME.

E-ACSL runs the clauses about sizes, bounds, validity, separation, guards and variants as they are. The logic functions of the
values are recursive and read arrays, which it does not support: each becomes a C function of the same text (float for float,
in the stated order), and a clause that calls them becomes a loop over its cells whose answer the assertion of the same label
is about. A loop's value clauses are looked at before each iteration, those of a function where it returns. What Pre and S0, S1,
.. mean of an array is a copy made there. OUT has NAME.c, to be instrumented, NAME_logic.c, and a main.c:
`main K WHAT` calls every function of file K that is not static, on arrays of exactly the size that its contract asks for, but for
what is to be broken (WHAT, see the text of main). Prints for each file how many clauses of which kind are run and how many are
left out."""
import collections
import os
import re
import sys

CLAUSE = r"\b(requires|terminates|exits|assigns|ensures|loop invariant|loop assigns|loop variant|assert)\b"
VEC = r"vec_(\w+?)(\{Pre\})?\(\((\w+) \*\)(\w+), ([^()]*(?:\([^()]*\)[^()]*)*)\)"
ran, left_out = collections.Counter(), collections.Counter()


def clauses(annotation):
    """(keyword, label, text) of each clause."""
    parts = re.split(CLAUSE, annotation.strip()[3:-2])
    for word, text in zip(parts[1::2], parts[2::2]):
        label, _, rest = text.partition(":")
        if not re.fullmatch(r"\s*\w+", label):
            label, rest = "", text
        yield word, label.strip(), rest.strip().rstrip(";").strip()


def c_term(text):
    """A logic term over sequences as C: arrays for sequences, the functions' C forms."""
    text = re.sub(r"\\at\(" + VEC + r", (S\d+)\)", lambda m: m[6] + "_" + m[4], text)
    text = re.sub(VEC, lambda m: ("Pre_" if m[2] else "") + m[4], text)
    text = re.sub(r"\b(?!calque_)(\w+)\(", lambda m: m[0] if m[1] in ("float", "double", "sizeof") else "L_" + m[0], text)
    text = re.sub(r"\b(minus_zero|minus_inf|inf|nan)_(f32|f64)\b(?!\()", r"L_\1_\2()", text)
    return text.replace("\\result", "result").replace("(integer)", "(long)")


def check(label, text, indent):
    """Statements that evaluate a clause about values, and the assertion about the outcome."""
    copied = re.fullmatch(r"(.*) == (.*)", text, flags=re.S)
    m = re.match(r"\\forall integer o; (.*) <= o < (.*) ==>\s*(.*)", text, flags=re.S)
    if m:
        body = "for (long o = %s; o < %s; o++) ok = ok && %s;" % (m[1], m[2], c_term(m[3]))
    elif label == "unchanged" and copied:
        body = ""
        for part in text.split(" && "):
            left, right = part.split(" == ")
            v = re.search(VEC, left)
            body += "ok = ok && rac_same(%s, %s, sizeof(%s) * (unsigned long)(%s)); " % (c_term(left), c_term(right), v[3], v[5])
    else:
        body = "ok = %s;" % c_term(text)
    return "%s{ int ok = 1; %s /*@ assert %s: ok != 0; */ ; }\n" % (indent, body.strip(), label)


def copies(texts, label, indent):
    """Copies of the arrays that are spoken of at the label."""
    seen, out = set(), ""
    for text in texts:
        found = [(m[4], m[3], m[5]) for m in re.finditer(VEC, text) if m[2]] if label == "Pre" else \
            [(m[4], m[3], m[5]) for m in re.finditer(r"\\at\(" + VEC + ", " + label + r"\)", text)]
        for name, kind, size in found:
            if name not in seen:
                seen.add(name)
                out += "%sconst %s *%s_%s = rac_copy(%s, sizeof(%s) * (unsigned long)(%s));\n" % (indent, kind, label, name, name,
                                                                                             kind, size)
    return out


def run(word, label, text):
    """Does E-ACSL run the clause as it is? Counted."""
    ours = label in ("value", "unchanged") and word in ("ensures", "loop invariant", "assert") and \
        re.search(r"same_\w+\(|vec_", text)
    if ours:
        ran[word + " " + label] += 1
    elif word in ("assigns", "loop assigns", "terminates", "exits"):
        left_out[word] += 1
    else:
        ran[(word + " " + label).strip()] += 1
    return not ours


def annotation(keep):
    return "/*@ " + "\n    ".join("%s %s%s;" % (w, l + ": " if l else "", t) for w, l, t in keep) + " */" if keep else ""


def function(contract, head, body):
    """A function with its contract, executable."""
    texts = [contract] + re.findall(r"/\*@.*?\*/", body, flags=re.S)
    keep, at_end = [], ""
    for word, label, text in clauses(contract):
        if not run(word, label, text):
            at_end += check(label, text, "    ")
        elif word not in ("assigns", "terminates", "exits"):
            keep.append((word, label, text))
    out, pending, parts = "", "", re.split(r"(/\*@.*?\*/)", body, flags=re.S)
    for part in parts:
        if not part.startswith("/*@"):
            if pending:
                brace = part.index("{\n") + 2
                part, pending = part[:brace] + pending + part[brace:], ""
            out += part
        elif re.match(r"/\*@ ghost S\d+: ;", part):
            out += copies(texts, re.search(r"S\d+", part)[0], "")
        elif re.match(r"/\*@ ghost", part):
            left_out["ghost calls"] += 1
        elif "loop" in part:
            stay = []
            for word, label, text in clauses(part):
                if not run(word, label, text):
                    pending += check(label, text, "        ")
                elif word == "loop variant":
                    stay.append((word, label, "(long)(%s)" % text)) # else a number of GMP, which it does not support there
                elif word != "loop assigns":
                    stay.append((word, label, text))
            out += annotation(stay)
        else:
            for word, label, text in clauses(part):
                out += "/*@ assert %s: %s; */ ;" % (label, text) if run(word, label, text) else check(label, text, "").rstrip()
    kind = re.match(r"(?:static )?(?:inline )?(\w+)", head)[1]
    if kind == "void":
        out += "\n" + at_end
    else:
        out = re.sub(r"return ([^;]*);", lambda m: "{ %s result = %s;\n%s    return result; }" % (kind, m[1], at_end), out)
    return "%s\n%s\n{\n%s%s}\n" % (annotation(keep), head, copies(texts, "Pre", "    "), out.rstrip("\n") + "\n")


def logic_c(text):
    """The logic functions as C functions, and their prototypes."""
    defined, prototypes = "", ""
    for kind, name, params, body in re.findall(r"logic (\w+) (\w+)\(([^()]*)\) =(.*?);", text, flags=re.S):
        params = re.sub(r"seq_(\w+) ", lambda m: "const %s *" % C_TYPE[m[1]], params).replace("integer", "long")
        head = "%s L_%s(%s)" % (kind.replace("integer", "long"), name, params)
        prototypes += head + ";\n"
        defined += "WEAK %s\n{\n    return %s;\n}\n" % (head, c_term(body.strip()))
    return prototypes, defined


LIBM = "exp", "log", "sqrt", "tanh", "fabs", "erf"
C_TYPE = {"f32": "float", "f64": "double", "i32": "int", "i64": "long", "i8": "signed char", "u8": "unsigned char"}
PROTOTYPES = "void *rac_copy(const void *p, unsigned long n);\nint rac_same(const void *p, const void *q, unsigned long n);\n"
PRELUDE = """#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define WEAK __attribute__((weak))
#define L_at_f32(v, i) (v)[i]
#define L_at_f64(v, i) (v)[i]
#define L_at_i32(v, i) (v)[i]
#define L_at_i64(v, i) (v)[i]
#define L_at_i8(v, i) (v)[i]
#define L_at_u8(v, i) (v)[i]
WEAK void *rac_copy(const void *p, unsigned long n) { void *q = malloc(n + 1); memcpy(q, p, n); return q; }
WEAK int rac_same(const void *p, const void *q, unsigned long n) { return memcmp(p, q, n) == 0; }
"""
for s, t in list(C_TYPE.items())[2:]:
    PROTOTYPES += "int L_same_%s(%s a, %s b);\n" % (s, t, t)
    PRELUDE += "WEAK int L_same_%s(%s a, %s b) { return a == b; }\n" % (s, t, t)
for s, t in list(C_TYPE.items())[:2]:
    f = "f" if s == "f32" else ""
    PROTOTYPES += "int L_same_%s(%s a, %s b);\nint L_lt_%s(%s a, %s b);\n" % (s, t, t, s, t, t)
    PRELUDE += "WEAK int L_same_%s(%s a, %s b) { return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b); }\n" % (s, t, t)
    PRELUDE += "WEAK int L_lt_%s(%s a, %s b) { return a < b; }\n" % (s, t, t)
    for name, op in ("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/"):
        PROTOTYPES += "%s L_%s_%s(%s a, %s b);\n" % (t, name, s, t, t)
        PRELUDE += "WEAK %s L_%s_%s(%s a, %s b) { return a %s b; }\n" % (t, name, s, t, t, op)
    PROTOTYPES += "%s pow%s(%s a, %s b);\n" % (t, f, t, t)
    PROTOTYPES += "%s L_pow_%s(%s a, %s b);\n%s L_neg_%s(%s a);\n" % (t, s, t, t, t, s, t)
    PRELUDE += "WEAK %s L_neg_%s(%s a) { return -a; }\n" % (t, s, t)
    PRELUDE += "WEAK %s L_pow_%s(%s a, %s b) { volatile %s x = a, y = b; return pow%s(x, y); }\n" % (t, s, t, t, t, f)
    for name in LIBM:
        PROTOTYPES += "%s L_%s_%s(%s a);\n" % (t, name.replace("fabs", "abs"), s, t)
        PRELUDE += "WEAK %s L_%s_%s(%s a) { volatile %s x = a; return %s%s(x); }\n" % (
            t, name.replace("fabs", "abs"), s, t, t, name, f)
    for name, value in ("inf", "INFINITY"), ("minus_inf", "-INFINITY"), ("minus_zero", "-0.0"), ("nan", "NAN"):
        PROTOTYPES += "%s L_%s_%s(void);\n" % (t, name, s)
        PRELUDE += "WEAK %s L_%s_%s(void) { return (%s)%s; }\n" % (t, name, s, t, value)
# Conversions with a float on one side: kernel_convert, written once more.
LIMIT = {"i32": ("INT32_MIN", "INT32_MAX", 31, 31), "i64": ("INT64_MIN", "INT64_MAX", 63, 63), "i8": ("INT8_MIN", "INT8_MAX", 7, 7),
         "u8": ("0", "UINT8_MAX", None, 8)}
for s, t in list(C_TYPE.items()):
    for r in "f32", "f64":
        if s != r:
            PROTOTYPES += "%s L_from_%s_%s(%s a);\n" % (C_TYPE[r], s, r, t)
            PRELUDE += "WEAK %s L_from_%s_%s(%s a) { return (%s)a; }\n" % (C_TYPE[r], s, r, t, C_TYPE[r])
        if s in LIMIT:
            lo, hi, least, most = LIMIT[s]
            PROTOTYPES += "%s L_from_%s_%s(%s a);\n" % (t, r, s, C_TYPE[r])
            PRELUDE += "WEAK %s L_from_%s_%s(%s a) { return isnan(a) ? 0 : a < %s ? %s : a >= 0x1p%d ? %s : (%s)a; }\n" % (
                t, r, s, C_TYPE[r], "0" if least is None else "-0x1p%d" % least, lo, most, hi, t)
for r in "f32", "f64":
    PROTOTYPES += "unsigned char L_from_%s_bool(%s a);\n" % (r, C_TYPE[r])
    PRELUDE += "WEAK unsigned char L_from_%s_bool(%s a) { return a != 0; }\n" % (r, C_TYPE[r])


def translate(text):
    text = re.sub(r"\((\w+) \.\. \1\)", r"\1", text) # E-ACSL 25 forgets to initialise the second of two equal bounds
    text = re.sub(r"/\*@[^@]*?\*/\n#ifdef __FRAMAC__\n[^#]*#endif\n", "", text) # of a function that is C without a contract here
    text = re.sub(r"#ifndef __FRAMAC__ /\* called[^\n]*\n(.*?)#endif\n", r"\1", text, flags=re.S)
    text = re.sub(r"#ifdef __FRAMAC__\n.*?\n#else\n(.*?)#endif", r"\1", text, flags=re.S)
    logic = "\n".join(a for a in re.findall(r"/\*@.*?\*/", text, flags=re.S) if re.search(r"\blogic\b", a))
    predicate = "".join("/*@ %s */\n" % p for p in re.findall(r"predicate \w+_sizes\(.*?;", text, flags=re.S))
    text = re.sub(r"/\*@\s*(axiomatic|logic|predicate|lemma|ghost\s*/@).*?\*/", "", text, flags=re.S)
    text = re.sub(r"(/\*@(?:(?!\*/).)*?\*/)\s*((?:static |inline |void )[^\n;]*\))\n\{\n(.*?)\n\}\n",
                  lambda m: function(m[1], m[2], m[3]), text, flags=re.S)
    logic = re.sub(r"axiomatic \w+ \{.*?\}", "", logic, flags=re.S)
    return predicate, logic, text


def harness(name, text):
    """run_NAME: each function that is not static, once, on arrays of the size that its contract asks for."""
    calls = ""
    for contract, function, params in re.findall(r"(/\*@(?:(?!\*/).)*?\*/)\nvoid (\w+)\(([^\n;]*)\)\n\{", text, flags=re.S):
        params = [p.rsplit(None, 1) for p in params.split(", ")]
        arrays, n = [], 0
        calls += "    {\n"
        for kind, word in params:
            word = word.lstrip("*")
            if kind == "long":
                calls += "        long %s = sizes < 0 ? -1 : %d;\n" % (word, 3 + n)
                n += 1
                continue
            constant, element = kind.startswith("const "), kind.replace("const ", "").split()[0]
            cells = re.search(r"\\valid(?:_read)?\(" + word + r" \+ \(0 \.\. (.*?)\)\)(?: &&|;)", contract)[1] + " + 1"
            short = "(what == '%s')" % ("i" if constant else "o")
            calls += "        %s *%s = rac_array(%s - %s, sizeof *%s);\n" % (element, word, cells, short, word)
            if constant:
                calls += "        for (long i = 0; i < %s - %s; i++)\n            %s[i] = (%s)%srac_number(%d);\n" % (
                    cells, short, word, element, "(long)" if "int" in element else "", "int" in element)
            arrays.append((constant, word, element))
        if len(arrays) > 1:
            calls += "        if (what == 'x')\n            %s = (%s *)%s;\n" % (arrays[-1][1], arrays[-1][2], arrays[0][1])
        calls += "        %s(%s);\n    }\n" % (function, ", ".join(w.lstrip("*") for _, w in params))
    return "\nvoid run_%s(int what)\n{\n    long sizes = what == 's' ? -1 : 1;\n    (void)sizes;\n%s}\n" % (name, calls)


HARNESS = "void *rac_array(long n, unsigned long size);\ndouble rac_number(int whole);\n"
MAIN = """void *malloc(unsigned long n);
void *rac_array(long n, unsigned long size)
{
    return malloc((unsigned long)(n < 0 ? 0 : n) * size);
}
static int least = 11;
/* Small multiples of a quarter, and every ninth time a number with all its digits. */
double rac_number(int whole)
{
    static unsigned x = 1;
    x = x * 1103515245u + 12345u;
    double y = (double)(x >> 16 & 31) - least;
    return whole ? y : (x >> 16) %% 9 == 0 ? y / 3 : y / 4;
}
%s/* WHAT: n nothing is broken; m nor is it, the numbers are all negative; o outputs are an element short, i inputs are, x the last
   array is the first, s negative sizes. */
int main(int argc, char **argv)
{
    int k = 0;

    if (argc != 3)
        return 2;
    for (int i = 0; argv[1][i] != 0; i++)
        k = k * 10 + (argv[1][i] - '0');
    if (argv[2][0] == 'm')
        least = 32;
%s    return 0;
}
"""


def main():
    out, folders = sys.argv[1], sys.argv[2:]
    prototypes, calls = "", ""
    for k, folder in enumerate(folders):
        name = os.path.basename(folder)
        file = folder + "/" + name + "_kernels.c"
        text = open(file if os.path.exists(file) else folder + "/" + name + ".c").read()
        ran.clear()
        left_out.clear()
        predicate, logic, done = translate(open(folder + "/calque_acsl.h").read() + text)
        declared, defined = logic_c(logic)
        done = done.replace('#include "calque_acsl.h"\n', "").replace("INFINITY", "(1.0 / 0.0)").replace("NAN", "(0.0 / 0.0)")
        libm = "".join("float %sf(float x);\ndouble %s(double x);\n" % (f, f) for f in LIBM)
        done = re.sub(r'#include ("%s.*?"|<math.h>)' % name, "", done)
        open("%s/%s.c" % (out, name), "w").write("#include <stdint.h>\n" + libm + PROTOTYPES + declared + predicate + done + HARNESS + harness(name, text))
        open("%s/%s_logic.c" % (out, name), "w").write(PRELUDE + declared + defined)
        prototypes += "void run_%s(int what);\n" % name
        calls += "    if (k == %d)\n        run_%s(argv[2][0]);\n" % (k, name)
        print("%s %d run, %d not: %s; not: %s" % (name, sum(ran.values()), sum(left_out.values()), *[
            ", ".join("%s %d" % kv for kv in sorted(c.items())) for c in (ran, left_out)]))
    open(out + "/main.c", "w").write(MAIN % (prototypes, calls))


main()
