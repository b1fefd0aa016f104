"""Coq sources as the site needs them: tokens with their places, definitions and judgements, terms as trees.

A term is a tuple whose first component is its form:
  ('id', name) ('num', text) ('str', text) ('hole',)
  ('app', f, args) ('op', symbol, left, right) ('chain', terms, symbols) ('pre', symbol, term)
  ('fun', binders, body) ('all', quantifier, binders, body) ('let', pattern, value, body) ('if', c, t, e)
  ('match', terms, branches) ('tuple', terms) ('list', terms) ('fix', name, binders, body) ('rel', name)
A branch is a Branch. What the parser does not know raises Unread: the caller then shows the source as it stands.
"""
import re
from collections import namedtuple

Token = namedtuple('Token', 'kind text line start end')
Branch = namedtuple('Branch', 'patterns body line')
Constructor = namedtuple('Constructor', 'name type start line end comment')
Sentence = namedtuple('Sentence', 'tokens line end comment')
Function = namedtuple('Function', 'name kind binders body line end comment')
Judgement = namedtuple('Judgement', 'name params constructors line end comment')

TOKEN = re.compile(r'''(?P<space>\s+)|(?P<str>"[^"]*")|(?P<id>[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*)|(?P<num>\d+[a-z]?)
    |(?P<sym><->|->|=>|:=|::|\+\+|<=\?|<\?|=\?|<=|>=|<>|/\\|\\/|&&|\|\||\.\.|[-+*/%^~=<>|:;,.(){}\[\]\#@!&'?$`])''', re.X)


class Unread(Exception):
    pass


def tokenize(text):
    """The tokens of a file, comments too."""
    tokens, at, line = [], 0, 1
    while at < len(text):
        if text.startswith('(*', at):
            depth, end = 1, at + 2
            while depth:
                if text.startswith('(*', end):
                    depth, end = depth + 1, end + 2
                elif text.startswith('*)', end):
                    depth, end = depth - 1, end + 2
                else:
                    end += 1
            kind = 'comment'
        else:
            m = TOKEN.match(text, at)
            if not m:
                raise Unread('line %d: %r' % (line, text[at:at + 20]))
            end, kind = m.end(), m.lastgroup
        if kind != 'space':
            tokens.append(Token(kind, text[at:end], line, at, end))
        line += text.count('\n', at, end)
        at = end
    return tokens


def comment_text(token):
    return re.sub(r'\*\)$', '', re.sub(r'^\(\*+', '', token.text)).strip()


def sentences(text, tokens):
    """The sentences of a file, each with the comment that stands right before it."""
    found, current, comment, first = [], [], None, None
    for t in tokens:
        if t.kind == 'comment':
            if current:
                current.append(t)
            else:
                comment = t
            continue
        first = first or t
        current.append(t)
        after = text[t.end:t.end + 1]
        if t.text == '.' and (after == '' or after.isspace()):
            near = comment if comment and comment.text.startswith('(**') and text.count('\n', comment.end, first.start) == 1 else None
            found.append(Sentence(current, first.line, t.line, comment_text(near) if near else ''))
            current, comment, first = [], None, None
    return found


