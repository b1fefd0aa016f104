#!/usr/bin/env python3
"""Emitted C against its peers, each a ratio of one run: onnxruntime-node on models and operators, OpenBLAS on products of
matrices, a copy of as many bytes on what memory bounds. Rounds are interleaved (ours, peer, ours, ..): least and median of the
rounds' ratios. Writes BUILD/bench/table.md and plot.svg, and prints the table.

usage: table.py BUILD [--threads 1,2] [--rounds 7] [--only WORD,..] [--small] [--quiet-machine]
  --only   cases whose name has one of these words
  --small  small sizes, two rounds: does all of it run?
  --quiet-machine  refuse (exit status 77) when the load of the last minute is above 0.5
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DATA, REWEIGHT = '../shared/data/onnx-light', '../shared/tools/reweight.py'
MODELS = 'squeezenet shufflenet inception_v1 inception_v2 resnet50 densenet121 zfnet512 vgg19'.split()


def graph(nodes, inputs, output, constants=()):
    """inputs, output: (name, shape); constants: (name, shape), seeded."""
    rng = np.random.default_rng(1)
    value = helper.make_tensor_value_info
    weights = [numpy_helper.from_array(rng.standard_normal(s).astype('f4') / 8, n) for n, s in constants]
    g = helper.make_graph(nodes, 'g', [value(n, TensorProto.FLOAT, s) for n, s in inputs], [value(output[0], TensorProto.FLOAT, output[1])], weights)
    return helper.make_model(g, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)


def node(op, ins, out, **attributes):
    return helper.make_node(op, ins, [out], **attributes)


def attention(heads, n, d):
    x = [heads, n, d]
    nodes = [node('Transpose', ['k'], 't', perm=[0, 2, 1]), node('MatMul', ['q', 't'], 's'), node('Mul', ['s', 'scale'], 'm'),
             node('Softmax', ['m'], 'p', axis=2), node('MatMul', ['p', 'v'], 'y')]
    return graph(nodes, [('q', x), ('k', x), ('v', x)], ('y', x), [('scale', [1])])


def encoders(layers, n, heads, d):
    """Encoder layers with norms behind, as BERT's: n tokens of heads * d numbers."""
    w, nodes, weights, x = heads * d, [], [('root', [1]), ('one', [1])], 'x'
    shapes = {'split': [n, heads, d], 'rows': [n, w]}
    for i in range(layers):
        def add(op, ins, name, **attributes):
            nodes.append(node(op, ins, '%s%d' % (name, i), **attributes))
            return '%s%d' % (name, i)

        def weight(name, *shape):
            weights.append(('%s%d' % (name, i), list(shape)))
            return '%s%d' % (name, i)

        def dense(a, name, rows, columns):
            return add('Add', [add('MatMul', [a, weight('w' + name, rows, columns)], 'm' + name), weight('b' + name, columns)], name)

        def normed(a, name):
            return add('LayerNormalization', [a, weight('g' + name, w), weight('s' + name, w)], name, axis=1)

        def split(name, order):
            return add('Transpose', [add('Reshape', [dense(x, name, w, w), 'split'], name + 'r')], name + 't', perm=order)

        q, k, v = split('q', [1, 0, 2]), split('k', [1, 2, 0]), split('v', [1, 0, 2])
        scores = add('Softmax', [add('Mul', [add('MatMul', [q, k], 'qk'), 'root'], 'scaled')], 'p', axis=2)
        rows = add('Reshape', [add('Transpose', [add('MatMul', [scores, v], 'pv')], 'pvt', perm=[1, 0, 2]), 'rows'], 'joined')
        a = normed(add('Add', [x, dense(rows, 'o', w, w)], 'xo'), 'n')
        h = dense(a, 'f', w, 4 * w)
        gelu = add('Mul', [h, add('Add', [add('Erf', [add('Mul', [h, 'root'], 'hr')], 'he'), 'one'], 'h1')], 'gelu')
        x = normed(add('Add', [a, dense(gelu, 'z', 4 * w, w)], 'az'), 'y')
    model = graph(nodes, [('x', [n, w])], (x, [n, w]), weights)
    model.graph.initializer.extend(numpy_helper.from_array(np.array(s, 'i8'), name) for name, s in shapes.items())
    return model


PAUSE = 0.1  # seconds: the peer's threads spin for some time after their work, on the processors that ours would have
FAST = ['--sums=lanes', '--fma', '--math=calque']  # what is called fast in the table


