"""Random changes of programs, each with its kernel, for the check of programs against kernels.

usage: validate_random.py SEED COUNT PROGRAMS KERNELS DIR
Writes DIR/programs and DIR/kernels: COUNT programs, each with one word changed: a number by one or to another of the program, a
variable to another, a function, comparison or view to one alike."""
import random
import re
import sys

ALIKE = [["+", "-", "*", "max", "min"], ["exp", "log", "sqrt", "neg"], ["<", "<=", ">", ">=", "==", "!="], ["//", "%"],
         ["fst", "snd"], ["0x0p+0", "-0x0p+0", "0x1p+0", "-inf"], ["par", "seq"]]


def change(rng, text):
    words = re.findall(r"[()]|[^()\s]+", text)
    body = next(i for i, w in enumerate(words) if w in ("set", "copy"))
    numbers = [i for i in range(body + 2, len(words)) if re.fullmatch(r"-?\d+", words[i])]
    variables = [i for i in numbers if words[i - 1] == "var"]
    others = [i for i in range(body, len(words)) if any(words[i] in a for a in ALIKE)]
    kind = rng.random()
    if kind < 0.3 and variables:
        i = rng.choice(variables)
        words[i] = words[rng.choice(variables)]
    elif kind < 0.75 and numbers:
        i = rng.choice(numbers)
        words[i] = rng.choice([str(int(words[i]) + 1), str(int(words[i]) - 1), words[rng.choice(numbers)]])
    elif others:
        i = rng.choice(others)
        alike = next(a for a in ALIKE if words[i] in a)
        words[i] = rng.choice([w for w in alike if w != words[i]])
    return " ".join(words)


def main():
    seed, count, programs, kernels, out = sys.argv[1:]
    rng = random.Random(int(seed))
    lines = [s for s in open(programs).read().split("\n") if s and not s.startswith("#")]
    parts = re.split(r"^# .*\n", open(kernels).read(), flags=re.M)
    parts = [p for p in parts if p.strip()]
    if len(lines) != len(parts):
        sys.exit(f"{len(lines)} programs for {len(parts)} kernels")
    pairs = [p for p in zip(lines, parts) if p[0] != "(look-up)" and len(p[0]) < 20000]
    with open(out + "/programs", "w") as p, open(out + "/kernels", "w") as k:
        for n in range(int(count)):
            program, kernel = rng.choice(pairs)
            p.write(change(rng, program) + "\n")
            k.write(f"# {n}\n{kernel}")


main()