class Parser:
    """Terms by precedence; the numbers are 100 less those of Coq's levels."""
    INFIX = {'->': (1, 'r'), '<->': (5, 'n'), '\\/': (15, 'r'), '/\\': (20, 'r'), '=': (30, 'n'), '<>': (30, 'n'), '<': (30, 'c'),
             '<=': (30, 'c'), '>': (30, 'c'), '>=': (30, 'c'), '=?': (30, 'n'), '<=?': (30, 'n'), '<?': (30, 'n'), '::': (40, 'r'),
             '++': (40, 'r'), '+': (50, 'l'), '-': (50, 'l'), '||': (50, 'l'), '&&': (60, 'l'), '*': (60, 'l'), '/': (60, 'l'),
             'mod': (60, 'l'), '^': (70, 'r')}
    STOP = {'then', 'else', 'in', 'with', 'end', 'as', 'return', 'mod', 'at'}

    def __init__(self, tokens):
        self.t = [t for t in tokens if t.kind != 'comment']
        self.i = 0

    def peek(self, ahead=0):
        return self.t[self.i + ahead].text if self.i + ahead < len(self.t) else ''

    def next(self):
        if self.i >= len(self.t):
            raise Unread('the end')
        self.i += 1
        return self.t[self.i - 1]

    def want(self, text):
        t = self.next()
        if t.text != text:
            raise Unread('line %d: %r, not %r' % (t.line, t.text, text))
        return t

    def line(self):
        return self.t[min(self.i, len(self.t) - 1)].line

    def term(self, least=0):
        left = self.prefix()
        while True:
            op = self.peek()
            if op not in self.INFIX:
                return left
            level, side = self.INFIX[op]
            if level < least:
                return left
            self.next()
            right = self.term(level if side == 'r' else level + 1)
            if side == 'c' and self.peek() in self.INFIX and self.INFIX[self.peek()][1] == 'c':
                terms, ops = [left, right], [op]
                while self.peek() in self.INFIX and self.INFIX[self.peek()][1] == 'c':
                    ops.append(self.next().text)
                    terms.append(self.term(31))
                left = ('chain', terms, ops)
            else:
                left = ('op', op, left, right)

    def prefix(self):
        t = self.peek()
        if t in ('~', '-'):
            self.next()
            return ('pre', t, self.term(25 if t == '~' else 65))
        if t in ('forall', 'exists'):
            self.next()
            binders = self.binders(',')
            self.want(',')
            return ('all', t, binders, self.term())
        if t == 'fun':
            self.next()
            binders = self.binders('=>')
            self.want('=>')
            return ('fun', binders, self.term())
        if t == 'let':
            return self.let()
        if t == 'if':
            self.next()
            c = self.term()
            self.want('then')
            a = self.term()
            self.want('else')
            return ('if', c, a, self.term())
        return self.application()

    def let(self):
        self.next()
        if self.peek() == "'":
            self.next()
            pattern, binders = self.atom(), []
        elif self.peek() == '(':
            pattern, binders = self.atom(), []
        else:
            pattern, binders = ('id', self.next().text), self.binders(':=')
        if self.peek() == ':':
            self.next()
            self.term()
        self.want(':=')
        value = self.term()
        self.want('in')
        return ('let', pattern, ('fun', binders, value) if binders else value, self.term())

    def binders(self, stop):
        """Names, each with its type or None, up to the token [stop]."""
        found = []
        while self.peek() not in (stop, ':'):
            t = self.peek()
            if t == "'":
                self.next()
                found.append((self.atom(), None))
            elif t in '({':
                close = {'(': ')', '{': '}'}[self.next().text]
                if self.peek() == 'struct':
                    while self.next().text != close:
                        pass
                    continue
                names = []
                while self.peek() != ':' and self.peek() != close:
                    names.append(self.next().text)
                kind = None
                if self.peek() == ':':
                    self.next()
                    kind = self.term()
                    if self.peek() == ':=':
                        self.next()
                        self.term()
                self.want(close)
                found += [(('id', n), kind) for n in names] if t == '(' else []
            else:
                n = self.next()
                if n.kind != 'id':
                    raise Unread('line %d: binder %r' % (n.line, n.text))
                found.append((('id', n.text), None))
        if self.peek() == ':' and stop != ':=':
            self.next()
            kind = self.term()
            found = [(n, k or kind) for n, k in found]
        return found

    def application(self):
        f, args = self.atom(), []
        while self.starts():
            args.append(self.atom())
        return ('app', f, args) if args else f

    def starts(self):
        if self.i >= len(self.t):
            return False
        t = self.t[self.i]
        return (t.kind in ('id', 'num', 'str') and t.text not in self.STOP) or t.text in ('(', '[', '#', '@', 'match')

    def atom(self):
        t = self.next()
        if t.text == '@':
            a = self.atom()
        elif t.text == '#':
            a = ('pre', '#', self.atom())
        elif t.text == 'match':
            a = self.match()
        elif t.text == 'fix':
            name = self.next().text
            binders = self.binders(':=')
            self.want(':=')
            a = ('fix', name, binders, self.term())
        elif t.text == '(':
            terms = [self.term()]
            if self.peek() == ':':
                self.next()
                self.term()
            while self.peek() == ',':
                self.next()
                terms.append(self.term())
            if self.peek() == '|':  # alternatives of a pattern
                while self.peek() == '|':
                    self.next()
                    terms.append(self.term())
                self.want(')')
                return ('alternatives', terms)
            self.want(')')
            a = terms[0] if len(terms) == 1 else ('tuple', terms)
        elif t.text == '[':
            terms = []
            while self.peek() != ']':
                terms.append(self.term())
                if self.peek() == ';':
                    self.next()
            self.want(']')
            a = ('list', terms)
        elif t.text == '_':
            a = ('hole',)
        elif t.kind in ('id', 'num', 'str'):
            a = (t.kind, t.text)
        else:
            raise Unread('line %d: %r' % (t.line, t.text))
        while self.peek() == '%':
            self.next()
            self.next()
        return a

    def match(self):
        terms = [self.term()]
        while self.peek() == ',':
            self.next()
            terms.append(self.term())
        self.want('with')
        branches = []
        while self.peek() != 'end':
            if self.peek() == '|':
                self.next()
            line, patterns = self.line(), []
            while True:
                row = [self.term(2)]
                while self.peek() == ',':
                    self.next()
                    row.append(self.term(2))
                patterns.append(row)
                if self.peek() != '|':
                    break
                self.next()
            self.want('=>')
            branches.append(Branch(patterns, self.term(), line))
        self.want('end')
        return ('match', terms, branches)


