"""The reference that `make doc` writes, page by page. check_site.py ROOT SITE

Every label of tests/trace.txt has its anchors, its page and a rule that says something; a rule has as many premises as its
constructor has in Coq; what a page says of a place is there; links and anchors within the site lead somewhere, tags are
balanced, identifiers are unique; each page says its version and commit. Prints what is wrong; exit status 1 if anything is."""
import json
import os
import re
import sys
from html.parser import HTMLParser

VOID = {'meta', 'link', 'input', 'br', 'img', 'hr'}


class Page(HTMLParser):
    """Identifiers, links, the balance of tags, and the text under each identifier."""

    def __init__(self, path, text):
        super().__init__(convert_charrefs=True)
        self.path, self.ids, self.links, self.wrong = path, {}, [], []
        self.open, self.named = [], []
        self.feed(text)
        self.close()
        self.ids = {name: ''.join(parts) for name, parts in self.ids.items()}
        self.foot = text[text.rfind('<footer>'):text.rfind('</footer>')]
        self.wrong += ['%s is not closed' % tag for tag, _ in self.open]
        if not re.match(r'<!DOCTYPE html>\n<html lang="en">', text):
            self.wrong.append('no document type or language')

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if 'id' in a:
            if a['id'] in self.ids:
                self.wrong.append('two elements are called %s' % a['id'])
            self.ids[a['id']] = []
        for name in ('href', 'src'):
            if name in a:
                self.links.append(a[name])
        if tag not in VOID:
            self.open.append((tag, a.get('id')))
            if 'id' in a:
                self.named.append(a['id'])

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append('%s ends where %s is open' % (tag, self.open[-1][0] if self.open else 'nothing'))
        while any(t == tag for t, _ in self.open):
            last, name = self.open.pop()
            if name:
                self.named.pop()
            if last == tag:
                break

    def handle_data(self, data):
        for name in self.named:
            self.ids[name].append(data)


class Source(Page):
    """A page with a source, of many thousand lines: the same by one regular expression; no attribute has a >."""

    def feed(self, text):
        for end, tag, rest in re.findall(r'<(/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>', text):
            if end:
                self.handle_endtag(tag)
            else:
                self.handle_starttag(tag, re.findall(r' ([a-z-]+)="([^"]*)"', rest))
        if text.count('<') != len(re.findall(r'<(?:/?[a-z]|!DOCTYPE)', text)):
            self.wrong.append('a < that is none')


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


def premises_in_coq(text):
    """The arrows of a constructor's type outside of brackets, and the conjunctions among its premises."""
    text = re.sub(r'\(\*.*?\*\)', ' ', text, flags=re.S)
    depth, n, conjunctions = 0, 0, 0
    for t in re.findall(r'[(){}\[\]]|->|/\\|\bfun\b', text):
        depth += (t in '([{') - (t in ')]}')
        if depth == 0 and t == '->':
            n += 1
        elif depth == 0 and t == '/\\':
            conjunctions += 1
    return n + conjunctions


