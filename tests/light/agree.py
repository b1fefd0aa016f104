"""agree.py WANT GOT NAME RTOL: tensor NAME of both directories agrees within RTOL of the greatest magnitude."""
import os
import sys

import numpy

want, got, name, rtol = sys.argv[1:5]
name = name.translate(str.maketrans(dict.fromkeys("/\\:*?\"<>| ", "_"))) + ".npy"
a, b = (numpy.load(os.path.join(d, name)) for d in (want, got))
assert a.shape == b.shape and a.dtype == b.dtype, (a.shape, b.shape)
assert numpy.isfinite(a).all() and numpy.abs(a).max() > 1e-3 and a.std() > 0, "the reference says nothing"
error = float(numpy.abs(a - b).max() / numpy.abs(a).max())
print(f"  {name}: max difference {error:.2e} of the greatest of {a.size} values")
sys.exit(0 if error <= float(rtol) else 1)
