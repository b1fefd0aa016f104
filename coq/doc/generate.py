#!/usr/bin/env python3
"""The reference as static HTML: every judgement as inference rules, from the constructors in Coq, with source, theorems and C function.

usage: generate.py ROOT OUT COMMIT CALQUE     ROOT: the project; CALQUE: the command, asked for its operators, their kernels, the requirements
"""
import html
import json
import os
import re
import shutil
import struct
import subprocess
import sys

import facts
import gallina
import pages
import rooms

HERE = os.path.dirname(os.path.abspath(__file__))
GROUP_TITLES = {'Attributes': 'Attributes', 'Reals': 'Derivatives over the reals', 'Library': 'Each rule of the library', 'Wf': 'Well-formed kernels',
                'Swap': 'Errata of gradients by exchange', 'Dual': 'Dual numbers', 'Text': 'Smaller errata of the translation',
                'Dpia': 'Functional programs', 'Errata': 'Errata of the thesis', 'Unsound': 'Published rules that are unsound',
                'OpKernel': 'Kernels of operators', 'Opt': 'Optimising', 'Model': 'Whole models', 'Lower': 'Lowering of kernels',
                'Cells': 'Cells and validation', 'Emit': 'Emitted code', 'Memo': 'Memoised evaluation', 'Pattern': 'Matching',
                'Rewrite': 'Rewriting', 'Graph': 'Graphs', 'Kernel': 'Kernels', 'Gradient': 'Gradients', 'Inline': 'Inlining',
                'Tensor': 'Tensors and operators', 'Oracle': 'What the oracle answers', 'Lookup': 'Look-ups by data'}
FLOORS = [('acsl', 'ACSL'), ('c', 'C'), ('test', 'Test')]


