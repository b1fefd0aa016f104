"""seeds.py BUILD DIR: writes DIR/TARGET/*, the first inputs of each target of tests/fuzz: the inputs of the other tests, and what their
generators print. An input is three bytes of choices (fuzz.h) and the text; each graph, kernel and program gets several choices."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

build, out = sys.argv[1:3]
LIMIT = 4096
count = {}


def put(target, data, head="000"):
    """Writes the input; of every third one also one whose allocations fail from some number on."""
    data = head.encode("latin-1") + (data if isinstance(data, bytes) else data.encode())
    if len(data) <= LIMIT:
        os.makedirs(f"{out}/{target}", exist_ok=True)
        count[target] = k = count.get(target, 0) + 1
        with open(f"{out}/{target}/{k:04}", "wb") as f:
            f.write(data)
        if k % 3 == 0:
            with open(f"{out}/{target}/{k:04}-short", "wb") as f:
                f.write(bytes([(48 + 8 + k * 7 % 90) % 256]) + data[1:])


def choices(flags, budget=0):
    """The head of these switches; the other bytes of it count from '0' as well."""
    return "".join(chr((48 + x) % 256) for x in (budget, flags & 255, flags >> 8))


def read(*patterns):
    for pattern in patterns:
        for name in sorted(glob.glob(pattern)):
            with open(name) as f:
                yield f.read()


def say(*command, stdin=None):
    return subprocess.run([f"{build}/{command[0]}", *command[1:]], input=stdin, stdout=subprocess.PIPE, check=True, text=True).stdout


def cases(text):
    """Kernels of a file of cases: the lines under each head ##."""
    return [c for c in ("\n".join(l for l in part.split("\n")[1:] if l and not l.startswith("#")) for part in re.split("^##", text, flags=re.M)[1:]) if c]


attr = [l for t in read("tests/attr/diff_cases.txt") for l in t.split("\n") if l.startswith("(")]
for line in attr:
    put("attr", line)

rules = [r for t in read("c/rewrite/library_*.gsl") for r in re.findall(r"^rule .*?^}", t, flags=re.M | re.S)]
files = list(read("tests/cli/good/*.gsl", "tests/bad-rules/*.gsl", "tests/doc/*.gsl", "tests/rewrite/regress/*.gsl"))
for k, text in enumerate(rules + files):
    put("gsl", text)
    if k % 8 == 0:
        put("gsl", text, choices(1))
for text in read("tests/cli/bad/*.gsl"):
    put("gsl", text)

put("names", "x\ny\nX\na/b\na_b\n.hidden\nCON\nnul.txt\n\n" + "n" * 300)
put("names", "simplify,fold\nconv_bn_fold,matmul_add_gemm\nexact,ring", choices(1))
put("names", "standard\nsplit_concat\nreal", choices(1))
put("names", "all\n\n", choices(1))

graphs = list(read("tests/cli/good/*.graph", "tests/emit/*.graph", "tests/emit/matrix/*.graph", "tests/onnx/*.graph", "tests/bad-rules/*.graph",
                   "tests/rewrite/regress/*.graph", "tests/rewrite/express/*.graph", "tests/tensor/models/*.graph", "tests/cli/*.graph"))
for k, text in enumerate(graphs):
    put("graph", text)
    for flags in (0, 32, 1 + 2 + 64):
        put("opt", text, choices(flags))
    put("opt", text, choices(32, budget=40 + k % 160))
    put("equiv", text, choices(32 + k % 8))
    for flags in ((k * 7) % 1024, 1 << k % 12, 2048 + k):
        put("emit", text, choices(flags))
for k, (rule, graph) in enumerate(zip(sorted(glob.glob("tests/rewrite/regress/*.gsl")), [None] * 1000)):
    graph = rule[:-3] + "graph"
    if os.path.exists(graph):
        put("match", open(rule).read() + "\n" + open(graph).read())
