"""Changes the code of an emitted file, not its contracts: acsl_mutate.py FILE s/OLD/NEW/ OUT. The text OLD is replaced at its
first place outside of annotations and comments; prints the function it is in. Exit status 1 when there is no such place."""
import re
import sys

text = open(sys.argv[1]).read()
old, new = sys.argv[2][2:-1].split("/")
parts = re.split(r"(/\*.*?\*/)", text, flags=re.S)  # code and comments by turns
for i in range(0, len(parts), 2):
    if old in parts[i]:
        before = "".join(parts[:i]) + parts[i][: parts[i].index(old)]
        parts[i] = parts[i].replace(old, new, 1)
        open(sys.argv[3], "w").write("".join(parts))
        print(re.findall(r"^[a-z][^\n;]*?\b(\w+)\([^\n;]*\)\n\{", before, flags=re.M)[-1])
        sys.exit(0)
sys.exit(1)