def operators(small):
    """(name, model, options of emit, peer: ('ort',) or words of peer.c)"""
    n, w = (64, 100) if small else (512, 1000)
    rows = [n, w]
    soft = graph([node('Softmax', ['x'], 'y', axis=1)], [('x', rows)], ('y', rows))
    for label, options in (('softmax', []), ('softmax, --math=calque', ['--math=calque']), ('softmax, fast', FAST)):
        yield '%s %dx%d' % (label, n, w), soft, options, ('ort',)
    norm = graph([node('LayerNormalization', ['x', 'g', 'b'], 'y', axis=1)], [('x', [n, 768])], ('y', [n, 768]), [('g', [768]), ('b', [768])])
    for label, options in (('layer norm', []), ('layer norm, fast', FAST)):
        yield '%s %dx768' % (label, n), norm, options, ('ort',)
    gelu = graph([node('Mul', ['x', 'r'], 'a'), node('Erf', ['a'], 'b'), node('Add', ['b', 'o'], 'c'), node('Mul', ['x', 'c'], 'y')], [('x', rows)],
                 ('y', rows), [('r', [1]), ('o', [1])])
    for label, options in (('gelu', []), ('gelu, --math=calque', ['--math=calque'])):
        yield '%s %dx%d' % (label, n, w), gelu, options, ('ort',)
    k = 128 if small else 2048
    turn = graph([node('Transpose', ['x'], 'y', perm=[1, 0])], [('x', [k, k])], ('y', [k, k]))
    yield 'transposition %dx%d' % (k, k), turn, [], ('ort',)
    yield 'transposition %dx%d' % (k, k), turn, [], ('copy', str(4 * k * k))
    total = graph([node('ReduceSum', ['x'], 'y', keepdims=1)], [('x', [k, k])], ('y', [1, 1]))
    for label, options in (('reduction', []), ('reduction, fast', FAST)):
        yield '%s %dx%d' % (label, k, k), total, options, ('ort',)
    heads = 2 if small else 12
    for label, options in (('attention', []), ('attention, --math=calque', ['--math=calque']), ('attention, fast', FAST)):
        yield '%s %dx128x64' % (label, heads), attention(heads, 128, 64), options, ('ort',)
    for label, options in (('two encoders', []), ('two encoders, fast', FAST)):
        yield label, encoders(2, 16, 2, 8) if small else encoders(2, 128, 12, 64), options, ('ort',)
    for m in [96, 97] if small else [480, 1021, 1023, 1024, 2048]:
        product = [node('MatMul', ['x', 'w'], 'y')]
        given = graph(product, [('x', [m, m]), ('w', [m, m])], ('y', [m, m]))
        fixed = graph(product, [('x', [m, m])], ('y', [m, m]), [('w', [m, m])])
        for label, model in (('product', given), ('product, constant', fixed)):
            yield '%s %d' % (label, m), model, [], ('ort',)
            for more, options in (('', []), (', --fma', ['--fma'])):
                yield '%s%s %d' % (label, more, m), model, options, ('gemm', str(m), str(m), str(m))


class Served:
    """A peer that answers K by the least milliseconds of K runs."""

    def __init__(self, command, env):
        self.p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)

    def ms(self, times):
        self.p.stdin.write('%d\n' % times)
        self.p.stdin.flush()
        line = self.p.stdout.readline()
        return float(line) if line.strip() else None

    def close(self):
        self.p.stdin.close()
        self.p.wait()


class Bench:
    def __init__(self, build, args):
        self.build, self.args, self.rows, self.dir = build, args, [], tempfile.mkdtemp()
        self.peer = os.path.join(self.dir, 'peer')
        flags = ['gcc', '-std=c11', '-O3', '-march=native', '-fopenmp', '-D_POSIX_C_SOURCE=200809L', 'tests/bench/peer.c', '-o', self.peer]
        self.blas = subprocess.run(flags + ['-DBLAS', '-lopenblas'], stderr=subprocess.DEVNULL).returncode == 0
        if not self.blas:
            subprocess.run(flags, check=True)
        modules = os.path.join(build, 'bench', 'node_modules')
        self.ort = os.path.abspath(modules) if os.path.isdir(os.path.join(modules, 'onnxruntime-node')) else None

    def say(self, text):
        if sys.stderr.isatty():
            print('\r%-60s' % text[:60], end='', file=sys.stderr, flush=True)

    def ours(self, source, options):
        """The compiled model, its inputs' arguments."""
        d = tempfile.mkdtemp(dir=self.dir)
        calque = os.path.join(self.build, 'calque')
        run = lambda *c: subprocess.run(c, check=True, stdout=subprocess.DEVNULL)
        run(calque, 'opt', source, '-o', d + '/opt.onnx')
        run(calque, 'emit', d + '/opt.onnx', '-o', d + '/c', '--main', '--vectors', '0', *options)
        run('make', '-s', '-C', d + '/c')
        rng, named = np.random.default_rng(2), []
        model = onnx.load(d + '/opt.onnx', load_external_data=False)
        weights = {t.name for t in model.graph.initializer}
        for i, v in enumerate(x for x in model.graph.input if x.name not in weights):
            shape = [x.dim_value for x in v.type.tensor_type.shape.dim]
            np.save('%s/%d.npy' % (d, i), rng.standard_normal(shape).astype('f4'))
            named.append('%s=%s/%d.npy' % (v.name, d, i))
        return d, [d + '/c/model'] + named

    def measure(self, name, source, options, peer):
        if peer[0] == 'ort' and not self.ort or peer[0] == 'gemm' and not self.blas:
            return self.rows.append((name, peer[0], 0, None, None, None))
        d, command = self.ours(source, options)
        for threads in self.args.threads:
            self.say('%s, %d threads' % (name, threads))
            env = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads), NODE_PATH=self.ort or '')
            if peer[0] == 'ort':
                other = Served(['node', 'tests/bench/serve.js', source, str(threads)], env)
            else:
                other = Served([self.peer, *peer], env)
            ratios, mine = [], []
            for _ in range(self.args.rounds):
                time.sleep(PAUSE)
                out = subprocess.run(command[:1] + ['--time', '5'] + command[1:], env=env, capture_output=True, text=True, check=True).stdout
                a = float(next(l for l in out.splitlines() if l.endswith(' ms')).split()[-2])
                b = other.ms(5)
                if b is None:
                    break
                ratios.append(a / b)
                mine.append(a)
            other.close()
            found = (min(mine), min(ratios), statistics.median(ratios)) if ratios else (None, None, None)
            self.rows.append((name, peer[0], threads) + found)
        shutil.rmtree(d)