for text in read("tests/cli/good/graphs.gsl"):
    put("match", text)
for rule in sorted(glob.glob("tests/bad-rules/*.gsl")):
    for graph in sorted(glob.glob(rule[:-4] + "_needs*.graph")):
        put("match", open(rule).read() + "\n" + open(graph).read())
pairs = say("calque-oracle", "gsl", "--generate", "120", "--seed", "1")
for pair in re.split(r"^end$", pairs, flags=re.M):
    parts = re.split(r"^---$", pair, flags=re.M)
    if len(parts) == 3:
        put("match", parts[2].strip() + "\n" + parts[1].strip() + "\n")

with tempfile.TemporaryDirectory() as tmp:
    for k, text in enumerate(graphs):
        with open(f"{tmp}/g.graph", "w") as f:
            f.write(text)
        r = subprocess.run([f"{build}/calque", "opt", f"{tmp}/g.graph", "-o", f"{tmp}/g.onnx", "--no-fold", "--once", "--rule", "dispatch_tuple"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if r.returncode == 0:
            put("onnx", open(f"{tmp}/g.onnx", "rb").read(), choices((0, 8, 16 + 256 * (k % 27), 32)[k % 4]))
    subprocess.run([f"{build}/calque-oracle", "vectors", "-o", f"{tmp}/v", "--count", "300", "--graphs", "20"], check=True, stdout=subprocess.DEVNULL)
    for name in sorted(glob.glob(f"{tmp}/v/**/*.onnx", recursive=True)):
        put("onnx", open(name, "rb").read())
    for name in sorted(glob.glob(f"{tmp}/v/**/*.pb", recursive=True))[:200]:
        put("tensor", open(name, "rb").read())
    types = {"f32": "f32[2,3]", "f64": "f64[3]", "i32": "i32[]", "i64": "i64[2,1,2]", "bool": "bool[4]", "none": "f32[0,2]"}
    for name, type_ in types.items():
        with open(f"{tmp}/{name}.graph", "w") as f:
            f.write(f"graph {name} {{\n input x: {type_}\n y = Identity(x)\n return y\n}}\n")
        subprocess.run([f"{build}/calque", "run", f"{tmp}/{name}.graph", "--random", "1", "-o", f"{tmp}/{name}"], stdout=subprocess.DEVNULL)
        for npy in glob.glob(f"{tmp}/{name}/*.npy"):
            put("npy", open(npy, "rb").read())

kernels = [c for t in read("tests/kernel/*.kern") for c in cases(t)] + [l for t in read("tests/emit/validate.kern") for l in t.split("\n") if l]
random = say("tests/kernel/kernel_text", "60", "1").split("\n\n")
kernels += ["\n".join(c.strip().split("\n")[1:]) for c in random if c.strip()]
for k, text in enumerate(kernels):
    put("kernel", text, choices(k % 4))
    put("grad", text, choices((0, 1, 2, 3)[k % 4] + 4 * (k % 257)))
    put("loops", text, choices((k * 5) % 1024))
    put("loops", text, choices(((k % 4) << 12) + (1 << k % 10)))
    type_ = ("float", "double", "int", "int64")[k % 4]
    stored = re.findall(r"^(\w+)<", text, flags=re.M)
    loaded = sorted(set(re.findall(r"([A-Za-z_]\w*)<\d", text)) - set(stored))
    put("json", json.dumps({"name": "k", "ins": loaded, "outs": stored[-1:], "data_type": type_, "kernel": text, "grad_to": loaded[:1]}))

for k, text in enumerate(read("tests/dpia/programs/*.dpia", "tests/dpia/*.dpia")):
    for flags in (0, 1):
        put("dpia", text, choices(flags))
    for flags in ((k * 3) % 1024, 1024 + (k * 11) % 1024, 512 + 2048 * (k % 4)):
        put("lower", text, choices(flags))

print(", ".join(f"{t} {n}" for t, n in sorted(count.items())))
