"""A directory that calque report wrote. check_report.py MODEL.onnx|- DIR

Every node of the model and every function of the code is in trace.json, TRACE.md and report.html, and what is said one way is said
back: nodes to calls to functions to lines, lines to nodes. Functions are found in the C again, by their braces; the model's nodes
are read by a reader of protobuf of its own. Prints the counts and what is wrong."""
import collections
import html.parser
import json
import os
import re
import sys

wrong = []


def comment(call):
    return '/* %s */' % call['of'].replace('*/', '* /').replace('/*', '/ *')


def say(ok, what):
    if not ok:
        wrong.append(what)


def fields(data):
    """The fields of a protobuf message: (number, bytes or int)."""
    at = 0

    def varint():
        nonlocal at
        n = shift = 0
        while True:
            b = data[at]
            at += 1
            n |= (b & 127) << shift
            shift += 7
            if b < 128:
                return n
    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            n = {1: 8, 5: 4}.get(key & 7) or varint()
            yield key >> 3, data[at:at + n]
            at += n


def onnx_nodes(path):
    """Names and operators of a model's nodes, but for Constant, which is data."""
    graph = next(v for k, v in fields(open(path, 'rb').read()) if k == 7)
    nodes = [collections.defaultdict(bytes, fields(v)) for k, v in fields(graph) if k == 1]
    return collections.Counter((n[3].decode(), n[4].decode()) for n in nodes if n[4] != b'Constant')


def functions(path):
    """Name -> first and last line of each function of a C file: from its head at the margin to its brace there."""
    found, lines = {}, open(path).read().split('\n')
    for i, line in enumerate(lines):
        m = re.match(r'[a-z][\w *]*?\b(\w+)\(', line)
        if m and i + 1 < len(lines) and lines[i + 1] == '{':
            found[m[1]] = (i + 1, lines.index('}', i) + 1)
    return found


class Page(html.parser.HTMLParser):
    """Elements close as they opened; what they hold."""
    EMPTY = {'meta', 'input', 'br', 'img', 'link', 'hr'}

    def __init__(self, text):
        super().__init__()
        self.stack, self.ids, self.links, self.text = [], collections.Counter(), [], []
        self.outside, self.tags = [], collections.Counter()
        self.feed(text)
        self.close()
        say(not self.stack, 'report.html: not closed: %s' % self.stack[:3])

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        if tag not in self.EMPTY:
            self.stack.append(tag)
        self.attributes(tag, attrs)

    def handle_startendtag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes(tag, attrs)

    def attributes(self, tag, attrs):
        for key, value in attrs:
            if key == 'id':
                self.ids[value] += 1
            if key in ('href', 'xlink:href'):
                self.links.append(value)
            if key in ('src', 'srcset', 'action', 'data') or (tag in ('link', 'script', 'img', 'iframe') and key == 'href'):
                self.outside.append(value)

    def handle_endtag(self, tag):
        if self.stack and self.stack[-1] == tag:
            self.stack.pop()
        else:
            say(False, 'report.html: %s ends where %s is open (line %d)' % (tag, self.stack[-1:], self.getpos()[0]))

    def handle_data(self, data):
        self.text.append(data)


