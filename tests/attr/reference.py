#!/usr/bin/env python3
"""Evaluates attribute expressions, without comprehensions, choices, functions and floats: a second implementation, for
`calque-oracle diff attr`. An integer is an int, a tuple a tuple, every other value its text. With an argument, the name of
an operation, that one is wrong."""
import re, sys

sys.setrecursionlimit(10000)
NUMBERS = {"sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b,
           "min": min, "max": max, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
           "ge": lambda a, b: a >= b}
LOGIC = {"and": lambda a, b: a and b, "or": lambda a, b: a or b}
BUGS = {"mod": lambda a, b: abs(a) % abs(b) * (1 if a > 0 else -1), "le": lambda a, b: a < b}
NUMBERS.update((name, BUGS[name]) for name in sys.argv[1:])
class Stuck(Exception): pass
class Unsupported(Exception): pass

def need(condition):
    if not condition: raise Stuck
def result(x):
    need(isinstance(x, (str, tuple)) or -2**63 <= x < 2**63)
    return str(x).lower() if isinstance(x, bool) else x
def parse(tokens):
    term = next(tokens)
    return list(iter(lambda: parse(tokens), ")")) if term == "(" else int(term) if re.fullmatch(r"-?\d+", term) else term
def value(t):
    return tuple(map(value, t[1:])) if isinstance(t, list) else t
def show(v):
    return "(" + " ".join(["tuple", *map(show, v)]) + ")" if isinstance(v, tuple) else str(v)
def at(t, k):
    need(type(t) is tuple and type(k) is int and -len(t) <= k < len(t))
    return t[k]

def evaluate(t, env):
    if not isinstance(t, list): need(t != "_"); return t
    if t[0] in ("const", "."): need(t[0] == "const" or tuple(t[1:]) in env); return value(t[1]) if t[0] == "const" else env[tuple(t[1:])]
    if t[0] not in {"tuple", "proj", "neg", "not", "len", "add", "eq", "ne", "gather", *NUMBERS, *LOGIC}: raise Unsupported(t[0])
    v = [evaluate(a, env) for a in t[1:]]
    kinds = {type(a) for a in v}
    if t[0] == "tuple": return tuple(v)
    if t[0] == "proj": return at(*v)
    if t[0] == "gather": need(kinds == {tuple}); return tuple(at(v[0], k) for k in v[1])
    if t[0] in ("eq", "ne"): return result((v[0] == v[1]) == (t[0] == "eq"))
    if t[0] == "len": need(kinds == {tuple}); return len(v[0])
    if t[0] == "neg": need(kinds == {int}); return result(-v[0])
    if t[0] in ("not", *LOGIC):
        need(all(a in ("true", "false") for a in v))
        return result(v[0] == "false" if t[0] == "not" else LOGIC[t[0]](v[0] == "true", v[1] == "true"))
    if t[0] == "add": need(kinds in ({int}, {tuple})); return result(v[0] + v[1])
    if t[0] in ("lt", "le", "gt", "ge") and str in kinds and any(re.match("-?(0x|inf)", a) for a in v if type(a) is str): raise Unsupported("float")
    need(kinds == {int} and (t[0] not in ("floordiv", "mod") or v[1] != 0))
    return result(NUMBERS[t[0]](*v))

for line in sys.stdin:
    try:
        what, expression, bound = parse(iter(re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+', line)))[:3]
        if what != "eval": raise Unsupported(what)
        answer = show(evaluate(expression, {(b[0], b[1]): value(b[2]) for b in reversed(bound)}))
    except Stuck: answer = "stuck"
    except Unsupported as e: answer = f"unsupported: {e}"
    print(answer, flush=True)
