"""Gradients of what is staged: functions that make functions, named as in JAX."""

from autograph.gradients.forward import jvp, linearize
from autograph.gradients.reverse import grad, value_and_grad, vjp
from autograph.gradients.rules import checkpoint, custom_jvp, custom_vjp, stop_gradient

__all__ = [
    "checkpoint",
    "custom_jvp",
    "custom_vjp",
    "grad",
    "jvp",
    "linearize",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]