def function_of(s):
    """The Definition or Fixpoint that a sentence is, or None."""
    words = [t for t in s.tokens if t.kind != 'comment']
    if words[0].text not in ('Definition', 'Fixpoint') or len(words) < 3:
        return None
    p = Parser(words[2:-1])
    try:
        binders = p.binders(':=')
        if p.peek() == ':':
            p.next()
            p.term()
        if p.peek() != ':=':
            return None
        p.next()
        body = p.term()
        if p.i != len(p.t):
            raise Unread('line %d: %r is left' % (p.line(), p.peek()))
    except Unread:
        body, binders = None, []
    return Function(words[1].text, words[0].text, binders, body, s.line, s.end, s.comment)


def judgement_of(s):
    """The inductive judgement (into Prop) that a sentence is, or None."""
    words = [t for t in s.tokens if t.kind != 'comment']
    if words[0].text != 'Inductive':
        return None
    start = next(i for i, t in enumerate(words) if t.text == ':=')
    if words[start - 1].text != 'Prop':
        return None
    p = Parser(words[2:start])
    params = p.binders(':=')
    bars, depth = [], 0
    for i, t in enumerate(words):
        if i > start:
            depth += (t.text in '([{' or t.text == 'match') - (t.text in ')]}' or t.text == 'end')
            if t.text == '|' and depth == 0:
                bars.append(i)
    ends = bars[1:] + [len(words) - 1]
    constructors = []
    for b, e in zip(bars, ends):
        part = words[b + 1:e]
        q = Parser(part[1:])
        binders = q.binders(':=')
        q.want(':')
        kind = q.term()
        if q.i != len(q.t):
            raise Unread('line %d: %r is left' % (q.line(), q.peek()))
        if binders:
            kind = ('all', 'forall', binders, kind)
        before = [t for t in s.tokens if t.kind == 'comment' and words[b - 1].end <= t.start < words[b].start and t.line > words[b - 1].line]
        inside = [t for t in s.tokens if t.kind == 'comment' and words[b].end < t.start < words[e].start and t.line <= part[-1].line]
        text = comment_text(before[-1]) if before else ' '.join(comment_text(t) for t in inside)
        constructors.append(Constructor(part[0].text, kind, before[-1].line if before else part[0].line, part[0].line, part[-1].line, text))
    return Judgement(words[1].text, params, constructors, s.line, s.end, s.comment)


class File:
    """A source file: its text, functions and judgements by name, in their order."""

    def __init__(self, path, text):
        self.path = path
        self.tokens, self.items = tokenize(text), []
        for s in sentences(text, self.tokens):
            item = function_of(s) or judgement_of(s)
            if item:
                self.items.append((item, s))

    def find(self, name):
        for item, s in self.items:
            if item.name == name:
                return item, s
        raise KeyError('%s: there is no %s' % (self.path, name))

    def head(self):
        """The comment that opens the file."""
        return comment_text(next(t for t in self.tokens if t.kind == 'comment'))
