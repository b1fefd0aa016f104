"""inputs.py MODEL.onnx DIR: NAME=DIR/NAME.npy for each graph input that is not an initializer, a line each."""
import os
import sys

import onnx

model = onnx.load(sys.argv[1], load_external_data=False)
weights = {t.name for t in model.graph.initializer}
for v in model.graph.input:
    if v.name not in weights:
        print(v.name + "=" + os.path.join(sys.argv[2], v.name.translate(str.maketrans(dict.fromkeys("/\\:*?\"<>| ", "_"))) + ".npy"))