def check_nodes(a, d):
    calls, emitted = a['calls'], {n['id']: n for n in a['emitted']}
    read = {n['id']: n for n in a['nodes']}
    rewrites = {r['id']: r for r in a['rewrites']}
    inputs, drawn = {i['id'] for i in a['emitted_inputs']}, {i['id'] for i in a['inputs']}
    idle = {k for k, e in emitted.items() if e['value'] == 'empty'}  # nothing is to be done, nor for other names of these or inputs
    idle |= {k for k, e in emitted.items() if e['value'] == 'renamed' and (e['memory_of'] in inputs or e['memory_of'] in idle)}
    say(all('[0' in emitted[k]['type'] or ' 0' in emitted[k]['type'] for k in idle if emitted[k]['value'] == 'empty'), 'emitted: one is not empty')
    say(len(read) == len(a['nodes']) == a['summary']['nodes_read'], 'nodes: ids are not distinct, or their number is another')
    say(len(emitted) == len(a['emitted']) == a['summary']['nodes_emitted'], 'emitted: the same')
    say(len(rewrites) == a['summary']['rewrites'] == sum(r['applied'] for r in a['rules']), 'rewrites: their number is another')
    for n in a['nodes']:
        ok = {'kept': n['became'] == [k for k in emitted if k in n['became']] and len(n['became']) == 1,
              'rewritten': n['became'] and n['rewrites'], 'removed': n['rewrites'] or n['inputs'],
              'constant': n['constants'] and not n['became'], 'dead': not (n['became'] or n['constants'] or n['inputs'])}
        say(ok.get(n['state']), 'node %s: %s' % (n['name'], n['state']))
        say(bool(n['calls']) == bool(set(n['became']) - idle), 'node %s: %s, but calls %s' % (n['name'], n['became'], n['calls']))
        say(sorted(n['calls']) == sorted({c for k in n['became'] for c in emitted[k]['calls']}), 'node %s: calls' % n['name'])
        for k in n['became']:
            say(n['id'] in emitted[k]['from'], 'node %s: not in the origins of %s' % (n['name'], emitted[k]['name']))
    for e in a['emitted']:
        say(e['from'], 'emitted %s: from no node' % e['name'])
        say(all(e['id'] in read[k]['became'] for k in e['from']), 'emitted %s: a node does not say so' % e['name'])
        say((e['rewrite'] is None) == (e['rule'] is None), 'emitted %s: rule' % e['name'])
        say(e['rewrite'] is None or e['id'] in rewrites[e['rewrite']]['made'], 'emitted %s: its rewrite did not make it' % e['name'])
        say(e['value'] in ('computed', 'renamed', 'empty') and bool(e['calls']) == (e['id'] not in idle), 'emitted %s: %s, calls %s' % (e['name'], e['value'], e['calls']))
        if e['value'] == 'computed':
            say(all(e['id'] in calls[c]['nodes'] for c in e['calls']), 'emitted %s: a call does not say so' % e['name'])
    for c in calls:
        say(all(c['id'] in emitted[k]['calls'] for k in c['nodes']), 'call %d: a node does not say so' % c['id'])
        say(sorted(c['from']) == sorted({f for k in c['nodes'] for f in emitted[k]['from']}), 'call %d: origins' % c['id'])
    for r in a['rewrites']:
        for x in r['replaced']:
            say('rewrite' in x and x['rewrite'] < r['id'] and x['rewrite'] in rewrites or r['id'] in read[x['node']]['rewrites'],
                'rewrite %d: a node does not say so' % r['id'])
    say(all(k in emitted or k in inputs for e in a['emitted'] for k in e['reads']), 'emitted: reads what is not there')
    say(all(k in read or k in drawn for n in a['nodes'] for k in n['reads']), 'nodes: read what is not there')


def check_code(a, d):
    texts = {f['file']: open(os.path.join(d, f['file'])).read().split('\n') for f in a['functions']}
    inside = {f['file']: functions(os.path.join(d, f['file'])) for f in a['functions']}
    source = next(f['file'] for f in a['functions'] if f['kind'] == 'run')
    names = [(f['file'], f['name']) for f in a['functions']]
    say(len(names) == len(set(names)), 'functions: one is there twice')
    owned = {f: {} for f in texts}
    for f in a['functions']:
        at = inside[f['file']].get(f['name'])
        if 'contract' in f:  # with its contract and its parts, all of them in its lines
            say(at and f['first'] < at[0] and at[1] == f['last'], '%s: its lines are not its function with the contract' % f['name'])
        else:
            say(at == (f['first'], f['last']), '%s: lines %d-%d, in the file %s' % (f['name'], f['first'], f['last'], at))
        for line in range(f['first'], f['last'] + 1):
            say(line not in owned[f['file']], '%s: line %d is of two functions' % (f['name'], line))
            owned[f['file']][line] = f
        if f['kind'] == 'kernel':
            mine = [c for c in a['calls'] if c['function'] == f['name']]
            say(mine and [c['id'] for c in mine] == f['calls'], '%s: its calls' % f['name'])
            say(f['from'] and sorted(f['from']) == sorted({k for c in mine for k in c['from']}), '%s: its nodes' % f['name'])
            say(all(c['state'] == f['state'] for c in mine), '%s: state' % f['name'])
            say(''.join(f['kernel'].split()) in ''.join('\n'.join(texts[f['file']]).split()), '%s: its kernel is not in the file' % f['name'])
            say(f['cost'] is None if 'contract' in f else f['cost']['operations'] >= 0, '%s: cost' % f['name'])
    for file, found in inside.items():
        for name, (first, last) in found.items():
            say(all(line in owned[file] for line in (first, last)), '%s: the function %s is in no entry' % (file, name))
    for c in a['calls']:
        line = texts[source][c['line'] - 1]
        say(c['function'] + '(' in line, 'call %d: line %d is %s' % (c['id'], c['line'], line.strip()[:40]))
        before = texts[source][c['line'] - 2]
        if before.startswith('        /* .. '):  # in a loop: of which call it is first, and of which at last
            same = [x for x in a['calls'] if x['line'] == c['line']]
            heads = texts[source][:c['line']]
            head = max(k for k, text in enumerate(heads) if text.startswith('    for (size_t calque_t = 0u; calque_t < '))
            say(len(same) == int(heads[head].split(' < ')[1].split('u;')[0]), 'call %d: so many calls are at its line' % c['id'])
            say(len({y['id'] - x['id'] for x, y in zip(same, same[1:])}) == 1, 'call %d: its loop has other calls' % c['id'])
            say(heads[-3] == '        ' + comment(same[0]) and before == '        /* .. ' + comment(same[-1])[3:],
                'call %d: the lines before it name other nodes' % c['id'])
        else:
            say(before == '    ' + comment(c), 'call %d: the line before it names other nodes' % c['id'])
        say(owned[source].get(c['line'], {}).get('kind') == 'run', 'call %d: its line is not in the run' % c['id'])
    said = ['%s(' % c['function'] for c in a['calls']]
    run = next(f for f in a['functions'] if f['kind'] == 'run')
    kernels = re.compile(r'\b(%s|memcpy)\(' % '|'.join(re.escape(f['name']) for f in a['functions'] if f['kind'] == 'kernel'))
    text = '\n'.join(x for x in texts[source][run['first']:run['last']] if not x.strip().startswith('/*'))
    loop = re.compile(r'^    for \(size_t calque_t = 0u; calque_t < (\d+)u; calque_t\+\+\) \{\n(.*?)^    \}\n', re.M | re.S)
    there = [m[0] for m in kernels.finditer(loop.sub(lambda m: m[2] * int(m[1]), text))]
    say(there == said, 'the run calls %d functions, the trace has %d' % (len(there), len(said)))
    s = a['summary']
    say(sum(c['state'] == 'checked' for c in a['calls']) == s['checked'], 'calls: how many are checked')
    say(s['functions'] == sum(f['kind'] == 'kernel' for f in a['functions']) and s['calls'] == len(a['calls']), 'summary: functions, calls')