def check(root, site):
    wrong, pages = [], {}
    for folder, _, names in sorted(os.walk(site)):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), site)
            if name.endswith('.html'):
                pages[path] = (Source if path.startswith('src/') else Page)(path, read(site, path))
    files = {os.path.relpath(os.path.join(f, n), site) for f, _, ns in os.walk(site) for n in ns}
    version = re.search(r'CALQUE_VERSION "(.*)"', read(root, 'c/cli/cli.h')).group(1)

    def leads(page, link):
        path, _, anchor = link.partition('#')
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if target not in files:
            return '%s is not there' % link
        if anchor and anchor not in pages[target].ids:
            return '%s has no such anchor' % link
        return None

    links = 0
    for path, page in pages.items():
        wrong += ['%s: %s' % (path, w) for w in page.wrong]
        for link in page.links:
            if re.match(r'[a-z]+:', link):
                wrong.append('%s: a link to elsewhere, %s' % (path, link))
            else:
                links += 1
                bad = leads(path, link)
                wrong += ['%s: %s' % (path, bad)] if bad else []
        if not re.search(r'Calque %s, commit [0-9a-z][\w.-]+\.' % re.escape(version), page.foot):
            wrong.append('%s: the foot is "%s"' % (path, page.foot))

    labels = [l.split()[0] for l in read(root, 'tests/trace.txt').split('\n') if l and l[0] != '#']
    rules, drawn, places = read(site, 'rules.html'), 0, 0
    for label in labels:
        own = 'rule/%s.html' % label
        if own not in pages:
            wrong.append('%s has no page' % label)
            continue
        text = read(site, own)
        home = re.search(r'class="kicker"><a href="\.\./(\w+\.html)">', text).group(1)
        for page in ('rules.html', home, own):
            if label not in pages[page].ids:
                wrong.append('%s has no anchor %s' % (page, label))
        if len(pages['rules.html'].ids.get(label, '').replace(label, '').strip()) < 3:
            wrong.append('%s is empty' % label)
        # The rule as it is drawn, and in Coq.
        shown = re.findall(r'<div class="infer[^"]*"><div class="premises">(.*?)</div><div class="conclusion">(.*?)</div></div>', text)
        first, last = re.search(r'<pre class="code"><span class="row" data-n="(\d+)">', text), re.search(r'href="\.\./src/coq/(.*?)\.html#L(\d+)"', text)
        if shown:
            drawn += 1
            lines = read(root, 'coq', last.group(1)).split('\n')
            source = '\n'.join(lines[int(last.group(2)) - 1:])
            source = re.split(r'\n *(?:\||\(\*\*)|\.\n', source)[0]
            got, want = len(re.findall(r'(?:^|</span>)<span>', shown[0][0])), premises_in_coq(source.split(':', 1)[1])
            if not re.match(r'\s*\| *%s\b' % label.replace('-', '_'), source):
                wrong.append('%s: the source begins with %s' % (label, source[:40]))
            if got != want:
                wrong.append('%s has %d premises, in Coq %d' % (label, got, want))
            if len(re.sub(r'<[^>]*>', '', shown[0][1]).strip()) < 3:
                wrong.append('%s has no conclusion' % label)
        elif not re.search(r'class="rhs">\s*\S', text):
            wrong.append('%s is neither a rule nor an equation' % label)
        if first is None or 'No such' in text:
            wrong.append('%s shows no source' % label)
        if not re.search(r'<th scope="row">Theorems</th>', text):
            wrong.append('%s has no theorem' % label)
        # What it says of other floors is there.
        for path, line in re.findall(r'href="\.\./src/((?:c|acsl|tests)/.*?)\.html#L(\d+)"', text):
            said = read(root, path).split('\n')[int(line) - 1]
            if label in said or label.replace('-', '_') in said:
                places += 1
            elif not re.search(r'class="more"', text):
                wrong.append('%s: %s:%s is "%s"' % (label, path, line, said.strip()))
    if set(re.findall(r'<div class="shown [a-z]*" id="([^"]*)">', rules)) != set(labels):
        wrong.append('rules.html has not the labels of tests/trace.txt')

    # The theorems, each with its statement; the errata; the operators; the index.
    golden = [n for n in re.findall(r'^(\S+)\n     : ', read(root, 'tests/coq/theorems.golden'), re.M)]
    there = {i: p for p in pages if p.startswith('theorems/') for i, t in pages[p].ids.items() if len(t) > len(i) + 5}
    wrong += ['no statement of %s' % n for n in golden if n.split('.')[-1] not in there]
    errata = re.findall(r'^\| (4[AB]\.\d+) \|', read(root, 'coq/ERRATA.md'), re.M)
    wrong += ['erratum %s is missing' % e for e in errata if e not in pages['errata.html'].ids]
    operators = re.findall(r'^ *\[?\("(\w+)", ', read(root, 'coq/tensor/OpTable.v'), re.M)
    wrong += ['operator %s is missing' % o for o in operators if o not in pages['operators.html'].ids]
    requirements = re.findall(r'^PROFILE\("[A-Z0-9-]+", (\w+),', read(root, 'c/onnx/profile.def'), re.M)
    wrong += ['requirement %s is missing' % r for r in requirements if r not in pages['profile.html'].ids]
    if len(requirements) < 40:
        wrong.append('only %d requirements of the profile' % len(requirements))
    kernels = [t for t in re.findall(r'<section class="operator" id="(\w+)">(.*?)</section>', read(site, 'operators.html'), re.S) if 'Y0&lt;' in t[1]]
    if len(kernels) < len(operators) - 9:
        wrong.append('only %d operators have a kernel' % len(kernels))
    index = json.loads(re.sub(r'^window\.CALQUE_INDEX = |;\s*$', '', read(site, 'search-index.js')))
    for entry in index:
        bad = leads('index.html', entry[2])
        wrong += ['the index: %s' % bad] if bad else []
    names = {e[0] for e in index}
    wrong += ['the index has not %s' % n for n in labels + errata + operators if n not in names]
    counts = '%d pages, %d links, %d labels, %d of them drawn as rules, %d places, %d theorems, %d errata, %d operators' % (
        len(pages), links, len(labels), drawn, places, len(golden), len(errata), len(operators))
    if min(len(labels), drawn, places, len(golden), len(errata), len(operators)) < 20:
        wrong.append('too little: ' + counts)
    return wrong, counts


if __name__ == '__main__':
    wrong, counts = check(*sys.argv[1:])
    print('\n'.join(wrong[:200] + [counts]))
    sys.exit(1 if wrong else 0)