def table(rows):
    names = {'ort': 'onnxruntime', 'gemm': 'OpenBLAS', 'copy': 'copy'}
    out = ['| case | peer | threads | ms | least ratio | median ratio |', '|---|---|---|---|---|---|']
    for name, peer, threads, ms, least, median in rows:
        out.append('| %s | %s | %s | ' % (name, names[peer], threads or '-') +
                   ('%.3f | %.2f | %.2f |' % (ms, least, median) if ms is not None else '- | - | the peer is not here |'))
    return '\n'.join(out) + '\n'


def plot(rows):
    """A bar for each median ratio, red where ours is slower."""
    rows = [r for r in rows if r[3] is not None]
    top, wide, left = 28, 420, 330
    most = max([r[5] for r in rows] + [1.5])
    x = lambda v: left + wide * v / most
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">' % (left + wide + 60, top + 20 * len(rows) + 10),
           '<text x="%d" y="16">time of emitted C / time of the peer (median; below 1: faster)</text>' % left]
    for i, (name, peer, threads, _, _, median) in enumerate(rows):
        y = top + 20 * i
        out += ['<text x="%d" y="%d" text-anchor="end">%s, %s, %d</text>' % (left - 8, y + 12, name.replace('&', '&amp;'), peer, threads),
                '<rect x="%d" y="%d" width="%.1f" height="14" fill="%s"/>' % (left, y, x(median) - left, '#2a7' if median <= 1 else '#c54'),
                '<text x="%.1f" y="%d">%.2f</text>' % (x(median) + 4, y + 12, median)]
    out += ['<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#333"/>' % (x(1), x(1), top - 4, top + 20 * len(rows)), '</svg>']
    return '\n'.join(out) + '\n'


def models(b):
    for name in [] if b.args.small else MODELS:
        if not any(w in name for w in b.args.only):
            continue
        source, light = os.path.join(b.dir, name + '.onnx'), '%s/light_%s.onnx' % (DATA, name)
        if os.path.exists(light):
            made = subprocess.run([sys.executable, REWEIGHT, light, source], stdout=subprocess.DEVNULL)
        else:
            made = subprocess.run([os.path.join(b.build, 'tests/zoo/zoo'), name, '-o', source], stdout=subprocess.DEVNULL)
        if made.returncode == 0:
            b.measure(name, source, [], ('ort',))
            os.remove(source)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('build')
    p.add_argument('--threads', type=lambda s: [int(x) for x in s.split(',')], default=[1, 2])
    p.add_argument('--rounds', type=int, default=7)
    p.add_argument('--only', type=lambda s: s.split(','), default=[''])
    p.add_argument('--small', action='store_true')
    p.add_argument('--quiet-machine', action='store_true')
    args = p.parse_args()
    if args.quiet_machine and os.getloadavg()[0] > 0.5:
        print('SKIP the load is %.2f, above 0.5: nothing is measured' % os.getloadavg()[0])
        return 77
    if args.small:
        args.rounds = 2
    b = Bench(args.build, args)
    try:
        for name, model, options, peer in operators(args.small):
            if any(w in name for w in args.only):
                source = os.path.join(b.dir, 'case.onnx')
                onnx.save(model, source)
                b.measure(name, source, options, peer)
        models(b)
    finally:
        shutil.rmtree(b.dir)
    b.say('')
    if not b.rows:
        print('no such case', file=sys.stderr)
        return 2
    text = table(b.rows)
    os.makedirs(os.path.join(args.build, 'bench'), exist_ok=True)
    for name, content in (('table.md', text), ('plot.svg', plot(b.rows))):
        with open(os.path.join(args.build, 'bench', name), 'w') as f:
            f.write(content)
    print(text, end='')
    return 0


if __name__ == '__main__':
    sys.exit(main())
