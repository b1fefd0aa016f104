"""prepare.py REWEIGHT LIGHT.onnx OUT.onnx: seeded weights (by the script REWEIGHT), and the tensor before the final Softmax
as a second graph output, because a saturated softmax hides differences."""
import subprocess
import sys

import onnx
from onnx import helper, shape_inference

reweight, src, dst = sys.argv[1:4]
subprocess.run([sys.executable, reweight, src, dst], check=True, stdout=subprocess.DEVNULL)
model = onnx.load(dst)
graph = model.graph
softmax = [n for n in graph.node if n.op_type == "Softmax"][-1]
logits = softmax.input[0]
types = {v.name: v for v in shape_inference.infer_shapes(model).graph.value_info}
graph.output.append(types[logits])
onnx.save(model, dst)
print(logits)
