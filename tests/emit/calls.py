"""Changes of NAME.calls (calque emit --certificate), and what calque-oracle calls says of them.

usage: calls.py ORACLE SEED COUNT FILE..

Makes COUNT random changes of the files' emitted calls: places, regions, steps and lengths of loops, functions, order, sizes. Both sides are
run, each function as a hash of its number and of the bytes that it reads: what the oracle accepts must leave the same results, inside the
regions. Prints of each kind how many changes were refused, and how many of these leave other results. Exit status 1: one that does
was accepted, a file that is not changed was refused, or a kind was never refused.
"""
import hashlib
import os
import random
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'[()]|[^()\s]+')


def parse(text):
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == '(':
            stack.append([])
        elif token == ')':
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(int(token) if token.isdigit() else token)
    return stack[0]


def text_of(x):
    return '(' + ' '.join(map(text_of, x)) + ')' if isinstance(x, list) else str(x)


class Outside(Exception):
    pass


class Memory:
    """Regions or tensors: bytes by name; a region has its size, a tensor as many as are asked for."""

    def __init__(self, sizes=None):
        self.sizes, self.bytes = sizes, {}

    def part(self, r):
        name, start, size = r[:3]
        if self.sizes is not None and start + size > self.sizes.get(name, -1):
            raise Outside
        b = self.bytes.setdefault(name, bytearray())
        if len(b) < start + size:
            b.extend(hashlib.shake_128(str(name).encode()).digest(start + size - len(b)))
        return b, slice(start, start + size)

    def read(self, r):
        b, s = self.part(r)
        return bytes(b[s])

    def write(self, r, data):
        b, s = self.part(r)
        b[s] = data


def run(memory, calls):
    for fn, outs, ins in calls:
        read = hashlib.sha256(fn.encode())
        for r in ins:
            read.update(b'%d:' % r[2] + memory.read(r))
        for k, r in enumerate(outs):
            memory.write(r, hashlib.shake_128(read.digest() + b'%d' % k).digest(r[2]))


def at_time(t, p):
    return [p[0], (p[1] + p[3] * t) % 2 ** 64, p[2]]


def unrolled(items):
    for x in items:
        if x[0] == 'one':
            yield x[1:]
        elif x[0] == 'loop':
            for t in range(x[1]):
                for fn, outs, ins in x[2:]:
                    yield fn, [at_time(t, p) for p in outs], [at_time(t, p) for p in ins]


def overlap(a, b):
    return a[0] == b[0] and a[1] < b[1] + b[2] and b[1] < a[1] + a[2]


def same(file):
    """Do the emitted calls leave the results, of functions that read nothing that they write?"""
    head = {x[0]: x[1:] for x in file[:3]}
    tensors, regions = Memory(), Memory(dict(map(tuple, head['regions'])))
    made = list(unrolled(file))
    try:
        for a, b in head['given']:
            regions.write(b, tensors.read(a))
        run(tensors, [x[1:] for x in file if x[0] == 'call'])
        run(regions, made)
        if any(overlap(o, r) for _, outs, ins in made for k, o in enumerate(outs) for r in ins + outs[:k]):
            return False
        return all(tensors.read(a) == regions.read(b) for a, b in head['results'])
    except Outside:
        return False


def calls(file):
    """Each emitted call, as a list and where its function stands in it; what it writes and reads come next."""
    return [c for x in file for c in ([(x, 1)] if x[0] == 'one' else [(y, 0) for y in x[2:]] if x[0] == 'loop' else [])]


def change(rng, file):
    """Changes the file; the kind, or None where it has nothing of that kind."""
    items = [k for k, x in enumerate(file) if x[0] in ('one', 'loop')]
    loops = [x for x in file if x[0] == 'loop']
    kind = rng.choice(['a place moved', 'another region', 'another size', 'another function', 'two calls exchanged', 'a call left out',
                       'a call twice', 'arguments exchanged', 'a loop longer or shorter', 'another step', 'a smaller arena'])
    x, at = rng.choice(calls(file))
    p = rng.choice(x[at + 1] + x[at + 2])
    if kind == 'a place moved':
        p[1] = max(0, p[1] + rng.choice([-64, -16, -4, 4, 16, 64, 128]))
    elif kind == 'another region':
        p[0] = rng.choice([r[0] for r in file[0][1:]])
    elif kind == 'another size':
        p[2] = max(0, p[2] + rng.choice([-4, 4, 64]))
    elif kind == 'another function':
        x[at] = 'k9999'
    elif kind == 'two calls exchanged':
        k = rng.randrange(len(items) - 1)
        file[items[k]], file[items[k + 1]] = file[items[k + 1]], file[items[k]]
    elif kind == 'a call left out':
        del file[rng.choice(items)]
    elif kind == 'a call twice':
        k = rng.choice(items)
        file.insert(k, file[k])
    elif kind == 'arguments exchanged':
        ins = x[at + 2]
        if len(ins) < 2:
            return None
        i, j = rng.sample(range(len(ins)), 2)
        ins[i], ins[j] = ins[j], ins[i]
    elif kind == 'a loop longer or shorter' and loops:
        rng.choice(loops)[1] += rng.choice([-1, 1])
    elif kind == 'another step' and loops:
        _, outs, ins = rng.choice(rng.choice(loops)[2:])
        p = rng.choice(outs + ins)
        p[3] = (p[3] + rng.choice([-64, -16, 16, 64])) % 2 ** 64
    elif kind == 'a smaller arena':
        file[0][1][1] = max(0, file[0][1][1] - rng.choice([1, 64, 256]))
    else:
        return None
    return kind


def main():
    oracle, seed, count, paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    rng, refused, other, accepted, bad = random.Random(seed), {}, {}, {}, 0
    texts = [open(p).read() for p in paths]

    def says(text):
        with tempfile.NamedTemporaryFile('w', suffix='.calls', delete=False) as f:
            f.write(text)
        done = subprocess.run([oracle, 'calls', f.name], capture_output=True, text=True)
        os.unlink(f.name)
        if done.returncode not in (0, 1):
            sys.exit('calls.py: %s: %s' % (done.returncode, done.stdout + done.stderr))
        return done.returncode == 0

    for path, text in zip(paths, texts):
        if not says(text) or not same(parse(text)):
            print('refused, not changed: %s' % path)
            bad = 1
    made = 0
    while made < count:
        k = rng.randrange(len(texts))
        file = parse(texts[k])
        before = text_of(file)
        kind = change(rng, file)
        if kind is None or text_of(file) == before:
            continue
        made += 1
        holds, right = says('\n'.join(map(text_of, file)) + '\n'), same(file)
        if holds and not right:
            print('accepted, and does something else: seed %d, change %d, %s of %s' % (seed, made, kind, paths[k]))
            bad = 1
        where = accepted if holds else other if not right else refused
        where[kind] = where.get(kind, 0) + 1
    for kind in sorted({*refused, *other, *accepted}):
        n, m = other.get(kind, 0), refused.get(kind, 0)
        print('%s: %d refused, %d of them leave other results; %d accepted' % (kind, n + m, n, accepted.get(kind, 0)))
        bad |= n + m == 0
    print('changes of calls refused: %d of %d' % (sum(other.values()) + sum(refused.values()), made))
    return bad


if __name__ == '__main__':
    sys.exit(main())
