"""What the site says, as data: the rules with their places on every floor, the theorems, the errata, the operators."""
import glob
import html
import os
import re
from collections import namedtuple

import gallina
import rooms
import typeset

# A way to show a rule: HTML, what its function says before the match, and the lines of the source that it was made from;
# what: 'rule', 'equation', 'prose'.
Form = namedtuple('Form', 'what html side file start line end item comment')
Theorem = namedtuple('Theorem', 'name group statement file line comment')
Operator = namedtuple('Operator', 'name meaning domain since least most types attributes line text')


class Rule:
    def __init__(self, label, section, traced):
        self.label, self.section, self.traced = label, section, traced
        self.forms, self.places, self.theorems = [], {}, []

    @property
    def anchor(self):
        return self.label


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


class Facts:
    def __init__(self, root, operators):
        self.root = root
        self.files, self.spans = {}, {}
        self.version = re.search(r'CALQUE_VERSION "(.*)"', read(root, 'c/cli/cli.h')).group(1)
        self.labels = [line.split() for line in read(root, 'tests/trace.txt').split('\n') if line and line[0] != '#']
        self.known = {l[0] for l in self.labels}
        self.rules, self.parts = {}, {}
        self.names = {}  # by section: names that its pages define
        self.theorems = {}
        self.read_theorems()
        for s in rooms.SECTIONS:
            self.names[s.id] = {n for _, n in s.parts}
            self.parts[s.id] = [self.part(s, f, n) for f, n in s.parts]
        for label, (section, comments, functions) in rooms.PROSE.items():
            self.prose(label, section, comments, functions)
        order = {l[0]: i for i, l in enumerate(self.labels)}
        missing = [l for l in order if l not in self.rules]
        if missing:
            raise SystemExit('no rule for ' + ', '.join(missing))
        self.find_places()
        self.table_of_theorems()
        self.operators = self.read_operators(operators)

    def file(self, path):
        if path not in self.files:
            self.files[path] = gallina.File(path, read(self.root, 'coq', path))
        return self.files[path]

    # Rules

    def setter(self, s, top=''):
        return typeset.Setter(s.templates, lambda n: '%s%s.html#def-%s' % (top, s.id, n) if n in self.names[s.id] else None)

    def rule(self, label, section):
        if label not in self.rules:
            self.rules[label] = Rule(label, section, label in self.known)
        return self.rules[label]

    def labels_in(self, text):
        return [w for w in re.findall(r'[A-Za-z]+\d?(?:-[A-Za-z]+)?(?:\.\d+)?', text) if w in self.known]

    def part(self, s, path, name):
        """A judgement or a function of a section, its rules entered: (item, [(label or None, Form)], the shape of it)."""
        item, sentence = self.file(path).find(name)
        setter = self.setter(s)
        made = []
        if isinstance(item, gallina.Judgement):
            for c in item.constructors:
                label = c.name.replace('_', '-')
                if label not in self.known:
                    label = '%s.%s' % (name, label)
                text = re.sub(r'^\[[A-Z-a-z]*\]:\s*', '', c.comment)
                text = '' if self.labels_in(text) == [label] else text
                form = Form('rule', inference(*setter.rule(c.type)), '', path, c.start, c.line, c.end, name, text)
                self.rule(label, s).forms.append(form)
                made.append((label, form))
            return item, made
        for labels, form in self.function(setter, path, item, sentence):
            for l in labels:
                self.rule(l, s).forms.append(form)
            made.append((labels, form))
        return item, made

    def function(self, setter, path, item, sentence):
        """The forms of a function, each with its labels: an equation for each branch of its match, or one for the whole."""
        comments = [t for t in sentence.tokens if t.kind == 'comment']
        whole = self.labels_in(item.comment)
        found = typeset.equations(item) if item.name != 'trans' else None
        if item.name == 'trans':
            yield from self.translation(setter, path, item, comments)
            return
        left = lambda args: setter.applied(item.name, args)[0]
        if not found:
            args, body = [b for b, _ in item.binders], item.body
            while body[0] == 'fun':
                args, body = args + [b for b, _ in body[1]], body[2]
            yield whole, Form('equation', equation(left(args), setter.block(body)), '', path, item.line, item.line, item.end, item.name, item.comment)
            return
        groups, before, rest = found
        lines = [g[0].line for g in groups] + [item.end + 1]
        prelude = ''.join(self.prelude(setter, b) for b in before)
        for k, group in enumerate(groups):
            end = max(lines[k + 1] - 1, lines[k])
            labels = [l for t in comments if lines[k] <= t.line <= end for l in self.labels_in(t.text)]
            if len(whole) == len(groups):
                labels = labels + [whole[k]]
            elif not labels:
                labels = list(whole)
            shares = [[l] for l in labels] if len(labels) == len(group) > 1 else [labels] * len(group)
            for part, mine in zip(group, shares):
                text = equation(left(part.args), setter.block(part.body))
                if part is group[-1] and part.rest is not None:
                    text += other(setter.block(part.rest))
                yield mine, Form('equation', text, prelude, path, part.line, part.line, end, item.name, item.comment if mine and mine[0] in whole else '')
        if rest is not None:
            yield [], Form('equation', other(setter.block(rest)), prelude, path, item.line, item.line, item.end, item.name, '')

    def prelude(self, setter, b):
        if b[0] == 'if':
            return '<div class="side">unless %s, where it is %s</div>' % (setter.set(b[1]), setter.block(b[2]))
        value, args = b[2], ''
        if value[0] == 'fun':
            args, value = '(%s)' % ', '.join(setter.set(x) for x, _ in value[1]), value[2]
        return '<div class="side">where %s%s = %s</div>' % (setter.set(b[1]), args, setter.block(value))

    def translation(self, setter, path, item, comments):
        """One function that gives acceptor and continuation: two equations for each branch, those of A and of C."""
        body, _ = typeset.inner(item.body)
        lines = [b.line for b in body[2]] + [item.end + 1]
        for k, b in enumerate(body[2]):
            end = max(lines[k + 1] - 1, lines[k])
            labels = [l for t in comments if lines[k] <= t.line <= end for l in self.labels_in(t.text)]
            rhs, shown = b.body, setter.set(b.patterns[0][0])
            while rhs[0] == 'let':
                rhs = typeset.replace(rhs[3], {rhs[1][1]: rhs[2]})
            left = '<b>%s</b>⟦' + shown + '⟧<sub>ρ</sub>'
            if rhs[0] == 'app' and rhs[1] == ('id', 'by_c'):
                both = [('app', ('id', 'via_c'), [('rel', left % 'C')]), rhs[2][0]]
            else:
                both = rhs[1]
            for letter, side in zip('AC', both):
                args = []
                while side[0] == 'fun':
                    args, side = args + [x for x, _ in side[1]], side[2]
                lhs = left % letter + (' (%s)' % ', '.join(setter.set(x) for x in args) if args else '')
                mine = [l for l in labels if l[0] == letter.lower()]
                helper = side[1][1] if side[0] == 'app' and side[1][0] == 'id' else ''
                where = self.where(setter, path, helper) if helper in ('via_c', 'via_a') else ''
                yield mine, Form('equation', equation(lhs, setter.block(side)), where, path, b.line, b.line, end, item.name, '')

    def where(self, setter, path, name):
        item, sentence = self.file(path).find(name)
        return '<div class="side">where</div>' + ''.join(f.html for _, f in self.function(setter, path, item, sentence))

    def prose(self, label, section, comments, functions):
        s = next(s for s in rooms.SECTIONS if s.id == section)
        said = []
        for path in comments:
            text = re.sub(r'\s+', ' ', read(self.root, 'coq', path))
            said += re.findall(r'\b%s[:,]? +((?:(?!\bI\d\b|KG-|\*\)).)+?)(?:;|\.|\*\)|, *(?=I\d))' % re.escape(label), text)
        said = [w.strip() for w in said if len(w) > 12]
        for i, (path, name) in enumerate(functions):
            item, sentence = self.file(path).find(name)
            text = '<p class="said">%s.</p>' % gallina_text(said[0]) if i == 0 else ''
            forms = list(self.function(self.setter(s), path, item, sentence))
            shown = ''.join(f.html for _, f in forms)
            self.rule(label, s).forms.append(Form('prose', text + shown, ''.join(dict.fromkeys(f.side for _, f in forms)), path, item.line, item.line, item.end, name, ''))

    # Places on the other floors, found as tests/trace.py finds them.

    def find_places(self):
        acsl = self.lines('acsl', '**/*.acsl')
        code = self.lines('c', '*/*.[ch]', head=True) + self.lines('c', '*/*.def', head=True)
        tests = self.lines('tests', '**/*.c') + self.lines('tests', '**/*.txt')
        tests = [x for x in tests if x[0] != 'tests/trace.txt']
        for entry in self.labels:
            label, floors = entry[0], dict(zip(('coq', 'acsl', 'c', 'test'), entry[1:]))
            under = label.replace('-', '_')
            if '.' in label:
                p = r'(^|[^A-Za-z0-9.])%s([^0-9]|$)' % re.escape(label)
                search = {'c': [(code, r'^c/(dpia|emit)/[a-z_]*\.c$', p)],
                          'test': [(tests, r'^tests/dpia/unit_rules\.c$', r'\{ "([^"]* )?%s[ "]' % re.escape(label))]}
            elif re.match(r'K.-|I\d', label):
                p = r'(^|[^A-Za-z0-9])%s([^A-Za-z0-9]|$)' % label
                search = {'c': [(code, r'^c/kernel/[a-z_]*\.c$', r'/\*.*%s|^ +%s ' % (p, label))],
                          'test': [(tests, r'^tests/kernel/.*\.c$', r'/\*.*' + p)]}
            else:
                p = r'(^|[^A-Za-z])(%s|%s)([^A-Za-z]|$)' % (label, under)
                search = {'acsl': [(acsl, '', r'case %s\b' % under)], 'c': [(code, '', p)], 'test': [(tests, '', p)]}
            for floor, tries in search.items():
                if floors.get(floor, '-') != '-':
                    for lines, where, pattern in tries:
                        hit = first(lines, re.compile(where), re.compile(pattern), label, under)
                        if hit:
                            self.rules[label].places[floor] = hit
            for floor in ('acsl', 'c', 'test'):
                if floors.get(floor, '-') != '-' and floor not in self.rules[label].places:
                    raise SystemExit('%s: not found on the floor %s' % (label, floor))

    def lines(self, top, pattern, head=False):
        """(path, number, line) of all lines that may have a label; with head without the comment that opens each file."""
        found, label = [], re.compile(r'[A-Z][A-Z][-_][A-Z]|\bI\d|\b[ac]\.\d|\bcg[ace]\.\d')
        for path in sorted(glob.glob(os.path.join(self.root, top, pattern), recursive=True)):
            text, name, n, start = read(path), os.path.relpath(path, self.root), 1, 0
            at = text.find('*/') if head and text.startswith('/*') else 0
            m = label.search(text, text.find('\n', at) if at else 0)
            while m:
                n, start = n + text.count('\n', start, m.start()), m.start()
                end = text.find('\n', start) % (len(text) + 1)
                found.append((name, n, text[text.rfind('\n', 0, start) + 1:end]))
                m = label.search(text, end)
        return found

    def c_function(self, path, line):
        """The function that a line of C stands in, or the next one if it stands in a comment before it: (name, first, last line)."""
        if path not in self.spans:
            self.spans[path] = self.c_functions(path)
        return next((f for f in self.spans[path] if f[2] >= line), None)

    def c_functions(self, path):
        """The functions of a file, and the prototypes: (name, first, last line)."""
        lines = read(self.root, path).split('\n')
        starts = [i for i, l in enumerate(lines) if re.match(r'[A-Za-z_].*\(', l) and not l.startswith(('typedef', 'extern'))]
        spans = []
        for i in starts:
            j = i
            while j < len(lines) and not lines[j].rstrip().endswith((';', '{', '}')):
                j += 1
            if j < len(lines) and not lines[j].rstrip().endswith(';'):
                while j < len(lines) and not (lines[j].startswith('}') or (j == i and lines[j].rstrip().endswith('}'))):
                    j += 1
            spans.append((re.search(r'(\w+)\(', lines[i]).group(1), i + 1, min(j + 1, len(lines))))
        return spans

    # Theorems

    def read_theorems(self):
        sources = {}
        for path in sorted(glob.glob(os.path.join(self.root, 'coq', '*.v')) + glob.glob(os.path.join(self.root, 'coq', '*', '*.v'))):
            rel = os.path.relpath(path, os.path.join(self.root, 'coq'))
            text = read(path)
            for m in re.finditer(r'^ *(?:Theorem|Lemma|Corollary|Definition|Example|Fact)\s+([\w\']+)', text, re.M):
                sources.setdefault(m.group(1), []).append((rel, m.start(), text))
        self.groups = []
        for golden in ('theorems.golden', 'real_theorems.golden'):
            parts = re.split(r'^(\S+)\n     : ', read(self.root, 'tests/coq', golden), flags=re.M)
            for name, said in zip(parts[1::2], parts[2::2]):
                said = re.split(r'^(?:Closed under|Axioms:)', said, flags=re.M)[0].rstrip()
                module, last = name.rsplit('.', 1) if '.' in name else ('', name)
                group = re.sub('^Of', '', module) or ('Reals' if golden.startswith('real') else 'Attributes')
                if golden.startswith('real'):
                    group = 'Reals'
                if group.startswith('Rules') or group.startswith('Library'):
                    group = 'Library'
                place = min(sources.get(last, []), key=lambda x: rank(x[0], group), default=None)
                file = line = None
                comment = ''
                if place:
                    file, line = place[0], place[2].count('\n', 0, place[1] + 1) + 1
                    before = place[2][:place[1]].rstrip()
                    if before.endswith('*)') and place[2].count('\n', len(before), place[1]) <= 1:
                        start = before.rfind('(**')
                        comment = before[start + 3:-2].strip() if start >= 0 and not before[start:].startswith('(** *') else ''
                if group not in self.groups:
                    self.groups.append(group)
                self.theorems.setdefault(last, Theorem(last, group, re.sub(r'^       ', '', said, flags=re.M), file, line, comment))

    def table_of_theorems(self):
        """The theorems on each rule, from the map of coq/README.md."""
        order, before = [l[0] for l in self.labels], []
        for row in re.findall(r'^\| (.*) \|$', read(self.root, 'coq/README.md'), re.M):
            cells = [c.strip() for c in row.split(' | ')]
            if len(cells) < 3:
                continue
            mine = []
            for a, b in re.findall(r'([A-Za-z]+\d?(?:-[A-Za-z]+|\.\d+)?)(?: (?:\.\.|to) ([A-Za-z]+\d?(?:-[A-Za-z]+|\.\d+)?))?', cells[0]):
                if a in order:
                    mine += order[order.index(a):order.index(b) + 1] if b in order else [a]
                elif a in ('cga', 'cge', 'cgc'):
                    mine += [l for l in order if l.startswith(a + '.')]
            if not mine:
                continue
            names, last = [], ''
            for n in re.findall(r'`([^`]*)`', cells[2]):
                n = re.sub(r'_[^_]*$', '', last) + n if n.startswith('_') else n
                last = n
                names.append(n)
            names = before if cells[2] == 'the same' else [n for n in names if n in self.theorems]
            before = names
            for l in mine:
                self.rules[l].theorems += [n for n in names if n not in self.rules[l].theorems]

    def about(self, s):
        """The theorems whose statements speak of a section."""
        return [t for t in self.theorems.values() if re.search(s.speak, t.statement) and not t.name.endswith('_applies')]

    # Errata

    def erratum_names(self, text):
        """The names in a cell, also of the short form `_gap` behind `erratum_instantiate_copies`."""
        names, last = [], ''
        for n in re.findall(r'`([\w.]+)`', text):
            if n.startswith('_') and last:
                n = next((x for x in self.theorems if x.endswith(n) and x.startswith(last.split('_')[0] + '_' + last.split('_')[1])), n)
            last = n
            names.append(n)
        return names

    # Operators

    def read_operators(self, answer):
        table = read(self.root, 'coq/tensor/OpTable.v').split('\n')
        entries, start = {}, next(i for i, l in enumerate(table) if 'Definition operators' in l)
        current = None
        for i in range(start, len(table)):
            m = re.match(r'\s*\[?\("(\w+)", *(.*)', table[i])
            if m:
                current = m.group(1)
                entries[current] = (i + 1, [m.group(2)])
            elif current:
                entries[current][1].append(table[i].strip())
            if re.search(r'\)\]\.\s*$', table[i]):
                break
        found = []
        for o in answer['operators']:
            line, text = entries.get(o['name'], (None, []))
            text = re.sub(r'\)[;\]]?[\].;]*$', '', ' '.join(text).strip())
            found.append(Operator(o['name'], o['meaning'], o['domain'], o['since'], o['least'], o['most'], o['types'], o['attributes'], line, text))
        return found


