"""A proved file of the core as E-ACSL can run it: eacsl_core.py FILE.c [FILE.acsl ..]. Prints the contracts of its header and the
functions; how many clauses are run and are not goes to stderr. Predicates that read memory are not supported by E-ACSL 25: they
become macros. Those below are written again with bounds for every quantifier; what is not executable (ranks, cardinals) is
left out of them. The contracts only: the steps of the proofs are dropped."""
import re
import sys

EXECUTABLE = {
    # e is the node of entry k.
    "chained": r"""chained(v) ((\forall integer e_c; 0 <= e_c < (v).nodes ==> last_before((v), (v).place[e_c].entry, (v).n, e_c)) &&
        (\forall integer k_c; 0 <= k_c < (v).n ==> (v).entry[k_c].kind == ENTRY_NODE && 0 <= (v).entry[k_c].node < (v).nodes ==>
            last_before((v), (v).entry[k_c].old, k_c, (v).entry[k_c].node)))""",
    # As a negation: the second conjunct after the bounds of \exists is lost in E-ACSL's code.
    "inner": r"inner(v, e) (!(\forall integer k_i; 0 <= k_i < (v).n ==> !replaced((v), k_i, (e))))",
    "lists": r"""lists(v) ((\forall integer s_l; 0 <= s_l < (v).m ==> (v).slot[s_l].user >= 0 ==>
            0 <= (v).in[s_l] < (v).n && next_ok((v), s_l) && prev_ok((v), s_l)) &&
        (\forall integer k_l; 0 <= k_l < (v).n ==> head_ok((v), k_l)))""",
    "uses_ok": "uses_ok(v) lists(v)", # not: acyclic, counted
}
PREDICATE = r"predicate (\w+)\{L\}\(([^()]*)\)\s*=(.*?);\s*(?=\n(?:predicate|logic|lemma|inductive|axiomatic|\*/|\n))"


def macros(text):
    text = re.sub(r"//[^\n]*", "", re.sub(r"axiomatic \w+ \{.*?\n\}", "", text, flags=re.S))
    out = ""
    for name, params, body in re.findall(PREDICATE, text, flags=re.S):
        bound = [x.strip() for q in re.findall(r"\\(?:forall|exists) \w+ ([\w, ]+);", body) for x in q.split(",")]
        params = [p.split()[-1].lstrip("*") for p in params.split(",")]
        for x, y in [(x, x + "_" + name) for x in bound] + [(p, "(%s)" % p) for p in params]:
            body = re.sub(r"(?<![.>\w])%s\b" % x, y, body)
        out += "#define " + EXECUTABLE.get(name, "%s(%s) (%s)" % (name, ", ".join(params), body)).replace("\n", " \\\n") + "\n"
    return out


def main():
    source, logic = sys.argv[1], sys.argv[2:]
    header = re.sub(r"#ifdef __FRAMAC__.*?#endif\n", "", open(source[:-1] + "h").read(), flags=re.S)
    code = open(source).read()
    steps = len(re.findall(r"\bassert\b|\bloop (?:invariant|assigns|variant)\b|\bghost\b", code))
    parts = len(re.findall(r"terminates|exits|assigns", header))
    code = re.sub(r"\s*/\*@.*?\*/", "", code, flags=re.S).replace('#include "%s"' % (source[2:-1] + "h"), "")
    header = re.sub(r"\n\s*(terminates|exits|assigns)[^;]*;", "", header)
    # Bounds that `linked` and `holds` imply.
    header = re.sub(r"(\\forall integer s;) (linked|holds)\(u, s", r"\1 0 <= s < u.m ==> \2(u, s", header)
    kept = len(re.findall(r"\b(?:requires|ensures)\b", header))
    partly = len(re.findall(r"uses_ok", header))
    predicates = "".join(macros(open(f).read()) for f in logic)
    header, guard = re.subn(r"#define \w+_H\n(?:\s*#include [^\n]*\n)*", lambda m: m[0] + predicates, header, count=1)
    assert guard == 1
    print(header + code)
    print("%d run (%d in part), %d not (terminates, exits, assigns %d; steps of the proof %d)"
          % (kept, partly, parts + steps, parts, steps), file=sys.stderr)


main()
