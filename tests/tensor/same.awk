# Triples of lines: a request (OPERATOR ..), the command's answer, the oracle's. They must be the same. The shortest failing request of
# each operator is shown. Exit status: 0 equal.
NR % 3 == 1 { request = $0; name = substr($1, 2); next }
NR % 3 == 2 { want = $0; total++; next }
want == "" || $0 != want || want == "error" {
    bad++
    if (!(name in least) || length(request) < length(least[name])) {
        least[name] = request; expected[name] = want; answer[name] = $0
    }
}
END {
    for (name in least) printf "%s\ncommand: %s\noracle:  %s\n", least[name], expected[name], answer[name]
    if (bad) printf "%d of %d answers differ\n", bad, total
    exit bad > 0 || total == 0
}
