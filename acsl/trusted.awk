# awk -v names="F .." -f trusted.awk: from what frama-c -print prints of a file, a line "F LABEL .." for each function of these
# that is defined with a contract: the labels of its postconditions, in the order of the contract.
BEGIN { for (n = split(names, f, " "); n > 0; n--) wanted[f[n]] = 1 }
/^\/\*@/ { inside = 1; has = 0; labels = ""; sub(/^\/\*@/, "") }
inside {
    line = $0
    if (line ~ /^ *(requires|ensures|assigns|terminates|exits)/) has = 1
    if (open && line ~ /^ *[a-z_]+:/) line = "ensures " line
    open = line ~ /^ *ensures *$/
    if (line ~ /^ *ensures +[a-z_]+:/) { sub(/^ *ensures +/, "", line); sub(/:.*/, "", line); labels = labels " " line }
    if (/\*\//) inside = 0
    next
}
/^[A-Za-z_].*[ *][a-z][a-z_0-9]*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/;$/ { name = "" }
/^{/ {
    if (name in wanted && has) print name labels
    name = ""; has = 0
}