def rank(path, group):
    return (path != 'theorems/%s.v' % group, path != 'Theorems.v', group not in path, not path.startswith('theorems/'), path)


def first(lines, where, pattern, label, under):
    for path, n, line in lines:
        if (label in line or under in line) and where.search(path) and pattern.search(line):
            return path, n
    return None


def whole(text):
    """No line ends between a bracket of meaning and its index."""
    return text.replace('⟧<su', '⟧&#8288;<su')


def inference(premises, conclusion):
    over = ''.join('<span>%s</span>' % whole(p) for p in premises)
    return '<div class="infer%s"><div class="premises">%s</div><div class="conclusion">%s</div></div>' % (
        '' if premises else ' axiom', over, whole(conclusion))


def equation(left, right):
    return '<div class="eq"><span class="lhs">%s</span><span class="is">=</span><span class="rhs">%s</span></div>' % (whole(left), whole(right))


def other(right):
    return '<div class="side">in every other case %s</div>' % right


def gallina_text(text, link=lambda n: None):
    """Words of a comment of Coq: [code], with a link where the name has a page, and the rest."""
    def code(m):
        to, inner = link(html.unescape(m.group(1))), '<code>%s</code>' % m.group(1)
        return '<a href="%s">%s</a>' % (to, inner) if to else inner
    return re.sub(r'(?<![\w;\]])\[([^\[\]]+(?:\[[^\[\]]*\][^\[\]]*)*)\]', code, html.escape(text))
