"""splits.py MODEL.onnx: the Split nodes by their number of outputs, as SITESxOUTPUTS joined by +."""
import collections
import sys

import onnx

count = collections.Counter(len(n.output) for n in onnx.load(sys.argv[1]).graph.node if n.op_type == "Split")
print("+".join(f"{count[k]}x{k}" for k in sorted(count)))
