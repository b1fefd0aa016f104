#!/usr/bin/env python3
"""Long differential tests in jobs. A job is a range of cases of one seed and language; its result is a line of JSON that depends on the cases
only (calque-oracle diff --json), in DIR/results. A job whose result is there is not run again, one that was killed leaves none: jobs may
be run in any order, on any machine that sees DIR, and again.

usage: campaign.py plan DIR LANGUAGE=COUNT..   writes DIR/plan, a line LANGUAGE SEED FIRST COUNT for each job
       campaign.py job DIR LANGUAGE SEED FIRST COUNT
                                               runs one; exit status 1: answers differ, minimal cases are in DIR/found
       campaign.py array DIR                   those of this task of a Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _COUNT)
       campaign.py merge DIR [DIR2..]          sorts and adds the results; exit status 1: answers differ, 2: jobs have no result yet
Environment: BUILD (default .build, of the repository), SEED (1), CHUNK=N (cases a job, in the place of what is usual), COMMAND_LANGUAGE (what is
tested instead of Calque's C, a command for the shell).
"""
import collections
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get('BUILD', '.build'))
# What answers, and how many cases take about a minute.
LANGUAGES = {
    'attr': ('tests/attr/attr_text', 200000),
    'gsl': ('tests/pattern/gsl_text', 20000),
    'gsl-fixed': ('tests/pattern/gsl_text', 20000),
    'dpia': ('tests/dpia/dpia_text', 10000),
    'kernel': ('tests/kernel/kernel_text', 20000),
    'model': ('tests/tensor/model_text', 10000),
    'opvalue': ('tests/tensor/opvalue_text', 50000),
}
FAILURES = ('differ', 'crashed', 'hung', 'garbage', 'stopped')


def fail(text, status=2):
    print('campaign: ' + text, file=sys.stderr)
    sys.exit(status)


def command(language):
    key = 'COMMAND_' + language.replace('-', '_')
    return os.environ.get(key) or "'%s'" % os.path.join(BUILD, LANGUAGES[language][0])


def plan(folder, wanted):
    os.makedirs(os.path.join(folder, 'results'), exist_ok=True)
    seed, lines = int(os.environ.get('SEED', '1')), []
    for word in wanted:
        language, _, count = word.partition('=')
        if language not in LANGUAGES or not count.isdigit() or int(count) < 1:
            fail("'%s' is not LANGUAGE=COUNT, of %s" % (word, ', '.join(LANGUAGES)))
        chunk = int(os.environ.get('CHUNK') or LANGUAGES[language][1])
        for first in range(0, int(count), chunk):
            lines.append('%s %d %d %d\n' % (language, seed, first, min(chunk, int(count) - first)))
    path = os.path.join(folder, 'plan')
    with open(path + '.new', 'w') as out:
        out.writelines(lines)
    os.replace(path + '.new', path)
    print('%d jobs in %s' % (len(lines), path))
    return 0


def jobs(folder):
    try:
        with open(os.path.join(folder, 'plan')) as f:
            return [line.split() for line in f]
    except OSError as e:
        fail(str(e))


def result_path(folder, job):
    return os.path.join(folder, 'results', '-'.join(job) + '.json')


def read(folder, job):
    """The result of a job, or None."""
    try:
        with open(result_path(folder, job)) as f:
            return json.loads(f.read())
    except (OSError, ValueError):
        return None


def bad(result):
    return any(result[f] for f in FAILURES) or result['cases'] != result['count']


def run(folder, job):
    done = read(folder, job)
    if done is None:
        language, seed, first, count = job
        os.makedirs(os.path.join(folder, 'found'), exist_ok=True)
        status = subprocess.run(
            [os.path.join(BUILD, 'calque-oracle'), 'diff', language, '--against', command(language), '--seed', seed, '--first', first,
             '--count', count, '--timeout', '300', '--json', result_path(folder, job),
             '-o', os.path.join(folder, 'found', '-'.join(job) + '.cases')], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        done = read(folder, job)
        if done is None:
            fail('%s: no result (exit status %d)' % (' '.join(job), status.returncode), 3)
        if bad(done):
            sys.stdout.write(status.stdout.decode(errors='replace'))
    return 1 if bad(done) else 0


def array(folder):
    at, least, tasks = (int(os.environ.get('SLURM_ARRAY_TASK_' + n, d)) for n, d in (('ID', '0'), ('MIN', '0'), ('COUNT', '1')))
    return max([run(folder, job) for job in jobs(folder)[at - least::tasks]] or [0])


def merge(folders):
    total, missing, rows = collections.OrderedDict(), 0, []
    for job in jobs(folders[0]):
        found = [r for r in (read(f, job) for f in folders) if r is not None]
        if found:
            rows.append(json.dumps(found[0], sort_keys=True))
        else:
            missing += 1
    rows = sorted(set(rows))
    with open(os.path.join(folders[0], 'merged.jsonl'), 'w') as out:
        out.writelines(r + '\n' for r in rows)
    for r in map(json.loads, rows):
        t = total.setdefault(r['language'], {'jobs': 0, 'bad': [], 'counts': collections.Counter(), 'covered': collections.Counter(), 'not': None})
        t['jobs'] += 1
        t['counts'].update({k: r[k] for k in ('cases', 'equal', 'within', 'undefined', 'discarded') + FAILURES})
        t['covered'].update(r['covered'])
        t['not'] = set(r['not covered']) if t['not'] is None else t['not'] & set(r['not covered'])
        if bad(r):
            t['bad'].append('-'.join(str(r[k]) for k in ('language', 'seed', 'first', 'count')))
    for language, t in sorted(total.items()):
        print('%s: %d jobs: %s' % (language, t['jobs'], ', '.join('%d %s' % (t['counts'][k], k) for k in t['counts'] if t['counts'][k] or k in ('equal', 'differ'))))
        print('  %d labels covered%s' % (len(t['covered']), ', not covered: ' + ', '.join(sorted(t['not'])) if t['not'] else ''))
        for name in t['bad']:
            print('  %s: see found/%s.cases' % (name, name))
    if missing:
        print('%d jobs have no result' % missing)
    return 1 if any(t['bad'] for t in total.values()) else 2 if missing else 0


def main():
    what, rest = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 2 else ('', [])
    if what == 'plan' and len(rest) > 1:
        return plan(rest[0], rest[1:])
    if what == 'job' and len(rest) == 5 and rest[1] in LANGUAGES:
        return run(rest[0], rest[1:])
    if what == 'array' and len(rest) == 1:
        return array(rest[0])
    if what == 'merge':
        return merge(rest)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == '__main__':
    sys.exit(main())
