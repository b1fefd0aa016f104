# awk -v file=FILE.c -f report.awk FILE.c LOG: one JSON object a line for each function of the file that has goals: its
# functional postconditions (the labels of its ensures clauses), goals proved, goals, and who proved them.
FNR == NR {
    if (/^[a-z].*[ *][a-z][a-z_0-9]*\(/ && !/;$/ && !/=/) {
        name = $0
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
        known[name] = ++names
        order[names] = name
    }
    next
}
# The words of s in alphabetical order: WP reports goals as they are proved.
function sorted(s,    w, n, i, k, x) {
    n = split(s, w, " ")
    for (i = 2; i <= n; i++) {
        x = w[i]
        for (k = i - 1; k > 0 && w[k] > x; k--)
            w[k + 1] = w[k]
        w[k + 1] = x
    }
    s = w[1]
    for (i = 2; i <= n; i++)
        s = s " " w[i]
    return s
}
/^\[wp\] \[.*\] Goal / {
    goal = $0
    sub(/.*Goal (typed_)?/, "", goal)
    sub(/ : .*/, "", goal)
    who = $0
    sub(/^\[wp\] \[/, "", who)
    sub(/[ \]].*/, "", who)
    sub(/^CFG$/, "Qed", who) # what needs no goal: no exit, nothing that may not end
    f = ""
    for (n in known)
        if (index(goal, n "_") == 1 && length(n) > length(f))
            f = n
    if (f == "") {
        f = goal ~ /^lemma_/ ? "lemmas" : "inline functions"
        if (!(f in known)) {
            known[f] = ++names
            order[names] = f
        }
    }
    goals[f]++
    if (/ : Valid/) {
        proved[f]++
        by[f, who]++
    }
    rest = substr(goal, length(f) + 2)
    if (f in known && f != "lemmas" && sub(/^ensures_/, "", rest)) {
        sub(/_part[0-9]+$/, "", rest)
        if (!((f, rest) in label)) {
            label[f, rest] = 1
            labels[f] = labels[f] (labels[f] == "" ? "" : " ") rest
        }
    }
}
END {
    for (i = 1; i <= names; i++) {
        f = order[i]
        if (goals[f] == 0)
            continue
        all = ""
        n = split("Qed CVC4 Z3", w, " ")
        for (k = 1; k <= n; k++)
            if ((f, w[k]) in by)
                all = all (all == "" ? "" : ", ") "\"" w[k] "\": " by[f, w[k]]
        printf "{\"file\":\"%s\",\"function\":\"%s\",\"ensures\":\"%s\",\"proved\":%d,\"goals\":%d,\"provers\":{%s}}\n", \
            file, f, sorted(labels[f]), proved[f], goals[f], all
    }
}
