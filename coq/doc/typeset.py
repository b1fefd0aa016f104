"""Terms of Gallina as mathematics in HTML: Unicode and a few classes, no scripts.

A template of a name is (number of arguments, text, precedence): {0} stands for an argument, in parentheses where it
is looser than the text needs; {0!} for one that stands alone, so that it never needs any; {0:0 1 2} for a list whose
components, if it is written out, are joined by what follows the colon. Arguments beyond the number are applied; one
that is missing is shown as a dot.
"""
import html
import re
from collections import namedtuple

LOOSE, ARROW, REL, CONS, SUM, PROD, APP, ATOM = 0, 1, 30, 40, 50, 60, 90, 100
GREEK = {'rho': 'ρ', 'sigma': 'σ', 'alpha': 'α', 'beta': 'β', 'gamma': 'γ', 'delta': 'δ'}
SYMBOLS = {'->': '→', '<->': '↔', '\\/': '∨', '/\\': '∧', '<>': '≠', '<=': '≤', '>=': '≥', '=?': '=', '<=?': '≤', '<?': '<', '::': '∷',
           '++': '⧺', '*': '·', '&&': '∧', '||': '∨', '/': '÷', '-': '−', '<': '<', '>': '>', 'mod': 'mod', '=': '=', '+': '+', '^': '^'}
LEVEL = {'->': 1, '<->': 5, '\\/': 15, '/\\': 20, '::': 40, '++': 40, '+': 50, '-': 50, '||': 25, '&&': 26, '*': 60, '/': 60, 'mod': 60, '^': 70}

# Names that are written the same in every room.
COMMON = {
    'Some': (1, '⌊{0!}⌋', ATOM), 'None': (0, '⊥', ATOM), 'true': (0, 'true', ATOM), 'false': (0, 'false', ATOM),
    'True': (0, 'true', ATOM), 'False': (0, 'false', ATOM), 'nat': (0, 'ℕ', ATOM), 'Z': (0, 'ℤ', ATOM),
    'look_up': (3, '{1}({2!})', ATOM), 'nth_error': (2, '{0}[{1!}]', ATOM), 'In': (2, '{0} ∈ {1}', REL), 'length': (1, '|{0!}|', ATOM), 'List.length': (1, '|{0!}|', ATOM),
    'negb': (1, '¬{0}', APP), 'fst': (1, '{0}.1', ATOM), 'snd': (1, '{0}.2', ATOM), 'S': lambda a: (1, '{0} + 1', SUM) if a else None,
    'O': (0, '0', ATOM), 'seq': lambda a: (2, '[0, {1!})', ATOM) if a[:1] == [('num', '0')] else None,
    'app': (2, '{0} ⧺ {1}', CONS), 'not': (1, '¬{0}', APP),
    'Z.of_nat': (1, '{0}', None), 'Z.to_nat': (1, '{0}', None), 'N.to_nat': (1, '{0}', None), 'Zpos': (1, '{0}', None),
    'Nat.eqb': (2, '{0} = {1}', REL), 'String.eqb': (2, '{0} = {1}', REL)}


def name(text):
    """A variable: Greek, digits at the end as an index, primes."""
    text = text.split('.')[-1]
    primes = len(text) - len(text.rstrip("'"))
    text = text.rstrip("'")
    m = re.fullmatch(r'([A-Za-z_]*[A-Za-z])(\d+)', text)
    base, index = (m.group(1), '<sub>%s</sub>' % m.group(2)) if m else (text, '')
    return html.escape(GREEK.get(base, base)).replace('_', '<span class="u">_</span>') + index + '′' * primes


