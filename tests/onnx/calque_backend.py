"""Calque as a backend of ONNX's Python interface: what onnx.backend.test and other conventional runners ask for.

    import onnx.backend.test, calque_backend
    globals().update(onnx.backend.test.BackendTest(calque_backend, __name__).enable_report().test_cases)

Models are run by the command `calque run` (the reference interpreter): the one that the environment's CALQUE names, or the PATH has. A model
with an operator that Calque does not run is one that the backend is not supposed to implement: runners skip it."""
import os
import re
import subprocess
import tempfile

import numpy
import onnx
from onnx.backend.base import Backend, BackendRep, namedtupledict
from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

BITS = {"f32": (numpy.uint32, numpy.float32), "f64": (numpy.uint64, numpy.float64)}
WHOLE = {"i64": numpy.int64, "i32": numpy.int32, "i8": numpy.int8, "u8": numpy.uint8, "bool": numpy.bool_}
LINE = re.compile(r'\(output "((?:[^"\\]|\\.)*)" \((\w+)([ 0-9]*)\)(.*)\)')


def array(dtype, dims, words):
    """The tensor of a line of `calque run --text`: cells of floats are bits in hexadecimal or nan."""
    if dtype in BITS:
        bits, real = BITS[dtype]
        nan = int(numpy.array(numpy.nan, real).view(bits))
        cells = numpy.array([nan if w == "nan" else int(w, 16) for w in words], bits).view(real)
    else:
        cells = numpy.array([int(w) for w in words], numpy.int64).astype(WHOLE[dtype])
    return cells.reshape(dims)


class CalqueRep(BackendRep):
    def __init__(self, model):
        filled = {t.name for t in model.graph.initializer}
        self.inputs = [v.name for v in model.graph.input if v.name not in filled]
        self.outputs = [v.name for v in model.graph.output]
        self.folder = tempfile.TemporaryDirectory(prefix="calque")
        self.path = os.path.join(self.folder.name, "model.onnx")
        onnx.save(model, self.path)

    def run(self, inputs, **kwargs):
        if isinstance(inputs, dict):
            inputs = [inputs[name] for name in self.inputs]
        elif isinstance(inputs, numpy.ndarray):
            inputs = [inputs]
        given = []
        for k, (name, value) in enumerate(zip(self.inputs, inputs)):
            file = os.path.join(self.folder.name, "input_%d.npy" % k)
            numpy.save(file, numpy.asarray(value, order="C"))
            given.append("%s=%s" % (name, file))
        p = subprocess.run([os.environ.get("CALQUE", "calque"), "run", self.path, *given, "--text"], capture_output=True, text=True)
        if p.returncode:
            why = p.stderr.strip()
            if "not supported" in why or "expected element type" in why:
                raise BackendIsNotSupposedToImplementIt(why)
            raise RuntimeError(why)
        values = []
        for line in p.stdout.splitlines():
            _, dtype, dims, words = LINE.fullmatch(line).groups()
            values.append(array(dtype, [int(d) for d in dims.split()], words.split()))
        return namedtupledict("Outputs", self.outputs)(*values)


class CalqueBackend(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        if not cls.supports_device(device):
            raise ValueError("no device " + device)
        return CalqueRep(model)

    @classmethod
    def run_model(cls, model, inputs, device="CPU", **kwargs):
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def supports_device(cls, device):
        return device == "CPU"


prepare = CalqueBackend.prepare
run_model = CalqueBackend.run_model
supports_device = CalqueBackend.supports_device
