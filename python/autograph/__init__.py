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

from autograph import backends as backends
from autograph import errors
from autograph._src.control_status import ControlStatus, control_status
from autograph._src.convert import convert, do_not_convert, to_code, to_graph
from autograph._src.decorator import function
from autograph._src.directives import set_element_type, set_loop_options, stack, staged, unroll
from autograph._src.function import Function
from autograph._src.gradients import (
    check_grads,
    checkpoint,
    checkpoint_name,
    checkpoint_policies,
    custom_jvp,
    custom_root,
    custom_vjp,
    fixed_point,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jacrev,
    jvp,
    linearize,
    stop_gradient,
    value_and_grad,
    vjp,
    vmap,
)
from autograph._src.input_signature import ArraySpec
from autograph._src.numerics import get_numerics, numerics, set_numerics
from autograph._src.policy import exclude, include
from autograph._src.profiles import Profile, ProfileLine
from autograph._src.public_names import show_as_of
from autograph._src.py_function import PyFunction, py_function
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.variable import Variable
from autograph.errors import AutographError, ConversionError, GraphRuntimeError, StagingError

__version__ = "0.1.0"

__all__ = [
    "ArraySpec",
    "AutographError",
    "ControlStatus",
    "ConversionError",
    "Function",
    "GraphRuntimeError",
    "Profile",
    "ProfileLine",
    "PyFunction",
    "StagingError",
    "Tensor",
    "Variable",
    "check_grads",
    "checkpoint",
    "checkpoint_name",
    "checkpoint_policies",
    "control_status",
    "convert",
    "custom_jvp",
    "custom_root",
    "custom_vjp",
    "do_not_convert",
    "exclude",
    "fixed_point",
    "function",
    "get_numerics",
    "grad",
    "hessian",
    "hvp",
    "include",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "linearize",
    "numerics",
    "py_function",
    "set_element_type",
    "set_loop_options",
    "set_numerics",
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

show_as_of(__name__, [globals()[name] for name in __all__ if not hasattr(errors, name)])


def __dir__() -> list[str]:
    """The public names, and the public modules ``backends`` and ``errors``."""
    return sorted([*__all__, "__version__", "backends", "errors"])
