"""A lambda is a function without a name."""

import numpy as np
from autograph import tangent

derivative = tangent.grad(lambda x: x * np.log(x))

assert derivative(1.0) == 1.0
