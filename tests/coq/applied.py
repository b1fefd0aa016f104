"""Is every headline theorem that has premises applied somewhere? applied.py THEOREMS.golden COQ: of each theorem of the golden file with a
premise (an arrow outside of parentheses), some file of COQ defines NAME_applies, an application to arguments on which the
premises hold. Prints those without; exit status 1 if there is one."""
import glob
import os
import re
import sys

# Rules are applied by the theorems on rewriting; their premises are those of the rule.
RULE = re.compile(r'^Rules\w*\.rule_')


def premises(statement):
    depth, n, binder = 0, 0, False
    for token in re.findall(r'[][(){}]|<->|->|\bforall\b|\bexists\b|\bfun\b|,|=>', statement):
        if token in '([{':
            depth += 1
        elif token in ')]}':
            depth -= 1
        elif depth == 0 and token in ('forall', 'exists', 'fun'):
            binder = True
        elif depth == 0 and token in (',', '=>'):
            binder = False
        elif token == '->' and depth == 0 and not binder:
            n += 1
    return n


def main():
    golden, coq = sys.argv[1:]
    parts = re.split(r'^(\S+)\n     : ', open(golden).read(), flags=re.M)[1:]
    text = ''.join(open(f).read() for f in glob.glob(os.path.join(coq, '**', '*.v'), recursive=True))
    applied = set(re.findall(r'^ *(?:Definition|Example|Lemma|Corollary) (\w+)_applies\b', text, re.M))
    asked = [name for name, said in zip(parts[::2], parts[1::2]) if premises(said) and not RULE.match(name)]
    missing = [name for name in asked if name.split('.')[-1] not in applied]
    for name in missing:
        print('no instance: %s' % name)
    print('%d theorems with premises, %d applied' % (len(asked), len(asked) - len(missing)))
    return 1 if missing or not asked else 0


sys.exit(main())