class Site:
    def __init__(self, root, out, commit, operators, kernels, requirements):
        self.f = facts.Facts(root, operators)
        self.kernels = dict(re.findall(r'^# (\w+) \w+\n((?:.+\n)+)', kernels, re.M))
        self.root, self.out, self.requirements = root, out, requirements
        self.sections = rooms.SECTIONS
        self.number = {s.id: i for i, s in enumerate(self.sections, 1)}
        more = len(self.sections)
        contents = [('', 'index.html', 'Overview'), ('', 'rules.html', 'All rules')]
        contents += [(str(self.number[s.id]), s.id + '.html', s.title) for s in self.sections]
        contents += [(str(more + 1), 'operators.html', 'Operators'), (str(more + 2), 'errata.html', 'Errata'), (str(more + 3), 'theorems.html', 'Theorems'),
                     ('', 'profile.html', 'Safety-related profile'), ('', 'notation.html', 'Notation'), ('', 'cite.html', 'How to cite')]
        self.frame = pages.Frame(out, self.f.version, commit, contents)
        self.commit = commit
        self.sources = {}  # path from the root: True
        self.index = []
        self.traced = [self.f.rules[l[0]] for l in self.f.labels]
        self.errata_of, self.errata_rows, self.homes = {}, [], {}

    # Addresses

    def source(self, top, path, line=None, text=None):
        self.sources[path] = True
        at = '#L%d' % line if line else ''
        return '<a class="src" href="%ssrc/%s.html%s">%s</a>' % (top, path, at, html.escape(text or path + (':%d' % line if line else '')))

    def theorem_address(self, name):
        t = self.f.theorems.get(name.split('.')[-1])
        return 'theorems/%s.html#%s' % (t.group, t.name) if t else None

    def definition_link(self, top):
        """Where a name in a statement is defined: with the module before it, or that of a judgement whose name is no word."""
        homes = self.homes.setdefault(top, {})
        for s in self.sections if not homes else []:
            for (path, name), (item, _) in zip(s.parts, self.f.parts[s.id]):
                address = '%s%s.html#def-%s' % (top, s.id, name)
                homes[os.path.basename(path)[:-2] + '.' + name] = address
                if isinstance(item, gallina.Judgement) and len(name) < 4:
                    homes[name] = address
        return lambda name: homes.get('.'.join(name.split('.')[-2:]))

    def name_link(self, top):
        def link(name):
            to = self.theorem_address(name)
            if to:
                return top + to
            if name in self.f.rules and self.f.rules[name].traced:
                return '%srule/%s.html' % (top, name)
            if re.match(r'(coq|c|tests|acsl)/.*\.(v|c|h)$', name) and os.path.isfile(os.path.join(self.root, name)):
                self.sources[name] = True
                return '%ssrc/%s.html' % (top, name)
            return None
        return link

    # Pieces

    def tag(self, label, top, own=False):
        r = self.f.rules.get(label)
        if r is None or not r.traced:
            return '<span class="label quiet">%s</span>' % html.escape(label.split('.')[-1] if label and not re.match(r'^[a-z]+\.\d', label) else label or '')
        return '<a class="label" href="%s">%s</a>' % ('#' + label if own else '%srule/%s.html' % (top, label), label)

    def fragment(self, path, a, b, top, most=80):
        lines = facts.read(self.root, path).split('\n')
        cut = min(b, a + most - 1)
        body = pages.colour('\n'.join(lines[a - 1:cut]), path)
        rows = ''.join('<span class="row" data-n="%d">%s\n</span>' % (n, l) for n, l in enumerate(body.split('\n'), a))
        rest = '' if cut == b else '<p class="more">%s</p>' % self.source(top, path, cut + 1, '… %d more lines' % (b - cut))
        return '<pre class="code">%s</pre>%s' % (rows, rest)

    def theorem(self, t, top, opened=False, anchor=True, level='h3'):
        where = self.source(top, 'coq/' + t.file, t.line) if t.file else ''
        said = pages.prose(t.comment, self.name_link(top)) if t.comment else ''
        name = html.escape(t.name)
        heading = '<%s><a href="%s%s">%s</a></%s>' % (level, top, self.theorem_address(t.name), name, level)
        return '<section class="theorem"%s>%s%s<pre class="statement">%s</pre><p class="where">%s</p></section>' % (
            ' id="%s"' % name if anchor else '', heading, said, pages.statement(t.statement, self.definition_link(top)), where)

    def theorem_line(self, t, top):
        text = re.split(r'(?<=[a-z)])\. ', re.sub(r'\s+', ' ', t.comment))[0].rstrip('.') if t.comment else ''
        return '<li><a href="%s%s"><code>%s</code></a>%s</li>' % (top, self.theorem_address(t.name), t.name, ' ' + facts.gallina_text(text) + '.' if text else '')

    def shape(self, s, item):
        """How a judgement is written, and how it is read."""
        key = item.name + '_threads' if item.name == 'step' and s.id == 'statements' else item.name
        if key not in rooms.READ:
            return ''
        places, sentence = rooms.READ[key]
        text = self.f.setter(s).applied(item.name, [('id', n) for n in places.split()])[0]
        return '<p class="shape"><span class="math">%s</span> <span class="reading">%s</span></p>' % (
            text, re.sub(r'\*(.*?)\*', r'<i>\1</i>', html.escape(sentence)))

    # Pages

    def build(self):
        if os.path.isfile(os.path.join(self.out, 'search-index.js')):
            shutil.rmtree(self.out)
        elif os.path.isdir(self.out) and os.listdir(self.out):
            raise SystemExit('%s has files of others' % self.out)
        os.makedirs(self.out, exist_ok=True)
        self.errata()
        for s in self.sections:
            self.section(s)
        self.all_rules()
        for i, r in enumerate(self.traced):
            self.rule_page(r, self.traced[i - 1] if i else None, self.traced[i + 1] if i + 1 < len(self.traced) else None)
        self.operators()
        self.theorems()
        self.profile()
        self.notation()
        self.cite()
        self.home()
        self.book()
        for path in sorted(self.sources):
            self.source_page(path)
        for name in ('site.css', 'search.js'):
            shutil.copyfile(os.path.join(HERE, name), os.path.join(self.out, name))
        with open(os.path.join(self.out, 'search-index.js'), 'w', encoding='utf-8') as f:
            f.write('window.CALQUE_INDEX = %s;\n' % json.dumps(self.index, ensure_ascii=False, indent=0))
        return len(self.frame.written)

    def parts(self, s, ids):
        """The judgements and functions of a section."""
        out = []
        for (path, name), (item, made) in zip(s.parts, self.f.parts[s.id]):
            comment = pages.prose(item.comment, self.name_link('')) if item.comment else ''
            judgement = isinstance(item, gallina.Judgement)
            kind = 'Judgement' if judgement else 'Function'
            body = ['<div class="shown equation"><div class="math">%s</div></div>' % made[0][1].side] if made and made[0][1].side and name != 'trans' else []
            for labels, form in made:
                labels = [labels] if isinstance(labels, str) else labels
                marks = []
                for l in labels:
                    fresh = ids and l not in self.anchors
                    if fresh:
                        self.anchors.add(l)
                    marks.append('<span%s>%s</span>' % (' id="%s"' % l if fresh else '', self.tag(l, '')))
                said = '<div class="printed">%s</div>' % html.escape(re.sub(r'\s*\n\s*', '  ', form.comment)) if form.comment and judgement else ''
                body.append('<div class="shown %s"><div class="math">%s</div><div class="marks">%s</div>%s</div>' % (form.what, form.html, ''.join(marks), said))
            notes = []
            for label, (section, _, functions) in rooms.PROSE.items():
                if (path, name) in functions and ids and label not in self.anchors:
                    self.anchors.add(label)
                    text = re.search(r'<p class="said">(.*?)</p>', self.f.rules[label].forms[0].html).group(1)
                    notes.append('<div class="shown"><p class="said">%s</p><div class="marks"><span id="%s">%s</span></div></div>' % (
                        text, label, self.tag(label, '')))
            out.append('<section class="part"%s><h2>%s <code>%s</code> <span class="where">%s</span></h2>%s%s<div class="forms">%s</div></section>' % (
                ' id="def-%s"' % name if ids else '', kind, html.escape(name), self.source('', 'coq/' + path, item.line),
                self.shape(s, item), comment, ''.join(notes + body)))
        return ''.join(out)

    def intro(self, s):
        head = self.f.file(s.about).head()
        title, _, rest = head.partition('\n')
        return pages.prose(rest, self.name_link(''))

    def section(self, s):
        self.anchors = set()
        n = self.number[s.id]
        mine = [r for r in self.traced if r.section.id == s.id]
        chips = '<p class="chips">%s</p>' % ' '.join('<a href="#%s">%s</a>' % (r.label, r.label) for r in mine) if mine else ''
        about = self.f.about(s)
        first = [self.f.theorems[t] for t in s.theorems if t in self.f.theorems]
        rest = [t for t in about if t not in first]
        theorems = '<section id="theorems"><h2>Theorems</h2>%s' % ''.join(self.theorem(t, '', anchor=False) for t in first)
        if rest:
            theorems += '<details><summary>%d more that speak of these definitions</summary><ul class="names">%s</ul></details>' % (
                len(rest), ''.join(self.theorem_line(t, '') for t in rest))
        body = '<p class="kicker">Section %d</p><h1>%s</h1><div class="intro">%s</div>%s%s%s</section>' % (
            n, s.title, self.intro(s), chips, self.parts(s, True), theorems)
        self.frame.page(s.id + '.html', s.title, body, s.id + '.html')
        self.index.append([s.title, 'section', s.id + '.html', 'section %d' % n])

    def all_rules(self):
        out = ['<h1>All rules</h1><p>Every rule that has a label, %d of them, as <code>make trace</code> lists them. A label’s address, such as '
               '<code>rules.html#PM-Call</code>, stays.</p>' % len(self.traced)]
        for s in self.sections:
            mine = [r for r in self.traced if r.section.id == s.id]
            if not mine:
                continue
            rows = []
            for r in mine:
                form = r.forms[0]
                rows.append('<div class="shown %s" id="%s"><div class="math">%s</div><div class="marks">%s</div></div>' % (
                    form.what, r.label, form.html, self.tag(r.label, '')))
            out.append('<section class="part"><h2><a href="%s.html">%d %s</a></h2><div class="forms">%s</div></section>' % (
                s.id, self.number[s.id], s.title, ''.join(rows)))
        self.frame.page('rules.html', 'All rules', ''.join(out), 'rules.html')

    def rule_page(self, r, before, after):
        top, s = '../', r.section
        setter_links = lambda h: re.sub(r'href="(?!\.\./|#)', 'href="../', h)
        shown = ''.join('<div class="shown %s hero"><div class="math">%s</div></div>' % (f.what, setter_links(f.html + f.side)) for f in r.forms)
        printed = [f.comment for f in r.forms if f.comment]
        source = '<h2>As the source prints it</h2>%s' % ''.join('<p class="printed">%s</p>' % html.escape(re.sub(r'\s*\n\s*', '  ', p)) for p in printed[:1]) \
            if printed and r.forms[0].what == 'rule' else ''
        rows = []
        for f in r.forms:
            kind = 'constructor' if f.what == 'rule' else 'in'
            rows.append(('Coq', '%s, %s <a href="../%s.html#def-%s"><code>%s</code></a>' % (self.source(top, 'coq/' + f.file, f.line),
                                                                                           'of judgement' if f.what == 'rule' else 'in', s.id, f.item, f.item)))
        known = [self.f.theorems[t] for t in r.theorems]
        if known:
            rows.append(('Theorems', ', '.join('<a href="../%s"><code>%s</code></a>' % (self.theorem_address(t.name), t.name) for t in known)))
        code = ''
        for floor, title in FLOORS:
            if floor in r.places:
                path, line = r.places[floor]
                text = self.source(top, path, line)
                if floor == 'c':
                    fn = self.f.c_function(path, line)
                    if fn:
                        text += ', <code>%s</code>' % fn[0]
                        a, b = fn[1], fn[2]
                        if line < a:
                            a = line
                        code = '<details><summary>The C function <code>%s</code></summary>%s</details>' % (fn[0], self.fragment(path, a, max(b, line), top))
                rows.append((title, text))
            else:
                rows.append((title, '<span class="none">not there</span>'))
        table = '<table class="places"><tbody>%s</tbody></table>' % ''.join('<tr><th scope="row">%s</th><td>%s</td></tr>' % x for x in rows)
        coq = ''.join(self.fragment('coq/' + f.file, f.start, f.end, top, 60) for f in r.forms)
        statements = ''.join(self.theorem(t, top, anchor=False) for t in known[:2])
        errata = self.errata_of.get(r.label, [])
        wrong = '<h2>Errata</h2><ul>%s</ul>' % ''.join('<li><a href="../errata.html#%s">%s</a> %s</li>' % e for e in errata) if errata else ''
        cite = '%s, Calque %s, section %d' % (r.label, self.f.version, self.number[s.id])
        turn = '<p class="turn">%s%s</p>' % ('<a rel="prev" href="%s.html">← %s</a>' % (before.label, before.label) if before else '<span></span>',
                                            '<a rel="next" href="%s.html">%s →</a>' % (after.label, after.label) if after else '')
        body = ('<p class="kicker"><a href="../%s.html">Section %d, %s</a></p><h1 id="%s">%s</h1>%s%s<h2>Where it stands</h2>%s<h2>Source</h2>%s%s%s%s'
                '<h2>To cite</h2><p class="cite">%s</p><p class="where">Address: <code>rules.html#%s</code></p>%s' % (
                    s.id, self.number[s.id], s.title, r.label, r.label, shown, source, table, coq, code,
                    '<h2>Theorems</h2>' + statements if statements else '', wrong, cite, r.label, turn))
        self.frame.page('rule/%s.html' % r.label, r.label, body, s.id + '.html')
        self.index.append([r.label, 'rule', 'rule/%s.html' % r.label, '%s %s' % (s.title, ' '.join(f.item for f in r.forms))])

    def theorems(self):
        out = ['<p class="kicker">Section %d</p><h1>Theorems</h1><p>%d headline theorems, as Coq prints them: <code>make check-coq</code> compares '
               'these statements and finds that they assume nothing, but for those on the reals, which use the axioms of Coq’s real numbers.</p>' % (len(self.sections) + 3, len(self.f.theorems))]
        for g in self.f.groups:
            mine = [t for t in self.f.theorems.values() if t.group == g]
            if not mine:
                continue
            title = GROUP_TITLES.get(g, g)
            out.append('<section class="part"><h2 id="%s"><a href="theorems/%s.html">%s</a></h2><ul class="names">%s</ul></section>' % (
                g, g, title, ''.join(self.theorem_line(t, '') for t in mine)))
            body = '<p class="kicker"><a href="../theorems.html">Theorems</a></p><h1>%s</h1>%s' % (title, ''.join(self.theorem(t, '../', level='h2') for t in mine))
            self.frame.page('theorems/%s.html' % g, title, body, 'theorems.html')
            for t in mine:
                self.index.append([t.name, 'theorem', self.theorem_address(t.name), title])
        self.frame.page('theorems.html', 'Theorems', ''.join(out), 'theorems.html')

    def errata(self):
        text, link = facts.read(self.root, 'coq/ERRATA.md'), self.name_link('')
        out, named = ['<p class="kicker">Section %d</p><h1>Errata of the sources</h1>' % (len(self.sections) + 2)], set()
        paragraph = text.split('\n\n')[1]
        out.append('<p>%s</p><h2 id="thesis">The thesis on GSL</h2>' % pages.markdown(re.sub(r'\s+', ' ', paragraph), link))
        for row in re.findall(r'^\| (4[AB]\.\d+) \| (.*?) \| (.*?) \| (.*?) \|$', text, re.M):
            number, place, defect, lemmas = row
            names = [n for n in self.f.erratum_names(lemmas) if n in self.f.theorems]
            named |= set(names)
            for label in self.f.labels_in(place + ' ' + defect):
                self.errata_of.setdefault(label, []).append((number, number, pages.markdown(defect, lambda n: None)))
            shown = ''.join(self.theorem(self.f.theorems[n], '', anchor=False, level='h4') for n in names)
            more = '<details><summary>%s</summary>%s</details>' % (', '.join('<code>%s</code>' % n for n in names), shown) if names else (
                '<p class="where">%s</p>' % pages.markdown(lemmas, link))
            out.append('<section class="erratum" id="%s"><h3><span class="n">%s</span> %s</h3><p class="where">%s</p>%s</section>' % (
                number, number, pages.markdown(defect[0].upper() + defect[1:], link), pages.markdown(place, link), more))
            self.errata_rows.append((number, '%s <span class="where">%s</span>' % (pages.markdown(defect, lambda n: None), ' '.join('<code>%s</code>' % n for n in names))))
            self.index.append([number, 'erratum', 'errata.html#' + number, re.sub('`', '', defect)])
        rest = [t for t in self.f.theorems.values() if t.name.startswith('erratum_') and t.name not in named]
        out.append('<h2 id="others">The other sources: inlining, gradients, DPIA</h2>')
        group = None
        for t in rest:
            if t.group != group:
                group = t.group
                head = pages.prose(self.f.file('kernel/GradErrata.v').head().partition('\n')[2]) if group == 'Swap' else ''
                out.append('<h3 id="group-%s">%s</h3>%s' % (group, GROUP_TITLES.get(group, group), head))
            short = t.name[len('erratum_'):]
            said = pages.prose(t.comment, link) if t.comment else ''
            for label in dict.fromkeys(self.f.labels_in(t.comment)):
                self.errata_of.setdefault(label, []).append((t.name, short, facts.gallina_text(re.split(r'(?<=\w)[.:] ', re.sub(r'\s+', ' ', t.comment))[0])))
            said_of = self.theorem(t._replace(comment=''), '', anchor=False, level='h4')
            if not t.comment:  # as it is written: what Coq prints has no notations
                source = facts.read(self.root, 'coq', t.file).split('\n')
                end = next(n for n in range(t.line, len(source)) if source[n].startswith('Proof'))
                said_of = self.fragment('coq/' + t.file, t.line, end, '') + '<p class="where">As Coq prints it: <a href="%s"><code>%s</code></a></p>' % (
                    self.theorem_address(t.name), t.name)
            else:
                said_of = '<details><summary>The counterexample, <code>%s</code></summary>%s</details>' % (t.name, said_of)
            out.append('<section class="erratum" id="%s"><h4>%s</h4>%s%s</section>' % (t.name, html.escape(short.replace('_', ' ')), said, said_of))
            self.index.append([t.name, 'erratum', 'errata.html#' + t.name, re.sub(r'\s+', ' ', t.comment)[:80]])
        bad = facts.read(self.root, 'tests/bad-rules/README.md')
        out.append('<h2 id="rules">Published rules that are unsound</h2><p>%s</p>' % pages.markdown(re.sub(r'\s+', ' ', bad.split('\n\n')[1]), link))
        for row in re.findall(r'^\| (?!rule|---)(.*?) \| (.*?) \| (.*?) \| (.*?) \|$', bad, re.M):
            rule, wrong, conditions, smallest = row
            base = rule.split(' ')[0]
            names = [t for t in self.f.theorems if t.startswith('rule_%s_needs_' % base)]
            shown = ''.join(self.theorem(self.f.theorems[n], '', anchor=False, level='h4') for n in names)
            more = '<details><summary>%s</summary>%s</details>' % (', '.join('<code>%s</code>' % n for n in names), shown) if names else ''
            out.append('<section class="erratum" id="rule-%s"><h3>%s</h3><p>%s. Smallest counterexample: %s.</p>%s</section>' % (
                base, html.escape(rule), pages.markdown(wrong[0].upper() + wrong[1:], link), pages.markdown(smallest, link), more))
            self.index.append([base, 'unsound rule', 'errata.html#rule-' + base, wrong])
        self.frame.page('errata.html', 'Errata of the sources', ''.join(out), 'errata.html')

    def operators(self):
        link = self.name_link('')
        table = {}
        for row in re.findall(r'^\| (?!operator|---)(.*?) \| (.*?) \| (.*?) \| ?(.*?) ?\|$', facts.read(self.root, 'coq/tensor/README.md'), re.M):
            for name in row[0].split(', '):
                table[name] = row[1:]
        optable = self.f.file('tensor/OpTable.v')
        chips = ' '.join('<a href="#%s">%s</a>' % (o.name, o.name) for o in self.f.operators)
        out = ['<p class="kicker">Section %d</p><h1>Operators</h1><p>Every operator has one meaning, for all ranks and sizes and over any scalars: the entry of '
               '<code>operators</code> in %s. Its kernel computes that meaning (<a href="%s"><code>op_kernel_correct</code></a>); it is shown for one application, of %s, with the '
               'inputs numbered in the order in which it first reads them.</p><p class="chips">%s</p>' % (
                   len(self.sections) + 1, self.source('', 'coq/tensor/OpTable.v'), self.theorem_address('op_kernel_correct'),
                   self.source('', 'coq/doc/operators.graph'), chips)]
        for o in self.f.operators:
            inputs = '%d' % o.least if o.least == o.most else '%d or more' % o.least if o.most is None or o.most < 0 else '%d to %d' % (o.least, o.most)
            line = ['%s input%s' % (inputs, '' if inputs == '1' else 's'), ' '.join(o.types), '%s %s' % (o.domain, ', '.join(str(n) for n in o.since))]
            if o.attributes:
                line.append(' '.join('<code>%s</code>' % a for a in o.attributes))
            facts_ = []
            if o.name in table:
                sizes, cell, items = table[o.name]
                facts_.append(('Sizes of the result', pages.markdown(sizes, link)))
                facts_.append(('Cell', pages.markdown(cell, link)))
                if items:
                    facts_.append(('Safety-related profile', pages.markdown(items, link)))
            rows = ''.join('<tr><th scope="row">%s</th><td>%s</td></tr>' % x for x in facts_)
            code = ''
            kernel = '<pre class="code">%s</pre>' % html.escape(decimal(self.kernels[o.name].rstrip()), quote=False) if o.name in self.kernels else \
                '<p class="where">Nothing is computed: its kernel copies cells, or is a constant.</p>'
            if o.line:
                code = '<pre class="code">%s</pre>' % pages.colour('("%s", %s)' % (o.name, o.text), '.v')
                for word in re.findall(r'\b(\w+_op|elementwise|pointwise|binary|folded|copy|recasting|onto)\b', o.text)[:1]:
                    try:
                        item, _ = optable.find(word)
                        code += self.fragment('coq/tensor/OpTable.v', item.line, item.end, '')
                    except KeyError:
                        pass
                code = '<details><summary>In Coq, %s</summary>%s</details>' % (self.source('', 'coq/tensor/OpTable.v', o.line), code)
            out.append('<section class="operator" id="%s"><h2>%s</h2><p class="formula">%s</p><p class="where">%s</p>%s%s%s</section>' % (
                o.name, o.name, formula(o.meaning), ' · '.join(line), kernel, '<table class="places"><tbody>%s</tbody></table>' % rows if rows else '', code))
            self.index.append([o.name, 'operator', 'operators.html#' + o.name, o.meaning])
        self.frame.page('operators.html', 'Operators', ''.join(out), 'operators.html')

    def evidence(self, word):
        kind, _, name = word.rpartition(':')
        if kind == 'theorem':
            return '<a href="%s"><code>%s</code></a>' % (self.theorem_address(name), name)
        if re.search(r'\.(v|c|h)$', word):
            return self.source('', word)
        return '<code>%s</code>' % html.escape('calque ' + name if kind == 'command' else word)

    def profile(self):
        rows = ''.join('<tr id="%s"><th scope="row">%s<br><span class="where">%s</span></th><td>%s%s</td><td>%s<p class="where">%s</p></td></tr>' % (
            r['anchor'], r['number'], html.escape(r['anchor'].replace('_', ' ')), html.escape(r['requirement']), ' <i>(decided on a model)</i>' if r['decided'] else '',
            html.escape(r['here'] or 'nothing'), ' '.join(self.evidence(w) for w in r['evidence'])) for r in self.requirements)
        self.frame.page('profile.html', 'Safety-related profile', '<h1>Safety-related profile</h1><p>The draft requirements of the safety-related profile of ONNX, in our words, with '
                        'what is here for each and where that is seen. It is an offer, not a claim of conformance. <code>calque profile MODEL.onnx</code> decides those that can be '
                        'decided on a model, and names the nodes that fall short.</p><table class="places notation"><tbody>%s</tbody></table>' % rows, 'profile.html')

    def notation(self):
        rows = ''.join('<tr><th scope="row" class="math">%s</th><td>%s</td></tr>' % x for x in rooms.NOTATION)
        shapes = []
        for s in self.sections:
            for item, _ in self.f.parts[s.id]:
                if isinstance(item, gallina.Judgement):
                    shape = self.shape(s, item)
                    if shape:
                        shapes.append('<div class="shape-row">%s<p class="where"><a href="%s.html#def-%s">section %d, <code>%s</code></a></p></div>' % (
                            shape, s.id, item.name, self.number[s.id], item.name))
        self.frame.page('notation.html', 'Notation', '<h1>Notation</h1><p>The rules are set from their constructors in Coq. Premises stand above the line; what '
                        'a rule binds is bound by the rule. Names are those of the source, digits behind a name as an index.</p><table class="places notation"><tbody>%s</tbody></table>'
                        '<h2>Judgements</h2>%s' % (rows, ''.join(shapes)), 'notation.html')

    def cite(self):
        cff = facts.read(self.root, 'CITATION.cff')
        field = lambda k: re.search(r'^%s: *"?(.*?)"?$' % k, cff, re.M).group(1)
        year = field('date-released')[:4]
        bib = '@software{calque,\n  title   = {%s},\n  author  = {%s},\n  version = {%s},\n  year    = {%s},\n  license = {%s},\n  note    = {commit %s}\n}' % (
            field('title'), re.search(r'name: "(.*)"', cff).group(1), self.f.version, year, field('license'), self.commit)
        example = 'PM-Call'
        s = self.f.rules[example].section
        body = ('<h1>How to cite</h1><p>A rule has a label, a section and an address that stay: </p><p class="cite">%s, Calque %s, section %d</p>'
                '<p>Its address is <code>rules.html#%s</code>; its page, with source, theorems and C function, <a href="rule/%s.html"><code>rule/%s.html</code></a>. A theorem is '
                'cited by its name, an operator by its own, an erratum by its number. Version and commit stand in the foot of each page.</p>'
                '<h2>The software</h2><pre class="code">%s</pre><h2>CITATION.cff</h2><pre class="code">%s</pre>' % (
                    example, self.f.version, self.number[s.id], example, example, example, html.escape(bib), html.escape(cff.rstrip())))
        self.frame.page('cite.html', 'How to cite', body, 'cite.html')

    def home(self):
        readme = facts.read(self.root, 'README.md')
        lead = re.sub(r'\s+', ' ', readme.split('\n\n')[1]).split('; the table below')[0].rstrip('.') + '.'
        cards = []
        for s in self.sections:
            mine = [r.label for r in self.traced if r.section.id == s.id]
            span = '%s … %s' % (mine[0], mine[-1]) if len(mine) > 1 else ', '.join(mine)
            what = ', '.join('<code>%s</code>' % item.name for item, _ in self.f.parts[s.id] if isinstance(item, gallina.Judgement)) or \
                ', '.join('<code>%s</code>' % item.name for item, _ in self.f.parts[s.id][:3])
            cards.append('<li><a href="%s.html"><b><span class="n">%d</span>%s</b></a><span>%s</span>%s</li>' % (
                s.id, self.number[s.id], s.title, what, '<span class="where">%s</span>' % span if span else ''))
        n = len(self.sections)
        for k, (address, title, what) in enumerate([('operators', 'Operators', '%d operators with their formulas' % len(self.f.operators)),
                                                     ('errata', 'Errata', 'of the thesis, of other sources, of published rules'),
                                                     ('theorems', 'Theorems', '%d headline statements' % len(self.f.theorems))], n + 1):
            cards.append('<li><a href="%s.html"><b><span class="n">%d</span>%s</b></a><span>%s</span></li>' % (address, k, title, what))
        example = self.f.rules['AE-Proj']
        body = ('<h1>Calque, the reference</h1><p class="lead">%s</p><p>Each judgement below is typeset from its definition in Coq, and each of its %d rules has a page: '
                'the rule, the source, the theorems on it, the C function that implements it, its test. It looks like this:</p>'
                '<div class="shown rule hero"><div class="math">%s</div><div class="marks">%s</div></div><ul class="cards">%s</ul>'
                '<p><a href="notation.html">Notation</a> says how the rules are read, <a href="rules.html">All rules</a> has them on one page, '
                '<a href="book.html">the book</a> has everything on one page, to print.</p>' % (pages.markdown(lead, lambda n: None), len(self.traced),
                                                example.forms[0].html, self.tag('AE-Proj', ''), ''.join(cards)))
        self.frame.page('index.html', 'The reference', body, 'index.html')

    def book(self):
        """All sections on one page, to print."""
        out = ['<h1>Calque %s: the semantics</h1><p class="where">Commit %s.</p>' % (self.f.version, self.commit)]
        for s in self.sections:
            text = self.parts(s, False)
            text = re.sub(r'href="#def-', 'href="%s.html#def-' % s.id, text)
            out.append('<section class="chapter"><h1>%d %s</h1><div class="intro">%s</div>%s</section>' % (self.number[s.id], s.title, self.intro(s), text))
        rows = ''.join('<tr><th scope="row">%s</th><td>%s</td></tr>' % (o.name, formula(o.meaning)) for o in self.f.operators)
        out.append('<section class="chapter"><h1>%d Operators</h1><table class="places"><tbody>%s</tbody></table></section>' % (len(self.sections) + 1, rows))
        table = ''.join('<tr><th scope="row">%s</th><td>%s</td></tr>' % row for row in self.errata_rows)
        out.append('<section class="chapter"><h1>%d Errata of the thesis</h1><table class="places"><tbody>%s</tbody></table></section>' % (len(self.sections) + 2, table))
        names = ''.join('<h2>%s</h2><ul class="names">%s</ul>' % (GROUP_TITLES.get(g, g), ''.join(
            self.theorem_line(t, '') for t in self.f.theorems.values() if t.group == g)) for g in self.f.groups)
        out.append('<section class="chapter"><h1>%d Theorems</h1>%s</section>' % (len(self.sections) + 3, names))
        self.frame.page('book.html', 'The book', ''.join(out), '')

    def source_page(self, path):
        top = '../' * (path.count('/') + 1)
        lines = pages.colour(facts.read(self.root, path), path).split('\n')
        rows = ''.join('<span class="row" id="L%d" data-n="%d">%s\n</span>' % (n, n, l) for n, l in enumerate(lines, 1))
        self.frame.page('src/%s.html' % path, path, '<h1 class="path">%s</h1><pre class="code whole">%s</pre>' % (html.escape(path), rows), '', wide=True)


