"""What freestanding code is, read from its text: of DIR/NAME.c, NAME.h and the answer of calque emit --json.

  freestanding.py DIR NAME JSON    the budgets are those of the text, counted here again; the text keeps the rules:
                                   headers, no allocation, no recursion, short lines, each name of math.h that the header lists
  freestanding.py hosted DIR NAME  the same budgets in DIR/budget.json of code for threads
  freestanding.py symbols DIR NAME OBJECT..   what the objects need from elsewhere: at most the listed functions, mem*, the compiler's runtime

Prints what is wrong, exit status 1."""
import json
import re
import subprocess
import sys

TOKEN = re.compile(r"0x[0-9a-f.]+p[+-]?\d+f?|\d+\.\d+f?|\d+u?|\w+|&&|\|\||<=|>=|==|!=|\+\+|--|[-+*/%<>=!?:;,(){}\[\]~&.]")
COUNTED = {"add", "sub", "mul", "div", "mod", "max", "min", "neg", "abs", "less", "equal", "when", "orelse", "exp", "log", "tanh", "erf", "pow", "round"}
LIBM = {f + s for f in ("pow", "exp", "log", "sqrt", "tanh", "fabs", "erf", "fma") for s in ("", "f")}
TYPES = {"float": 4, "double": 8, "int32_t": 4, "int64_t": 8, "uint32_t": 4, "uint8_t": 1, "int8_t": 1}