class Setter:
    """Sets terms with the templates of a room; [links] gives the address of a name, or None."""

    def __init__(self, templates, links=lambda n: None):
        self.templates = dict(COMMON, **templates)
        self.links = links
        self.index = 'k'

    def rule(self, kind):
        """A constructor's type as premises and conclusion; the index of lists is a name that it does not have."""
        self.index = next(n for n in 'kjih' if n not in names(kind))
        premises, conclusion = rule(kind)
        return [self.set(p) for p in premises], self.set(conclusion)

    def ident(self, n, head=False):
        last = n.split('.')[-1]
        base = re.sub(r"[\d']", '', last)
        if base[0].isupper() and len(base) > 1:
            kind, text = 'c', html.escape(last).replace('_', '<span class="u">_</span>')
        elif head and len(base) > 1 and base not in GREEK:
            kind, text = 'f', name(last)
        else:
            kind, text = 'v', name(last)
        to = self.links(n)
        return '<a class="%s" href="%s">%s</a>' % (kind, html.escape(to), text) if to else '<span class="%s">%s</span>' % (kind, text)

    def set(self, t, least=LOOSE):
        text, level = self.put(t)
        return text if level >= least else '(' + text + ')'

    def put(self, t):
        """The text of a term, and how tightly it holds together."""
        return getattr(self, 'put_' + t[0])(t)

    def put_id(self, t):
        return self.applied(t[1], []) if t[1] in self.templates else (self.ident(t[1]), ATOM)

    def put_num(self, t):
        return re.sub(r'[a-z]$', '', t[1]), ATOM

    def put_str(self, t):
        return '<span class="s">%s</span>' % html.escape('“' + t[1][1:-1] + '”'), ATOM

    def put_hole(self, t):
        return '<span class="v">_</span>', ATOM

    def put_rel(self, t):
        return t[1], ATOM

    def put_tuple(self, t):
        return '(' + ', '.join(self.set(x) for x in t[1]) + ')', ATOM

    def put_alternatives(self, t):
        return ' | '.join(self.set(x, REL) for x in t[1]), LOOSE

    def put_list(self, t):
        return '[' + ', '.join(self.set(x) for x in t[1]) + ']', ATOM

    def put_op(self, t):
        _, op, a, b = t
        level = LEVEL.get(op, REL)
        right = level if op in ('->', '::', '++', '/\\', '\\/') else level + 1
        left = level + 1 if op in ('->', '::', '++', '/\\', '\\/') else level
        return '%s <span class="o">%s</span> %s' % (self.set(a, left), html.escape(SYMBOLS[op]), self.set(b, right)), level

    def put_chain(self, t):
        text = self.set(t[1][0], 31)
        for op, x in zip(t[2], t[1][1:]):
            text += ' %s %s' % (html.escape(SYMBOLS[op]), self.set(x, 31))
        return text, REL

    def put_pre(self, t):
        if t[1] == '#':
            return self.set(t[2], APP), APP
        return ('¬' if t[1] == '~' else '−') + self.set(t[2], PROD), PROD

    def binder_names(self, binders):
        return ' '.join(self.set(b, ATOM) for b, _ in binders)

    def put_fun(self, t):
        return 'λ%s. %s' % (self.binder_names(t[1]), self.set(t[2])), LOOSE

    def put_fix(self, t):
        return 'fix %s(%s). %s' % (self.ident(t[1]), ', '.join(self.set(b) for b, _ in t[2]), self.set(t[3])), LOOSE

    def put_all(self, t):
        return '%s%s. %s' % ('∀' if t[1] == 'forall' else '∃', self.binder_names(t[2]), self.set(t[3])), LOOSE

    def put_let(self, t):
        value, binders = t[2], ''
        if value[0] == 'fun' and t[1][0] == 'id':
            binders, value = '(%s)' % ', '.join(self.set(b) for b, _ in value[1]), value[2]
        return ('<span class="lets"><span><b>let</b> %s%s = %s <b>in</b></span> <span>%s</span></span>'
                % (self.set(t[1]), binders, self.block(value), self.block(t[3])), LOOSE)

    def put_if(self, t):
        return '<b>if</b> %s <b>then</b> %s <b>else</b> %s' % tuple(self.set(x) for x in t[1:]), LOOSE

    def block(self, t):
        """A right side: what it distinguishes as cases."""
        if t[0] == 'if':
            rows, last = [(self.block(t[2]), 'if ' + self.set(t[1]))], t[3]
            while last[0] == 'if':
                rows.append((self.block(last[2]), 'if ' + self.set(last[1])))
                last = last[3]
            return self.cases(rows + [(self.block(last), 'otherwise')])
        return self.put_let(t)[0] if t[0] == 'let' else self.set(t)

    def put_match(self, t):
        rows = []
        for b in t[2]:
            holes = [all(p[0] == 'hole' for p in row) for row in b.patterns]
            when = 'otherwise' if all(holes) else ' or '.join(
                ', '.join('%s is %s' % (self.set(s, REL), self.set(p, REL)) for s, p in zip(t[1], row) if p[0] != 'hole')
                for row in b.patterns)
            if not all(holes) and not when.startswith('otherwise'):
                when = 'if ' + when
            rows.append((self.block(b.body), when))
        return self.cases(rows), LOOSE

    def cases(self, rows):
        return '<span class="cases">%s</span>' % ''.join(
            '<span class="case"><span>%s</span> <span class="when">%s</span></span>' % r for r in rows)

    # Bounded quantifiers of lists.
    def over(self, quantifier, f, l):
        if f[0] == 'fun' and len(f[1]) == 1:
            return '%s%s ∈ %s. %s' % (quantifier, self.set(f[1][0][0], ATOM), self.set(l, REL), self.set(f[2])), LOOSE
        x = ('id', 'x')
        return '%s%s ∈ %s. %s' % (quantifier, self.set(x), self.set(l, REL), self.set(apply(f, [x]))), LOOSE

    def put_app(self, t):
        _, f, args = t
        if f[0] == 'id':
            return self.applied(f[1], args)
        if f[0] == 'app':
            return self.put(('app', f[1], f[2] + args))
        return '%s(%s)' % (self.set(f, ATOM), ', '.join(self.set(a) for a in args)), ATOM

    def applied(self, n, args):
        last = n.split('.')[-1]
        if last == 'Forall2' and len(args) == 3:
            return self.pointwise(args)
        if last in ('forallb', 'existsb', 'Forall', 'Exists') and len(args) == 2:
            return self.over('∀' if last.lower().startswith('forall') else '∃', args[0], args[1])
        if last in ('thread', 'collect') and len(args) == (4 if last == 'thread' else 5) and args[0][0] == 'fun':
            return self.along(args)
        if last == 'nth' and len(args) == 3:
            return '%s[%s]' % (self.set(args[1], ATOM), self.set(args[0])), ATOM
        t = self.templates.get(n)
        if callable(t):
            t = t(args)
        if t and not args and t[0] and n[0].isupper():  # a constructor as a function
            t = None
        if t:
            arity, text, level = t
            more, args = args[arity:], args[:arity]
            used = re.sub(r'\{(\d+)(!?)(?::([^}]*))?\}', lambda m: self.hole(args, m, level), text)
            if level is None:
                level = self.put(args[0])[1] if args else ATOM
            if more:
                return '%s(%s)' % (used if level == ATOM else '(' + used + ')', ', '.join(self.set(a) for a in more)), ATOM
            return used, level
        if not args:
            return self.ident(n), ATOM
        return '%s(%s)' % (self.ident(n, True), ', '.join(self.set(a) for a in args)), ATOM

    def hole(self, args, m, level):
        k = int(m.group(1))
        if k >= len(args):
            return '<span class="v">·</span>'
        if m.group(3) is not None:  # the components of a list
            if args[k][0] == 'list':
                return m.group(3).join(self.set(a) for a in args[k][1])
            return ', '.join('%s<sub>%d</sub>' % (self.set(args[k], ATOM), n) for n in (0, 1)) + ', …'
        if m.group(2):
            return self.set(args[k])
        return self.set(args[k], LOOSE if level is None else min(level + 1, ATOM))

    def along(self, args):
        """A relation along a list: the state threads through it, each element gives a result or none."""
        r, ends = args[0], ' ; '.join(self.set(x, REL) for x in args[-1:] + args[3:-1])
        return ('%s ⟶<sup>∗</sup> %s <span class="when">along %s ∈ %s, each step by</span> %s'
                % (self.set(args[1], REL), ends, self.set(r[1][1][0]), self.set(args[2], REL), self.set(r[2])), LOOSE)

    def pointwise(self, args):
        """Forall2 R l m: R of the k-th components, for all k."""
        r, l, m = args
        k = ('id', self.index)

        def component(x):
            if x[0] == 'app' and x[1] == ('id', 'seq') and x[2][0] == ('num', '0'):
                return k
            text, level = self.put(x)
            return ('rel', '%s<sub class="v">%s</sub>' % (text if level == ATOM else '(' + text + ')', self.index))
        below = ''
        for x in (l, m):
            if x[0] == 'app' and x[1] == ('id', 'seq') and x[2][0] == ('num', '0'):
                below = ' &lt; ' + self.set(x[2][1], REL)
        return '∀%s%s. %s' % (self.set(k), below, self.set(apply(r, [component(l), component(m)]))), LOOSE


