"""AutoGraph: plain imperative Python over NumPy, converted, staged and run natively.

>>> import numpy as np
>>> import autograph as ag
>>> @ag.function
... def newton(x, tol):
...     while np.abs(x * x - 2.0) > tol:
...         x = x - (x * x - 2.0) / (2.0 * x)
...     return x
>>> round(float(newton(np.float64(1.0), np.float64(1e-12))), 6)
1.414214
"""

from autograph.control_status import ControlStatus, control_status
from autograph.convert import convert, do_not_convert, to_code, to_graph
from autograph.directives import set_element_type, set_loop_options, stack, staged, unroll
from autograph.errors import AutographError, ConversionError, GraphRuntimeError, StagingError
from autograph.function import Function, function
from autograph.gradients import (
    check_grads,
    checkpoint,
    custom_jvp,
    custom_vjp,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    stop_gradient,
    value_and_grad,
    vjp,
    vmap,
)
from autograph.input_signature import ArraySpec
from autograph.policy import exclude, include
from autograph.py_function import PyFunction, py_function
from autograph.staging.tensors.tensor import Tensor
from autograph.variable import Variable

__version__ = "0.1.0"

__all__ = [
    "ArraySpec",
    "AutographError",
    "ControlStatus",
    "ConversionError",
    "Function",
    "GraphRuntimeError",
    "PyFunction",
    "StagingError",
    "Tensor",
    "Variable",
    "check_grads",
    "checkpoint",
    "control_status",
    "convert",
    "custom_jvp",
    "custom_vjp",
    "do_not_convert",
    "exclude",
    "function",
    "grad",
    "hessian",
    "hvp",
    "include",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "py_function",
    "set_element_type",
    "set_loop_options",
    "stack",
    "staged",
    "stop_gradient",
    "to_code",
    "to_graph",
    "unroll",
    "value_and_grad",
    "vjp",
    "vmap",
]


def __dir__() -> list[str]:
    """The public names, and the modules whose names are public: those of back-ends and of errors."""
    return sorted([*__all__, "__version__", "backends", "errors"])
