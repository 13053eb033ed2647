"""Gradients of what is staged: functions that make functions, named as in JAX."""

from autograph.gradients.annotations import checkpoint, stop_gradient
from autograph.gradients.batching import vmap
from autograph.gradients.checking import check_grads
from autograph.gradients.forward import jvp, linearize
from autograph.gradients.jacobians import hessian, hvp, jacfwd, jacrev
from autograph.gradients.reverse import grad, value_and_grad, vjp
from autograph.gradients.rules import custom_jvp, custom_vjp

__all__ = [
    "check_grads",
    "checkpoint",
    "custom_jvp",
    "custom_vjp",
    "grad",
    "hessian",
    "hvp",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stop_gradient",
    "value_and_grad",
    "vjp",
    "vmap",
]
