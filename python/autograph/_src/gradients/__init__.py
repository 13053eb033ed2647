"""Derivatives of staged functions: ``grad`` and other transformations of functions, named as in JAX."""

from autograph._src.gradients.annotations import checkpoint, stop_gradient
from autograph._src.gradients.batching import vmap
from autograph._src.gradients.checking import check_grads
from autograph._src.gradients.forward import jvp, linearize
from autograph._src.gradients.implicit import custom_root, fixed_point
from autograph._src.gradients.jacobians import hessian, hvp, jacfwd, jacrev
from autograph._src.gradients.policies import checkpoint_name, checkpoint_policies
from autograph._src.gradients.reverse import grad, value_and_grad, vjp
from autograph._src.gradients.rules import custom_jvp, custom_vjp
from autograph._src.gradients.sparse import jacobian

__all__ = [
    "check_grads",
    "checkpoint",
    "checkpoint_name",
    "checkpoint_policies",
    "custom_jvp",
    "custom_root",
    "custom_vjp",
    "fixed_point",
    "grad",
    "hessian",
    "hvp",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "linearize",
    "stop_gradient",
    "value_and_grad",
    "vjp",
    "vmap",
]
