# The rows of the table in acsl/PROVED.md, from the report.
function field(name,    s) {
    s = $0
    if (!sub(".*\"" name "\": *\"?", "", s))
        return ""
    sub(/["}].*|,.*/, "", s)
    return s
}
BEGIN {
    print "| function | postconditions | goals proved |"
    print "|---|---|---|"
}
{
    if (field("file") != last) {
        last = field("file")
        printf "| **`%s`** | | |\n", last
    }
    printf "| `%s` | %s | %s/%s |\n", field("function"), field("ensures"), field("proved"), field("goals")
}