class Parser:
    """Expressions give (operations, multiply-adds, is a product); statements (operations, multiply-adds, iterations, arrays)."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0
        self.calls = set()
        self.loops = []  # (depth, iterations), in the order of the text
        self.depth = 0

    def look(self, k=0):
        return self.tokens[self.at + k] if self.at + k < len(self.tokens) else ""

    def take(self, want=None):
        t = self.look()
        assert t and (want is None or t == want), f"{t} for {want} in {' '.join(self.tokens[self.at - 9:self.at + 9])}"
        self.at += 1
        return t

    def skip(self, left, right):
        """From the opening bracket to behind its closing one."""
        depth = 0
        while True:
            t = self.take()
            depth += (t == left) - (t == right)
            if depth == 0:
                return

    def choice(self):
        """expression, or conditions ? a : b, whose conditions are on indices."""
        start, depth, k = self.at, 0, self.at
        while depth >= 0 and self.tokens[k] not in ";,":
            t = self.tokens[k]
            depth += (t in "([") - (t in ")]")
            if depth == 0 and t == "?":
                self.at = k + 1
                a = self.choice()
                self.take(":")
                b = self.choice()
                return max(a[0], b[0]), max(a[1], b[1]), False
            k += 1
        self.at = start
        return self.sum()

    def sum(self):
        a = self.product()
        while self.look() in ("+", "-"):
            self.take()
            b = self.product()
            a = (a[0] + b[0] + 1, a[1] + b[1] + (a[2] or b[2]), False)
        return a

    def product(self):
        a = self.unary()
        while self.look() in ("*", "/"):
            op = self.take()
            b = self.unary()
            a = (a[0] + b[0] + 1, a[1] + b[1], op == "*")
        return a

    def unary(self):
        if self.look() == "-":
            self.take()
            if re.match(r"[\d]|INFINITY|NAN", self.look()):
                self.take()
                return 0, 0, False
            if self.look() == "(" and self.look(1) == "double" and self.look(3) in ("INFINITY", "NAN"):
                self.at += 4
                return 0, 0, False
            a = self.unary()
            return a[0] + 1, a[1], False
        if self.look() == "(" and self.look(1) in TYPES and self.look(2) == ")":
            self.at += 3
            return self.unary()
        return self.primary()

    def primary(self):
        if self.look() == "(":
            self.take()
            if self.look() == "0" and self.look(1) == "!=":
                self.at += 2
            a = self.choice()
            self.take(")")
            return a
        name = self.take()
        if self.look() == "[":
            self.skip("[", "]")
            return 0, 0, False
        if self.look() != "(":
            return 0, 0, False
        self.calls.add(name)
        if name in ("INT64_C",) or name.startswith("calque_guard"):
            self.skip("(", ")")
            return 0, 0, False
        self.take("(")
        parts = [self.choice()]
        while self.look() == ",":
            self.take()
            parts.append(self.choice())
        self.take(")")
        if name in ("fma", "fmaf"):  # a product and a sum
            return sum(p[0] for p in parts) + 2, sum(p[1] for p in parts) + 1, False
        op = name.split("_")[1] if name.startswith("calque_") else None
        own = op in COUNTED or name in LIBM
        assert own or op in ("hide", "bool", "to"), name
        fma = op in ("add", "sub") and any(p[2] for p in parts)
        inner = parts[0][2] if not own else op == "mul"
        return sum(p[0] for p in parts) + own, sum(p[1] for p in parts) + fma, inner

    def bound(self, stop, low):
        """The number among the candidates of a loop's end."""
        start = self.at
        depth = 0
        while depth > 0 or self.look() not in stop:
            t = self.take()
            depth += (t == "(") - (t == ")")
        text = "".join(self.tokens[start:self.at])
        m = re.fullmatch(r"(?:calque_%s_index\()*(-?\d+)(?:,.*)?" % ("max" if low else "min"), text)
        assert m, text
        return int(m.group(1))

    def block(self):
        self.take("{")
        w = [0, 0, 0, 0]
        while self.look() != "}":
            s = self.statement()
            w = [a + b for a, b in zip(w, s)]
        self.take("}")
        return w

    def loop(self):
        self.take("for")
        self.take("(")
        self.take("long")
        var = self.take()
        self.take("=")
        low = self.bound(";", True)
        self.take(";")
        assert self.take() == var
        self.take("<")
        high = self.bound(";", False)
        self.at += 4
        n = max(high - low, 0)
        self.loops.append((self.depth, n))
        self.depth += 1
        body = self.statement()
        self.depth -= 1
        return [n * body[0], n * body[1], n * (1 + body[2]), body[3]]

    def statement(self):
        t = self.look()
        if t == "{":
            return self.block()
        if t == "for":
            return self.loop()
        if t == "if":
            self.take()
            self.skip("(", ")")
            a = self.statement()
            b = [0, 0, 0, 0]
            if self.look() == "else":
                self.take()
                b = self.statement()
            return [max(x, y) for x, y in zip(a, b)]
        if t in TYPES and self.look(2) == "[":
            self.at += 3
            n = int(self.take())
            self.at += 2
            return [0, 0, 0, n * TYPES[t]]
        if t in ("return", "const") or (t == "(" and self.look(1) == "void") or self.look(1) == "*":
            while self.take() != ";":
                pass
            return [0, 0, 0, 0]
        while self.look() not in ("=", ";"):
            if self.look() == "[":
                self.skip("[", "]")
            else:
                self.take()
        e = (0, 0, False)
        if self.take() == "=":
            e = self.choice()
            self.take(";")
        return [e[0], e[1], 0, 0]


def functions(source, begin="CALQUE_STEP"):
    """Name -> body of each layer; then that of NAME_run."""
    text = re.sub(r"/\*.*?\*/", " ", source, flags=re.S)
    parts = re.split(rf"^{begin} \w+ (\w+)\(", text, flags=re.M)
    found = {}
    for name, body in zip(parts[1::2], parts[2::2]):
        depth, start = 0, body.index("{")
        for k in range(start, len(body)):
            depth += (body[k] == "{") - (body[k] == "}")
            if depth == 0:
                break
        found[name] = body[start:k + 1]
    return found, text


def listed(d, name):
    return re.search(r"/\* math\.h:(.*?) \*/", open(f"{d}/{name}.h").read()).group(1).split()


