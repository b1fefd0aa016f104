"""The units of proof: what is proved of each function and lemma, and what that rests on.

A unit is a function with its contract, or a lemma. Its key is the hash of its slice: its own text, the contracts of the functions
it calls, and the types, macros, predicates, logic functions and axioms that these name, and so on. Bodies of other functions and
lemmas are not in it (they have units of their own), nor is the file it stands in, nor are the names of functions: a unit can move and
be renamed. Two units with one key claim the same.
"""
import functools
import hashlib
import re
import subprocess

WORD = re.compile(r'(?:(?:->|\.)\s*|\b(struct|union|enum)\s+)?\b([A-Za-z_]\w*)\b(\s*\()?')
LOGIC = re.compile(r'(axiomatic|predicate|logic|lemma|inductive|type|axiom)\b')
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[^/"\']+|.', re.S)


@functools.lru_cache(None)
def words(text, calls=False):
    """What the text names: tags as `struct t`, if it is a body functions as `f(`; no fields."""
    out = set()
    for m in WORD.finditer(text):
        if m.group(1):
            out.add('struct ' + m.group(2))
        elif text[m.start()] in '.-':
            continue
        else:
            out.add(m.group(2))
            if calls and m.group(3):
                out.add(m.group(2) + '(')
    return frozenset(out)


def normal(text):
    """The text without plain comments, white space as one space."""
    out = []
    for token in TOKEN.findall(text):
        if token.startswith('/*') or token.startswith('//'):
            if token[2:3] == '@':
                body = re.sub(r'//[^\n]*', ' ', token[3:-2] if token[1] == '*' else token[3:])
                out.append(' /*@ ' + body + ' */ ')
            else:
                out.append(' ')
        else:
            out.append(token)
    return ' '.join(''.join(out).split())


class Chunk:
    """One declaration: `names` it defines, `text`; of a function: `name`, `head` (contract and prototype) and, if defined here, `body`."""

    def __init__(self, text, names, kind, name=None, head=None, body=None, where=None):
        self.text, self.names, self.kind, self.name = text, names, kind, name
        self.head, self.body, self.where = head, body, where
        if kind == 'c':  # fields and constants are no names of other declarations
            text = re.sub(r'\b\w+\s*(?=[;,\[}=])', ' ', text)
        self.words = words(head if head is not None else text, kind == 'macro')
        self.body_words = words(body, True) if body else frozenset()


@functools.lru_cache(None)
def logic_items(text):
    """The items of a logic annotation: (text, names defined, kind)."""
    text = re.sub(r'//[^\n]*', ' ', text)
    at, items = 0, []
    while True:
        m = LOGIC.search(text, at)
        if not m:
            return tuple(items)
        k, depth, braced, binders = m.end(), 0, m.group(1) in ('axiomatic', 'inductive'), 0
        while k < len(text):
            c = text[k]
            if c == '\\' and depth == 0:
                binders += text.startswith(('\\forall', '\\exists', '\\let', '\\lambda'), k)
            elif c in '{[(':
                depth += 1
            elif c in '}])':
                depth -= 1
                if braced and c == '}' and depth == 0:
                    k += 1
                    break
            elif c == ';' and depth == 0 and not braced:
                if binders == 0:
                    k += 1
                    break
                binders -= 1
            k += 1
        item = ' '.join(text[m.start():k].split())
        items.append((item, defined(item, m.group(1)), m.group(1)))
        at = k


def head_name(item):
    """The name that `predicate p{L}(..)`, `logic int f(..)`, `type t`, `lemma l:` or `inductive i(..)` defines."""
    m = re.match(r'(?:predicate|inductive|lemma|axiom|type)\s+(\w+)', item)
    if m:
        return m.group(1)
    m = re.match(r'logic\b[^={(;]*?(\w+)\s*(?:\{[^}]*\})?\s*[(=;]', item)
    return m.group(1) if m else None


def defined(item, kind):
    if kind == 'lemma':
        return ()
    if kind == 'axiomatic':
        inner = item[item.index('{') + 1:item.rindex('}')]
        return tuple(n for _, names, k in logic_items(inner) for n in names if k != 'axiom')
    name = head_name(item)
    return (name,) if name else ()


def c_names(text):
    """The names that a C declaration (no function) defines."""
    names = ['struct ' + n for n in re.findall(r'\b(?:struct|union|enum)\s+(\w+)\s*\{', text)]
    if re.match(r'(?:struct|union|enum)\s+\w+\s*;$', text):
        return ()
    for body in re.findall(r'\benum\b\s*\w*\s*\{([^}]*)\}', text):
        names += re.findall(r'(?:^|,)\s*(\w+)', body)
    flat = re.sub(r'\{.*\}', ' ', text, flags=re.S)
    m = re.search(r'(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=.*)?;\s*$', flat)
    if m and not re.match(r'(?:struct|union|enum)\s*\w*\s*;$', flat):
        names.append(m.group(1))
    return tuple(names)


def chunks_of(text):
    """The declarations of a preprocessed file (gcc -E -CC -dD) that stand in our own files."""
    out, ours, where = [], False, None
    contract, buf, depth = '', [], 0

    def flush():
        nonlocal contract, buf
        raw = ' '.join(''.join(buf).split())
        held, buf[:], = contract, []
        contract = ''
        if not raw or raw == ';':
            return
        brace, paren = raw.find('{'), raw.find('(')
        plain = re.sub(r'/\*@.*?\*/', ' ', raw)
        is_function = paren >= 0 and (brace < 0 or paren < brace) and not raw.startswith('typedef') \
            and not re.match(r'[^({]*=', plain)
        if is_function:
            name = re.search(r'(\w+)\s*\(', raw).group(1)
            proto = ' '.join((raw[:brace] if brace >= 0 else raw.rstrip(';')).split())
            head = (held + ' ' + proto).strip()
            out.append(Chunk(raw, (name + '(',), 'function', name, head, raw[brace:] if brace >= 0 else None, where))
            out[-1].contract = held
        else:
            out.append(Chunk(raw, c_names(raw), 'c', where=where))

    for line_token in split_tokens(text):
        kind, value = line_token
        if kind == 'line':
            where = value
            ours = value.startswith(('c/', 'acsl/')) or '/gen/' in value or value.startswith('/tmp/')
            continue
        if not ours:
            continue
        if kind == 'define':
            m = re.match(r'#define\s+(\w+)', value)
            out.append(Chunk(normal(value), (m.group(1),), 'macro', where=where))
        elif kind == 'annotation' and depth == 0:
            body = value[3:-2] if value.startswith('/*') else value[3:]
            stripped = re.sub(r'^(\s|//[^\n]*)+', '', body)
            if LOGIC.match(stripped):
                for item, names, k in logic_items(body):
                    out.append(Chunk(item, names, k, head_name(item) if k == 'lemma' else None, where=where))
            elif stripped.startswith('ghost'):  # a lemma as a function
                inner = stripped[5:].replace('/@', '/*@').replace('@/', '*/')
                out += chunks_of('# 1 "%s"\n%s\n' % (where, inner))
            else:
                contract += ' ' + normal(value)
        elif kind == 'annotation':
            buf.append(' ' + normal(value) + ' ')
        else:
            for piece in re.findall(r'[{};]|[^{};]+', value):
                buf.append(piece)
                if piece == '{':
                    depth += 1
                elif piece == '}':
                    depth -= 1
                    if depth == 0:
                        head = ''.join(buf)
                        first = head[:head.find('{')]
                        if '(' in first and '=' not in re.sub(r'/\*@.*?\*/', ' ', first) and not first.lstrip().startswith('typedef'):
                            flush()
                elif piece == ';' and depth == 0:
                    flush()
    return out


def split_tokens(text):
    """(kind, value) of preprocessed text: line markers, #defines, annotations, code; plain comments are dropped."""
    for m in re.finditer(r'^# \d+ "([^"]*)"[^\n]*$|^(#define[^\n]*(?:/\*(?:[^*]|\*(?!/))*\*/[^\n]*)?)$|^#[^\n]*$|(/\*@.*?\*/|//@[^\n]*)|/\*.*?\*/|//[^\n]*'
                         r'|("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|([^#/"\']+|.)', text, re.S | re.M):
        if m.group(1) is not None:
            yield 'line', m.group(1)
        elif m.group(2):
            yield 'define', m.group(2)
        elif m.group(3):
            yield 'annotation', m.group(3)
        elif m.group(4) or m.group(5):
            yield 'code', m.group(4) or m.group(5)


def preprocess(path):
    done = subprocess.run(['gcc', '-E', '-CC', '-dD', '-D__FRAMAC__', '-Ic', '-Iacsl', path], capture_output=True, text=True, check=True)
    return done.stdout


class File:
    """The units of one C file, with their keys."""

    def __init__(self, path, version, text=None):
        self.path = path
        self.chunks = chunks_of(text if text is not None else preprocess(path))
        self.version = version
        self.by_name = {}
        for c in self.chunks:
            for n in c.names:
                self.by_name.setdefault(n, []).append(c)
        # An axiomatic block that defines no name is known by the names without a definition that it speaks of.
        abstract = set()
        for c in self.chunks:
            if c.kind == 'axiomatic':
                inner = c.text[c.text.index('{') + 1:c.text.rindex('}')]
                abstract.update(n for t, names, k in logic_items(inner) for n in names if k in ('logic', 'predicate') and '=' not in t)
        for c in self.chunks:
            if c.kind == 'axiomatic' and not c.names:
                for n in c.words & abstract:
                    self.by_name.setdefault(n, []).append(c)

    def reach(self, names):
        """What the names rest on: (names, texts of chunks)."""
        seen, todo, texts = set(), set(names), set()
        while todo:
            word = todo.pop()
            if word in seen:
                continue
            seen.add(word)
            for c in self.by_name.get(word, ()):
                if c.kind == 'function' and '/*@' not in c.head and any('/*@' in d.head for d in self.by_name[word]):
                    continue
                texts.add(anonymous(c) if c.kind == 'function' else strip_lemmas(c))
                todo |= (c.words if c.kind != 'axiomatic' else words(strip_lemmas(c))) - seen
        return seen, texts

    def slice(self, names):
        return self.reach(names)[1]

    def near(self, name, lemma):
        """The lemmas that speak of nothing but what the function or lemma rests on."""
        texts = self.lemma_texts()
        names = words(texts[name]) if lemma else set().union(
            *[words(c.head) | c.body_words for c in self.by_name.get(name + '(', ())])
        logic = {n for c in self.chunks if c.kind in ('predicate', 'logic', 'inductive', 'axiomatic', 'type') for n in c.names}
        seen = self.reach(names)[0]
        return {n for n, t in texts.items() if words(t) & logic <= seen} | {name}

    def key(self, own, names):
        rest = sorted(self.slice(names))
        return hashlib.sha256('\n'.join([self.version, own] + rest).encode()).hexdigest()[:16]

    def heads(self, name):
        """What a caller sees of a function: the prototypes that have a contract, or, if none has one, all."""
        some = [d for d in self.by_name.get(name + '(', ())]
        return sorted({anonymous(d) for d in some if '/*@' in d.head} or {anonymous(d) for d in some})

    def body(self, c):
        """The body of a function, each function in it called by what its contract says."""
        def call(m):
            if m.group(1) == c.name:
                return '@('
            heads = self.heads(m.group(1)) if any(d.kind == 'function' for d in self.by_name.get(m.group(1) + '(', ())) else None
            return m.group(0) if heads is None else '@%s(' % hashlib.sha256('\n'.join(heads).encode()).hexdigest()[:12]
        return re.sub(r'\b([A-Za-z_]\w*)\s*\(', call, c.body)

    def own(self, c):
        return '\n'.join(self.heads(c.name) + [anonymous(c), self.body(c)])

    def functions(self):
        """name -> key, of the functions defined in this file or in a header it includes that have a contract."""
        out = {}
        for c in self.chunks:
            if c.kind == 'function' and c.body is not None:
                heads = [d.head for d in self.by_name[c.name + '(']]
                if '/*@' in ''.join(heads):
                    names = set().union(*[words(h) for h in heads]) | c.body_words
                    out[c.name] = (self.key(self.own(c), names), c.where)
        return out

    def lemma_items(self):
        """(name, text, names it uses, file), also of those inside of axiomatic blocks."""
        for c in self.chunks:
            if c.kind == 'lemma':
                yield c.name, c.text, c.words, c.where
            elif c.kind == 'axiomatic':
                inner = c.text[c.text.index('{') + 1:c.text.rindex('}')]
                for t, _, k in logic_items(inner):
                    if k == 'lemma':
                        yield head_name(t), t, words(t), c.where

    def lemma_texts(self):
        return {name: text for name, text, _, _ in self.lemma_items()}

    def lemmas(self):
        """name -> (key, file)"""
        return {name: (self.key(text, used), where) for name, text, used, where in self.lemma_items()}

    def axioms(self):
        """name -> (text, block, file)"""
        out = {}
        for c in self.chunks:
            if c.kind == 'axiomatic':
                inner = c.text[c.text.index('{') + 1:c.text.rindex('}')]
                for t, _, k in logic_items(inner):
                    if k == 'axiom':
                        out[head_name(t)] = (t, c.text.split()[1], c.where)
        return out


@functools.lru_cache(None)
def anonymous(chunk):
    """The contract and prototype of a function without its name."""
    return re.sub(r'\b%s(?=\s*\()' % chunk.name, '@', chunk.head) if chunk.kind == 'function' else chunk.text


@functools.lru_cache(None)
def strip_lemmas(chunk):
    if chunk.kind != 'axiomatic':
        return chunk.text
    head, inner = chunk.text[:chunk.text.index('{') + 1], chunk.text[chunk.text.index('{') + 1:chunk.text.rindex('}')]
    return head + ' '.join(t for t, _, k in logic_items(inner) if k != 'lemma') + '}'


def frama_c_version():
    return subprocess.run(['frama-c', '-version'], capture_output=True, text=True, check=True).stdout.strip()
