"""Programs against kernels, by the extracted check: validate.py ORACLE CALQUE DIR FILE..

Each model or kernel is lowered by the strategies that emission chooses; every program must be found equal to the kernel's
statements. Prints what is not, and counts; exit status 1 if there is one.
"""
import os
import subprocess
import sys


def blocks(text):
    """The kernels of a model: (notes, lines), in order."""
    out = []
    for line in text.splitlines():
        if line.startswith('# '):
            out.append((line[2:], []))
        elif not out:
            out.append(('', [line]))
        elif line:
            out[-1][1].append(line)
    return out


def run(*args):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace')


def check(oracle, calque, tmp, program, kernel):
    """The oracle's answer for a program's text and a kernel's."""
    dpia, sexp, kern = (os.path.join(tmp, 'v.' + s) for s in ('dpia', 'sexp', 'kern'))
    with open(dpia, 'w') as f:
        f.write(program)
    with open(kern, 'w') as f:
        f.write(kernel)
    r = run(calque, 'dump', dpia, '--format=sexp')
    if r.returncode:
        return 'unread: ' + r.stderr.strip()
    with open(sexp, 'w') as f:
        f.write(r.stdout)
    r = run(oracle, 'validate', sexp, kern)
    return r.stdout.strip() or 'failed: ' + r.stderr.strip()


def main():
    oracle, calque, tmp = sys.argv[1:4]
    equal, bad, statements, without = 0, 0, 0, 0
    for file in sys.argv[4:]:
        kernels = run(calque, 'dump', file, '--stage=kernel')
        programs = run(calque, 'dump', file, '--stage=dpia')
        if kernels.returncode:
            print('%s: %s' % (file, kernels.stderr.strip()))
            bad += 1
            continue
        if programs.returncode:
            if 'look-up' in programs.stderr:
                without += 1
                continue
            print('%s: %s' % (file, programs.stderr.strip()))
            bad += 1
            continue
        ks, ps = blocks(kernels.stdout), blocks(programs.stdout)
        if [n for n, _ in ks] != [n for n, _ in ps]:
            print('%s: kernels and programs are not the same' % file)
            bad += 1
            continue
        for (note, k), (_, p) in zip(ks, ps):
            answer = check(oracle, calque, tmp, '\n'.join(p) + '\n', '\n'.join(k) + '\n')
            if answer.startswith('equal: '):
                equal += 1
                statements += int(answer.split()[1])
            else:
                bad += 1
                print('%s: %s: %s' % (file, note, answer))
    print('%d kernels, %d statements equal; %d not; %d models with look-ups left out' % (equal, statements, bad, without))
    return 1 if bad or not equal else 0


if __name__ == '__main__':
    sys.exit(main())