def text_rules(d, name, found, text, bad):
    header = open(f"{d}/{name}.h").read()
    for end in (".h", ".c"):
        for k, line in enumerate(open(d + "/" + name + end), 1):
            if len(line) > 120:
                bad.append(f"{name}{end}:{k}: {len(line) - 1} characters")
        got = set(re.findall(r"^#include (.*)", open(d + "/" + name + end).read(), flags=re.M))
        if not got <= {"<stddef.h>", "<stdint.h>", "<math.h>", f'"{name}.h"'}:
            bad.append(f"{name}{end} includes {got}")
    for word in ("malloc", "free", "alloca", "printf", "fopen", "memcpy", "goto", "#pragma omp", "#pragma GCC"):
        if re.search(re.escape(word) + r"\b", text):
            bad.append(f"{word} in {name}.c")
    names = listed(d, name)
    used = {w for w in LIBM if re.search(rf"\b{w}\(", text)}
    if used != set(names) - {"no", "function"}:
        bad.append(f"math.h: {used} are called, {names} listed")
    if "math.h>" in text and not used and not re.search(r"\b(NAN|INFINITY|signbit)\b", text):
        bad.append("math.h is included for nothing")
    for f, body in found.items():
        if any(re.search(rf"\b{g}\(", body) for g in found):
            bad.append(f"{f} calls a layer")
    run = text[text.rindex(f"int {name}_run("):]
    if re.search(rf"\b{name}_run\(", run[len(name) + 8:]):
        bad.append("the run calls itself")
    if 'extern "C"' not in header:
        bad.append("no C linkage")


def nested(loops):
    """8(4, 2(16)) of [(0, 8), (1, 4), (1, 2), (2, 16)]."""
    out = ""
    for k, (depth, n) in enumerate(loops):
        after = loops[k + 1][0] if k + 1 < len(loops) else 0
        out += str(n) + ")" * (depth - after) + ("" if k + 1 == len(loops) else "(" if after > depth else ", ")
    return out or "none"


def check_function(f, p, lines, bad):
    """What the budget says of f, whose text was parsed by p, and the lines of its loops."""
    w = p.block()
    said = [f["operations"], f["multiply_adds"], f["iterations"], f["arrays"]]
    if w != said:
        bad.append(f"{f['name']}: the text has {w}, the answer {said}")
    if p.loops != [(x["depth"], x["trips"]) for x in f["loops"]]:
        bad.append(f"{f['name']}: the loops of the text are {p.loops}, not {f['loops']}")
    if f" {f['name']}(" not in lines[f["line"] - 1]:
        bad.append(f"{f['name']} is not at line {f['line']}")
    at = f["line"]
    for x in f["loops"]:
        if x["line"] <= at or not lines[x["line"] - 1].lstrip().startswith("for (long "):
            bad.append(f"{f['name']}: no loop at line {x['line']}")
        at = x["line"]
    return w


LOOP = re.compile(r"^    for \(size_t calque_t = 0u; calque_t < (\d+)u; calque_t\+\+\) \{\n(.*?)^    \}\n", re.M | re.S)


def unrolled(run):
    """The text of a run, each loop as its calls; how often each loop is run."""
    return LOOP.sub(lambda m: "".join(m[2].replace("calque_t", f"{k}u") for k in range(int(m[1]))), run), \
        [int(m[1]) for m in LOOP.finditer(run)]


def hosted(d, name, bad):
    """budget.json of code for threads, whose functions are k0, k1, .."""
    source = open(f"{d}/{name}.c").read()
    lines = source.split("\n")
    budget = json.load(open(f"{d}/budget.json"))
    found, text = functions(re.sub(r"^ *#.*", "", source, flags=re.M), "static")
    run, times = unrolled(text[text.rindex(f"int {name}_run_in("):])
    total = [0, 0, sum(times), 0]
    for f in budget["functions"]:
        w = check_function(f, Parser(found[f["name"]]), lines, bad)
        calls = len(re.findall(rf"\b{f['name']}\(", run))
        if calls != f["calls"]:
            bad.append(f"{f['name']}: {calls} calls, not {f['calls']}")
        total = [t + calls * x for t, x in zip(total[:3], w)] + [max(total[3], w[3])]
    r = budget["run"]
    if total != [r["operations"], r["multiply_adds"], r["iterations"], r["arrays"]] or times != r["loops"]:
        bad.append(f"the run: {total}, loops {times}, not {r}")
    header = open(f"{d}/{name}.h").read()
    for what, key in (("WEIGHT", "rom"), ("ARENA", "ram")):
        if f"#define {name.upper()}_{what}_BYTES ((size_t){budget[key]})" not in header:
            bad.append(f"{key} is another in the header")


