#!/bin/sh
# usage: cases.sh FILE.kern DIR
# The kernels of FILE (cases.kern, gradients.kern, inlinings.kern), each as DIR/NAME.kern and DIR/NAME.json, what it gives as
# DIR/NAME.gives.kern. A line on stdout for each: its name, and type, in, out, wrt and inline, - where there is none, and what refuses it.
[ $# = 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2; exit 2; }
awk -v dir="$2" '
function names(list, a, n, i, s) {
    n = split(list, a, ",")
    for (i = 1; i <= n; i++)
        s = s (i > 1 ? ", " : "") "\"" a[i] "\""
    return "[" s "]"
}
function finish(base) {
    if (name == "")
        return
    base = dir "/" name
    printf "%s", text >(base ".kern")
    close(base ".kern")
    gsub(/\n/, "\\n", text)
    printf "{\"name\": \"%s\", \"ins\": %s, \"outs\": %s, \"data_type\": \"%s\", \"kernel\": \"%s\"%s}\n", name, names(of["in"]),
        names(of["out"]), of["type"], text, "wrt" in of ? ", \"grad_to\": " names(of["wrt"]) : "" >(base ".json")
    close(base ".json")
    if (gives != "") {
        printf "%s", gives >(base ".gives.kern")
        close(base ".gives.kern")
    }
    printf "%s", name
    for (i = 1; i <= 5; i++)
        printf " %s", of[key[i]] == "" ? "-" : of[key[i]]
    print " " refused
}
BEGIN { split("type in out wrt inline", key, " ") }
/^## gives$/ { on = 2; next }
/^## refused / { refused = substr($0, 12); next }
/^## / {
    finish()
    split("", of)
    name = $2
    text = gives = refused = ""
    on = 1
    for (i = 3; i <= NF; i++)
        of[substr($i, 1, index($i, "=") - 1)] = substr($i, index($i, "=") + 1)
    next
}
NF && on == 1 { text = text $0 "\n" }
NF && on == 2 { gives = gives $0 "\n" }
END { finish() }' "$1"
