"""pick.py CONTROL DIR: of the files that a merge of libFuzzer looked at (its control file), at most MOST and BYTES in all into DIR, in
place of what is there: each next one is that which reaches most edges more, less one for 50 bytes."""
import hashlib
import os
import re
import shutil
import sys

MOST, BYTES = 30, 16000
control, folder = sys.argv[1:3]
lines = open(control).read().split("\n")
n = int(lines[0])
files = lines[2 : 2 + n]
edges = {}
for line in lines[2 + n :]:
    m = re.match(r"(?:COV|FT) (\d+)((?: \d+)*)$", line)
    if m:
        edges.setdefault(files[int(m[1])], set()).update(line[:2] + x for x in m[2].split())
data = {f: open(f, "rb").read() for f in edges}
picked, reached, size = [], set(), 0
while len(picked) < MOST:
    left = [f for f in data if f not in picked and size + len(data[f]) <= BYTES and edges[f] - reached]
    if not left:
        break
    best = max(left, key=lambda f: (len(edges[f] - reached) - len(data[f]) // 50, f))
    picked.append(best)
    reached |= edges[best]
    size += len(data[best])
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
for f in picked:
    with open(f"{folder}/{hashlib.sha1(data[f]).hexdigest()[:12]}", "wb") as out:
        out.write(data[f])
print(f"{folder}: {len(picked)} of {len(files)} inputs, {size} bytes, {len(reached)} of {len(set().union(*edges.values()))} features")
