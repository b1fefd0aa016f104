"""Makes a failing graph of the compile matrix smaller: fewer outputs, and operators replaced by inputs, while it still fails.
usage: matrix_reduce.py CALQUE GRAPH OUT OPTIONS CC FLAGS"""
import glob
import os
import re
import subprocess
import sys
import tempfile

calque, graph, result, options, cc, flags = sys.argv[1:]
lines = [s for s in open(graph).read().splitlines() if not s.startswith("#")]
MOST = 40  # tries
tries = 0


def fails(text):
    """Is the graph accepted, and wrong when compiled?"""
    global tries
    tries += 1
    with tempfile.TemporaryDirectory() as d:
        open(d + "/g.graph", "w").write(text)
        emit = [calque, "emit", d + "/g.graph", "-o", d, "--name", "it", "--vectors", "1"] + options.split()
        if subprocess.run(emit, capture_output=True).returncode != 0:
            return False
        build = [cc] + flags.split() + ["-o", d + "/it_check"] + glob.glob(d + "/*.c") + ["-lm"]
        if subprocess.run(build, capture_output=True).returncode != 0:
            return False
        return subprocess.run([d + "/it_check"], capture_output=True).returncode not in (0, 2)


def text(body, outputs):
    """The graph of these statements without those that no output needs."""
    need, kept = set(outputs), []
    for s in reversed(body):
        name = re.match(r"\s*(?:(?:input|const|param) )?(\w+)", s).group(1)
        if name in need:
            kept.append(s)
            need |= set(re.findall(r"\w+", s))
    return "\n".join([lines[0]] + kept[::-1] + ["    return " + ", ".join(outputs), "}"]) + "\n"


body = [s for s in lines[1:-1] if not s.strip().startswith("return ")]
outputs = [s for s in lines if s.strip().startswith("return ")][0].strip()[len("return "):].split(", ")
best = text(body, outputs)
if not fails(best):
    print(f"{os.path.basename(graph)}: does not fail alone; kept as it is")
    sys.exit(0)
for o in list(outputs):
    fewer = [x for x in outputs if x != o]
    if fewer and tries < MOST and fails(text(body, fewer)):
        outputs = fewer
for i in reversed(range(len(body))):
    name = re.match(r"    (\w+) = .* : (\S+\[[^\]]*\])$", body[i])
    if name and name.group(1) not in outputs and f" {name.group(1)} = " in text(body, outputs) and tries < MOST:
        other = body[:i] + body[i + 1:]
        other.insert(0, f"    input {name.group(1)} : {name.group(2)}")
        if fails(text(other, outputs)):
            body[:] = body[:i] + [other[0]] + body[i + 1:]
open(result, "w").write(text(body, outputs))
print(f"{os.path.basename(graph)} {options} fails with {cc} {flags}; reduced to {result}:")
print(text(body, outputs), end="")
