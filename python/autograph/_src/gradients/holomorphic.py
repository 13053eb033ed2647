"""Jacobians of analytic functions: of their parts, by the real parts of the arguments.

f(x + yi) = u + vi          f' = du/dx + dv/dx i
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph._src.gradients.complex_parts import require_complex
from autograph._src.gradients.recorded import parameter_names, selected, with_aux
from autograph._src.gradients.refusals import refusal
from autograph._src.operators.calls import converted_call
from autograph._src.staging.complex.complex_tensor import is_complex, made, rebuilt_complex
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.trees import flatten


def of_analytic(
    name: str,
    jacobian_of: Callable[..., Any],
    fun: Callable[..., Any],
    argnums: int | Sequence[int],
    has_aux: bool,
) -> Callable[..., Any]:
    """The Jacobian of an analytic function.

    Args:
        name: The name of the transformation, for messages.
        jacobian_of: The transformation for functions of floats.
        fun: The function.
        argnums: As for :func:`autograph.jacrev`.
        has_aux: As for :func:`autograph.jacrev`.
    """

    def of_parts(real: object, imag: Any, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        given = list(args)
        pairs = zip(real, imag, strict=True) if isinstance(real, tuple) else [(real, imag)]
        for place, parts in zip(selected(name, argnums, len(args)), pairs, strict=True):
            given[place] = _joined(*parts, made)
        result = converted_call(fun, *given, **kwargs)
        value, aux = with_aux(name, result) if has_aux else (result, None)
        leaves: list[Any] = []
        _, rebuild = flatten(value, leaves)
        if not all(map(is_complex, leaves)):
            raise refusal(
                "AG142", f"{name} with holomorphic=True needs a function that returns complex numbers"
            )
        halves = rebuild([leaf.real for leaf in leaves]), rebuild([leaf.imag for leaf in leaves])
        return (halves, aux) if has_aux else halves

    jacobian = jacobian_of(of_parts, 0, has_aux)

    def analytic(*args: object, **kwargs: object) -> object:
        places = selected(name, argnums, len(args))
        require_complex(name, parameter_names(fun, len(args)), args, places)
        halves: list[Any] = [
            tuple(_parts(args[place], part) for place in places) for part in ("real", "imag")
        ]
        if isinstance(argnums, (int, np.integer)):
            halves = [half[0] for half in halves]
        rest = tuple(None if place in places else arg for place, arg in enumerate(args))
        found = jacobian(*halves, rest, kwargs)
        (real, imag), aux = found if has_aux else (found, None)
        whole = _joined(real, imag, _complex_of)
        return (whole, aux) if has_aux else whole

    return analytic


def _parts(tree: object, part: str) -> object:
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    return rebuild([getattr(leaf, part) for leaf in leaves])


def _joined(real: object, imag: object, join: Callable[[Any, Any], object]) -> object:
    """A tree of complex leaves from the trees of both parts."""
    reals: list[Any] = []
    imags: list[Any] = []
    _, rebuild = flatten(real, reals)
    flatten(imag, imags)
    return rebuild([join(*parts) for parts in zip(reals, imags, strict=True)])


def _complex_of(real: object, imag: Any) -> object:
    """A complex number or array, staged or plain."""
    if type(real) is float:
        return complex(real, imag)
    is_array = isinstance(real, np.ndarray) or (isinstance(real, Tensor) and real.form is Form.ARRAY)
    return rebuilt_complex(real, imag, Form.ARRAY if is_array else Form.SCALAR)
