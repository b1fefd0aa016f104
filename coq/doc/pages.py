"""The frame of every page, and the pieces that pages share: prose, sources with colours, statements."""
import html
import re

import facts

COQ_WORDS = ('Inductive Definition Fixpoint Lemma Theorem Corollary Example Proof Qed Defined Section End Variable Hypothesis Context '
             'Notation Record Arguments Import Export From Require Open Scope Module match with end fun forall exists let in if then else '
             'Prop Set Type struct fix as return').split()
C_WORDS = ('static const unsigned signed int char void struct enum union return if else for while do switch case break continue goto '
           'default sizeof typedef extern inline bool true false NULL size_t uint32_t int64_t uint64_t uint8_t int32_t double float long short').split()

def language(words):
    return re.compile(r'(?P<comment>\(\*.*?\*\)|/\*.*?\*/|//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")|\b(?:%s)\b(?!\')' % '|'.join(words), re.S)


COQ, C = language(COQ_WORDS), language(C_WORDS)


def colour(text, path):
    """Source text as HTML: comments, strings and key words in their colours. Nested comments of Coq end at the first end."""
    def part(m):
        if m.lastgroup == 'comment':
            return '\n'.join('<span class="k-c">%s</span>' % l if l else '' for l in m.group().split('\n'))
        return '<span class="%s">%s</span>' % ('k-s' if m.lastgroup else 'k-w', m.group())
    return (COQ if path.endswith('.v') else C).sub(part, html.escape(text, quote=False))


def prose(text, link=lambda n: None):
    """A comment of Coq as paragraphs: [code], bullets as they stand."""
    out = []
    for block in re.split(r'\n\s*\n', text.strip()):
        if re.search(r'^\s{6,}\S', block, re.M) and re.search(r'\b[A-Z]{2}-', block):
            out.append('<pre class="plain">%s</pre>' % html.escape(re.sub(r'^ {4}', '', block, flags=re.M)))
        else:
            out.append('<p>%s</p>' % facts.gallina_text(re.sub(r'\s+', ' ', block), link))
    return ''.join(out)


PRETTY = [('forall ', '∀ '), ('exists ', '∃ '), ('<->', '↔'), ('->', '→'), ('=>', '⇒'), ('/\\', '∧'), ('\\/', '∨'), ('<>', '≠'), ('fun ', 'λ '), ('~ ', '¬ '),
          (' <= ', ' ≤ '), (' >= ', ' ≥ '), ('rho', 'ρ')]


def statement(text, link):
    """A statement as Coq prints it, its signs as mathematics; [link] gives the address of a name or None."""
    for a, b in PRETTY:
        text = re.sub(r'(?<![\w])%s' % re.escape(a) if a[0].isalpha() else re.escape(a), b, text)

    def word(m):
        to = link(m.group())
        return '<a href="%s">%s</a>' % (to, m.group()) if to else m.group()
    return re.sub(r"[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*", word, html.escape(text, quote=False).replace('&lt;', '‹').replace('&gt;', '›').replace('&amp;', '⅋')) \
        .replace('‹', '&lt;').replace('›', '&gt;').replace('⅋', '&amp;')


def markdown(text, link):
    """A line of Markdown: code, with links for the names that have a page."""
    def code(m):
        to = link(m.group(1))
        inner = '<code>%s</code>' % html.escape(m.group(1))
        return '<a href="%s">%s</a>' % (to, inner) if to else inner
    return ''.join(code(re.match(r'`([^`]*)`', p)) if p.startswith('`') else html.escape(p, quote=False) for p in re.split(r'(`[^`]*`)', text))


class Frame:
    """Writes pages: head, navigation, foot with version and commit."""

    def __init__(self, out, version, commit, contents):
        self.out, self.version, self.commit, self.contents = out, version, commit, contents
        self.written = []

    def page(self, path, title, body, here='', wide=False):
        import os
        top = '../' * path.count('/')
        links = []
        for number, address, text in self.contents:
            current = ' aria-current="page"' if address == here else ''
            mark = '<span class="n">%s</span>' % number if number else '<span class="n"></span>'
            links.append('<li><a href="%s%s"%s>%s%s</a></li>' % (top, address, current, mark, html.escape(text)))
        text = TEMPLATE.format(title=html.escape(title), top=top, nav=''.join(links), body=body, version=self.version, commit=self.commit,
                               wide=' class="wide"' if wide else '')
        name = os.path.join(self.out, path)
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, 'w', encoding='utf-8') as f:
            f.write(text)
        self.written.append(path)


TEMPLATE = '''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} – Calque {version}</title>
<link rel="stylesheet" href="{top}site.css">
<script src="{top}search-index.js" defer></script>
<script src="{top}search.js" defer></script>
</head>
<body data-top="{top}">
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="{top}index.html">Calque <small>{version}</small></a>
<div class="search" role="search"><input id="q" type="search" placeholder="Search rules, theorems, operators" aria-label="Search" autocomplete="off"><div id="found" role="listbox" hidden></div></div>
<input type="checkbox" id="menu" aria-label="Show the contents"><label for="menu" aria-hidden="true"><span>Contents</span></label>
<nav aria-label="Contents"><ul>{nav}</ul></nav>
</header>
<main id="main"{wide}>
{body}
<footer>Calque {version}, commit {commit}. Generated from the Coq sources. <a href="{top}cite.html">How to cite</a></footer>
</main>
</body>
</html>
'''