def budgets(d, name, answer, found, text, bad):
    budget = answer["budget"]
    lines = open(f"{d}/{name}.c").read().split("\n")
    header = open(f"{d}/{name}.h").read()
    if [f["name"] for f in budget["functions"]] != list(found):
        bad.append("other functions than in the answer")
    run, times = unrolled(text[text.rindex(f"int {name}_run("):])
    total = [0, 0, sum(times) + sum(int(n) for n in re.findall(r"calque_copy\([^;]*, (\d+)u\);", run)), 0]
    if times and f"   {name}_run: {', '.join(map(str, times))}\n" not in header:
        bad.append(f"the header has other loops of the run than {times}")
    for f in budget["functions"]:
        p = Parser(found[f["name"]])
        w = check_function(f, p, lines, bad)
        if f"{f['name']}:{nested(p.loops)}*/"[:-2].replace(" ", "") not in re.sub(r"\s", "", header):
            bad.append(f"{f['name']}: the header has other loops than {nested(p.loops)}")
        calls = len(re.findall(rf"\b{f['name']}\(", run))
        if calls != f["calls"]:
            bad.append(f"{f['name']}: {calls} calls, not {f['calls']}")
        if not re.search(rf"^ +{f['name']} +{calls} +{w[1]} +{w[0]} +{w[2]} +{w[3]}$", header, flags=re.M):
            bad.append(f"{f['name']}: the header says something else")
        total = [t + calls * x for t, x in zip(total[:3], w)] + [max(total[3], w[3])]
    r = budget["run"]
    if total != [r["operations"], r["multiply_adds"], r["iterations"], r["arrays"]] or times != r["loops"]:
        bad.append(f"the run: {total}, loops {times}, not {r}")
    rom = sum(int(n) * TYPES[t] for t, n in re.findall(r"^(?:extern|static) const (\w+) \w+_w\d+_\w*\[(\d+)\]", text, flags=re.M))
    if rom and rom != budget["rom"]:
        bad.append(f"{rom} bytes of weights, not {budget['rom']}")
    for what, n in (("MULTIPLY_ADDS", total[1]), ("OPERATIONS", total[0]), ("ITERATIONS", total[2])):
        if f"#define {name.upper()}_{what} UINT64_C({n})\n" not in header:
            bad.append(f"{what} is another in the header")
    if f"#define {name.upper()}_FRAME_BYTES {budget['frame']}u\n" not in header or budget["frame"] < total[3]:
        bad.append("the frame is another in the header")
    if f"#define {name.upper()}_ARENA_BYTES {budget['ram']}u" not in header:
        bad.append("the arena's size is another in the header")


def symbols(d, name, objects, bad):
    own, needed = set(), set()
    for o in objects:
        for line in subprocess.run(["nm", o], capture_output=True, text=True, check=True).stdout.splitlines():
            kind, symbol = line.split()[-2:]
            (needed if kind in "Uw" else own).add(symbol)
    allowed = set(listed(d, name)) | {"memcpy", "memmove", "memset", "_GLOBAL_OFFSET_TABLE_"}
    runtime = {s for s in needed if s.startswith("__aeabi_")}  # the compiler's own, for what the processor has no instruction for
    if needed - own - allowed - runtime:
        bad.append(f"needs {sorted(needed - own - allowed - runtime)}")


def main():
    bad = []
    if sys.argv[1] == "symbols":
        symbols(sys.argv[2], sys.argv[3], sys.argv[4:], bad)
    elif sys.argv[1] == "hosted":
        hosted(sys.argv[2], sys.argv[3], bad)
    else:
        d, name = sys.argv[1:3]
        found, text = functions(open(f"{d}/{name}.c").read())
        text_rules(d, name, found, text, bad)
        budgets(d, name, json.load(open(sys.argv[3])), found, text, bad)
    for b in bad:
        print(b)
    sys.exit(bool(bad))


main()