def apply(f, args):
    if f[0] == 'fun' and len(f[1]) <= len(args) and all(b[0] == 'id' for b, _ in f[1]):
        n = len(f[1])
        body = replace(f[2], {b[1]: a for (b, _), a in zip(f[1], args)})
        return ('app', body, args[n:]) if args[n:] else body
    if f[0] == 'app':
        return ('app', f[1], f[2] + args)
    return ('app', f, args)


def names(t):
    """All names in a term."""
    if isinstance(t, tuple) and len(t) == 2 and t[0] == 'id':
        return {t[1]}
    return set().union(*[names(x) for x in t]) if isinstance(t, (tuple, list)) and t else set()


def bound_in(pattern):
    if pattern[0] == 'id':
        return {pattern[1]}
    found = set()
    for x in pattern[1:]:
        for y in (x if isinstance(x, list) else [x]):
            if isinstance(y, tuple):
                found |= bound_in(y)
    return found


def replace(t, by):
    """The term with variables replaced; no capture: what replaces is a name that the binders of the sources do not use."""
    if not by:
        return t
    form = t[0]
    if form == 'id':
        return by.get(t[1], t)
    if form in ('num', 'str', 'hole', 'rel'):
        return t
    if form in ('fun', 'all'):
        binders = t[1] if form == 'fun' else t[2]
        hidden = set().union(*[bound_in(b) for b, _ in binders]) if binders else set()
        rest = {n: x for n, x in by.items() if n not in hidden}
        return ('fun', binders, replace(t[2], rest)) if form == 'fun' else ('all', t[1], binders, replace(t[3], rest))
    if form == 'fix':
        rest = {n: x for n, x in by.items() if n not in {t[1]} | set().union(*[bound_in(b) for b, _ in t[2]])}
        return ('fix', t[1], t[2], replace(t[3], rest))
    if form == 'let':
        rest = {n: x for n, x in by.items() if n not in bound_in(t[1])}
        return ('let', t[1], replace(t[2], by), replace(t[3], rest))
    if form == 'match':
        branches = []
        for b in t[2]:
            hidden = set().union(*[bound_in(p) for row in b.patterns for p in row])
            branches.append(b._replace(body=replace(b.body, {n: x for n, x in by.items() if n not in hidden})))
        return ('match', [replace(x, by) for x in t[1]], branches)
    return tuple([replace(y, by) for y in x] if isinstance(x, list) and x and isinstance(x[0], tuple) else
                 replace(x, by) if isinstance(x, tuple) else x for x in t)


