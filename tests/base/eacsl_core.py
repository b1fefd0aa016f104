"""A proved function as E-ACSL can run it: eacsl_core.py FILE.c HEADER.h FUNCTION. Prints its contract and the function; how many
clauses are run and how many are not goes to stderr. The contract only: the steps of the proof are dropped."""
import re
import sys


def main():
    source, header, name = sys.argv[1:]
    text = open(header).read()
    contract = re.search(r"/\*@((?:(?!\*/).)*)\*/\s*(\w[^;{}]*\b%s\([^;{}]*\));" % name, text, re.S)
    body = re.search(r"^\w[^;{}]*\b%s\([^;{}]*\)\n\{.*?^\}\n" % name, open(source).read(), re.S | re.M)
    steps = len(re.findall(r"\bassert\b|\bloop (?:invariant|assigns|variant)\b|\bghost\b", body[0]))
    parts = len(re.findall(r"terminates|exits|assigns", contract[1]))
    clauses = re.sub(r"\n\s*(terminates|exits|assigns)[^;]*;", "", contract[1])
    kept = len(re.findall(r"\b(?:requires|ensures)\b", clauses))
    print("/*@%s*/\n%s;\n\n%s" % (clauses, contract[2], re.sub(r"\s*/\*@.*?\*/", "", body[0], flags=re.S)))
    print("%d run, %d not (terminates, exits, assigns %d; steps of the proof %d)" % (kept, parts + steps, parts, steps),
          file=sys.stderr)


main()
