"""Derivatives as Python source, after the Tangent paper.

>>> from autograph import tangent
>>> def f(x):
...     return x * x
>>> df = tangent.grad(f)
>>> float(df(3.0))
6.0

`to_source` prints a derivative, `save` writes it as a file that needs NumPy alone. The other functions here,
`unbroadcast` and its like, are what generated code calls.
"""

from autograph._src.tangent.api import (
    autodiff,
    explain,
    grad,
    jvp,
    save,
    tangent,
    to_source,
    value_and_grad,
    vjp,
)
from autograph._src.tangent.checkpoint import checkpoint
from autograph._src.tangent.injection import grad_of, insert_grad_of
from autograph._src.tangent.jacobians import hessian, hvp, jacobian
from autograph._src.tangent.registry import adjoint, d, register_non_differentiable, tangent_of
from autograph._src.tangent.runtime import *  # noqa: F403
from autograph._src.tangent.runtime import __all__ as _helpers

__all__ = [
    "adjoint",
    "autodiff",
    "checkpoint",
    "d",
    "explain",
    "grad",
    "grad_of",
    "hessian",
    "hvp",
    "insert_grad_of",
    "jacobian",
    "jvp",
    "register_non_differentiable",
    "save",
    "tangent",
    "tangent_of",
    "to_source",
    "value_and_grad",
    "vjp",
    *_helpers,
]