def rule(kind):
    """The premises and the conclusion of the type of a constructor; a conjunction is two premises."""
    premises = []
    while True:
        if kind[0] == 'all' and kind[1] == 'forall':
            kind = kind[3]
        elif kind[0] == 'op' and kind[1] == '->':
            todo = [kind[2]]
            while todo:
                p = todo.pop(0)
                if p[0] == 'op' and p[1] == '/\\':
                    todo = [p[2], p[3]] + todo
                else:
                    premises.append(p)
            kind = kind[3]
        else:
            return premises, kind


def matched(args, body, line):
    """A function's argument list and its body, which may begin with a match on variables of that list: (arguments, body, line,
    what is left) for each branch; the wildcards' values are what is left."""
    if body[0] != 'match' or any(x[0] != 'id' or x not in args for x in body[1]):
        return None
    rows, rest = [], None
    for b in body[2]:
        for row in b.patterns:
            if len(body[2]) > 1 and all(p[0] == 'hole' for p in row):
                rest = b.body
                continue
            by = dict(zip([x[1] for x in body[1]], row))
            put = [by[a[1]] if a[0] == 'id' and a[1] in by and by[a[1]][0] != 'hole' else a for a in args]
            rows.append((put, b.body, b.line))
    return rows, rest


def inner(body):
    """A body without what stands before its match: definitions, and conditions under which it is not looked at."""
    before = []
    while body[0] in ('let', 'if'):
        if body[0] == 'if' and body[3][0] not in ('let', 'if', 'match'):
            break
        before.append(body)
        body = body[3]
    return (body, before) if body[0] == 'match' else (None, [])


Equation = namedtuple('Equation', 'args body line rest')


def equations(function):
    """A function by its match: a list of equations for each branch of it, more than one where the branch matches again;
    and what stands before the match. None if it has no match on its arguments."""
    if function.body is None:
        return None
    body, before = inner(function.body)
    args = [b for b, _ in function.binders]
    outer = matched(args, body, function.line) if body else None
    if not outer:
        return None
    found = []
    for put, rhs, line in outer[0]:
        again = matched(put, rhs, line)
        if again and again[1] is not None:
            found.append([Equation(a, r, line, None) for a, r, _ in again[0]])
            found[-1][-1] = found[-1][-1]._replace(rest=again[1])
        else:
            found.append([Equation(put, rhs, line, None)])
    return found, before, outer[1]