def check_memory(a, d):
    for i, x in enumerate(a['memory']):
        say(x['offset'] + x['bytes'] <= a['summary']['arena'] and 0 <= x['first'] <= x['last'] < len(a['calls']), 'memory %d: outside' % i)
        for y in a['memory'][:i]:
            if x['first'] <= y['last'] and y['first'] <= x['last']:
                say(x['offset'] + x['bytes'] <= y['offset'] or y['offset'] + y['bytes'] <= x['offset'], 'memory %d: two overlap' % i)


def check_texts(a, d):
    text = open(os.path.join(d, 'TRACE.md'), encoding='utf-8').read()
    rows = [re.sub(r'\\(.)', r'\1', r) for r in text.split('\n')]
    plain = '\n'.join(rows)
    for n in a['nodes']:
        say(sum(r.startswith('| %d | %s %s | %s' % (n['id'], n['operator'], n['name'], n['state'])) for r in rows) == 1,
            'TRACE.md: no row of node %s' % n['name'])
    for f in a['functions']:
        say('### %s, %s %d-%d' % (f['name'], f['file'], f['first'], f['last']) in rows, 'TRACE.md: no function %s' % f['name'])
    for r in a['rewrites']:
        say(plain.count('| %d | %s | %s |' % (r['id'], r['rule'], r['class'])) == 1, 'TRACE.md: no rewrite %d' % r['id'])
    name = os.path.join(d, 'report.html')
    page = Page(open(name, encoding='utf-8').read())
    say(os.path.getsize(name) < 10e6, 'report.html: %d bytes' % os.path.getsize(name))
    say(not page.outside, 'report.html: loads %s' % page.outside[:2])
    say(max(page.ids.values()) == 1, 'report.html: an id is there twice: %s' % page.ids.most_common(1))
    say(all(h[0] == '#' and h[1:] in page.ids for h in page.links), 'report.html: links that lead nowhere or out')
    for kind, key in (('before', 'nodes'), ('after', 'emitted')):
        for n in a[key]:
            say('%s-row-%d' % (kind, n['id']) in page.ids, 'report.html: no row of %s' % n['name'])
            say(not page.tags['svg'] > 1 or '%s-n%d' % (kind, n['id']) in page.ids, 'report.html: %s is not drawn' % n['name'])
    for f in a['functions']:
        say('fn-' + f['name'] in page.ids, 'report.html: no function %s' % f['name'])
    whole = ''.join(page.text)
    for r in a['rules']:
        say(r['rule'] in whole and (r['theorem'] or 'not proved') in whole, 'report.html: rule %s' % r['rule'])
    return page


def main():
    model, d = sys.argv[1:]
    a = json.load(open(os.path.join(d, 'trace.json'), encoding='utf-8'))
    if model != '-':
        there, said = onnx_nodes(model), collections.Counter((n['name'], n['operator']) for n in a['nodes'])
        say(there == said, 'the model has other nodes: %s, %s' % (list((there - said))[:3], list((said - there))[:3]))
    states, page = collections.Counter(n['state'] for n in a['nodes']), Page('')
    for part in check_nodes, check_code, check_memory, check_texts:
        try:
            page = part(a, d) or page
        except (KeyError, IndexError) as e:
            say(False, '%s: %r is not there' % (part.__name__, e.args[0]))
    print('\n'.join(wrong[:20]))
    print('%d nodes (%s), %d functions, %d drawings' % (len(a['nodes']), ', '.join('%d %s' % (n, s) for s, n in sorted(states.items())),
                                                     len(a['functions']), max(0, page.tags['svg'] - bool(a['memory']))))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