def formula(text):
    """The words of an operator's meaning, products as dots, sums and roots by their signs."""
    text = html.escape(text, quote=False)
    text = re.sub(r'\bsum\(([a-z,.]+)\)', r'<span class="big">Σ</span><sub>\1</sub>', text)
    text = text.replace(' * ', ' · ').replace(' - ', ' − ').replace('sqrt(', '√(').replace('..', '…')
    text = re.sub(r'\b([A-Z])(?=\b|\[)', r'<span class="v">\1</span>', text)
    return re.sub(r'\b(alpha|beta|gamma)\b', lambda m: {'alpha': 'α', 'beta': 'β', 'gamma': 'γ'}[m.group()], text)


def decimal(text):
    """A kernel with its literals in the shortest decimal that is the same binary32."""
    def short(m):
        x = struct.pack('f', float.fromhex(m.group()))
        return next(d for d in ('%.*g' % (n, struct.unpack('f', x)[0]) for n in range(1, 10)) if struct.pack('f', float(d)) == x)
    return re.sub(r'0x1?\.?[0-9a-f]*p[-+]\d+|0x0p\+0', short, text)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    root, out, commit, calque = sys.argv[1:]
    ask = lambda *args: subprocess.run([calque, *args], stdout=subprocess.PIPE, check=True, encoding='utf-8').stdout
    kernels = ask('dump', os.path.join(HERE, 'operators.graph'), '--stage=kernel')
    n = Site(root, out, commit, json.loads(ask('ops', '--json')), kernels, json.loads(ask('profile', '--json'))['requirements']).build()
    print('%s: %d pages' % (os.path.join(out, 'index.html'), n))


if __name__ == '__main__':
    main()
