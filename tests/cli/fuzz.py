"""fuzz.py CALQUE RUNS SEED FILE...: runs `calque dump`, `calque check` or `calque profile` on mutations of each file. Every run must end with
status 0, 1 or 2 (never a signal, a sanitizer report or status 3), and a failed one must say why on stderr."""
import os
import random
import subprocess
import sys
import tempfile

calque, runs, seed, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
rng = random.Random(seed)
count = {0: 0, 1: 0, 2: 0}


def mutate(data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        kind = rng.randrange(4)
        at = rng.randrange(len(data) + 1)
        if kind == 0 and data:
            data[at % len(data)] = rng.randrange(256)
        elif kind == 1:
            del data[at : at + rng.randrange(1, 12)]
        elif kind == 2:
            data[at:at] = data[at : at + rng.randrange(1, 12)]
        else:
            data[at:at] = bytes(rng.choice((0, 10, 34, 40, 41, 91, 93, 123, 125, 255, 128)) for _ in range(rng.randrange(1, 4)))
    return bytes(data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data)


with tempfile.TemporaryDirectory() as tmp:
    for k in range(runs):
        source = files[k % len(files)]
        ending = os.path.splitext(source)[1]
        path = os.path.join(tmp, "case" + ending)
        with open(source, "rb") as f:
            data = mutate(f.read())
        with open(path, "wb") as f:
            f.write(data)
        command = [calque, "check", "--static", path] if ending == ".gsl" else [calque, rng.choice(("dump", "profile")), path] if ending == ".onnx" else [calque, "dump", path]
        r = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
        if r.returncode not in count or (r.returncode and not r.stderr and command[1] != "profile"):
            keep = os.path.join(os.getcwd(), "fuzz-failure" + ending)
            with open(keep, "wb") as f:
                f.write(data)
            sys.exit(f"seed {seed}, run {k}: status {r.returncode} on a mutation of {source}; kept as {keep}\n"
                     + r.stderr.decode(errors="replace")[:2000])
        count[r.returncode] += 1
print(f"{runs} mutations, seed {seed}: {count[0]} accepted, {count[1]} negative, {count[2]} refused")
if runs >= 100 and (count[2] == 0 or count[0] == 0):
    sys.exit("the mutations do not exercise both outcomes")
