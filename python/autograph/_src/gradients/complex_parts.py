"""Complex arguments of derivatives: a function of their real and imaginary parts, which are floats.

vjp(f, z)           vjp(g, (x, y))      with g((x, y)) = f(x + yi)

Cotangents are JAX's: where ``w = f(z)``, that of ``z`` is that of ``w`` times ``f'(z)``, and nothing is
conjugated. So its imaginary part is minus that of ``y``: parts pull back the real part of ``cotangent * w``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph._src.gradients.refusals import refusal
from autograph._src.operators.calls import converted_call
from autograph._src.staging.complex.complex_tensor import (
    as_complex,
    is_complex,
    made,
    rebuilt_complex,
)
from autograph._src.staging.tensors.tensor import Form
from autograph._src.trees import Rebuild, flatten


class Parts(NamedTuple):
    """A complex leaf among the arguments of a function of parts."""

    real: Any
    imag: Any


class _Argument(NamedTuple):
    """An argument: how its tree is made, and which of its leaves are complex."""

    rebuild: Rebuild
    are_complex: list[bool]

    def joined(self, parts: object, join: Callable[[Any, Any], Any]) -> object:
        """The tree with complex leaves, made from one with their parts."""
        flat: list[Any] = []
        flatten(parts, flat)
        rest = iter(flat)
        return self.rebuild([join(next(rest), next(rest)) if one else next(rest) for one in self.are_complex])


class Joints:
    """Which leaves of arguments are complex.

    Args:
        args: The arguments.
        argnums: Those to differentiate with respect to.
    """

    def __init__(self, args: Sequence[Any], argnums: Sequence[int]) -> None:
        self.arguments = {place: _argument(args[place]) for place in argnums}
        self.has_complex = any(True in one.are_complex for one in self.arguments.values())

    def cotangents(self, trees: Sequence[object]) -> tuple[Any, ...]:
        """The cotangents of the arguments, from those of their parts, staged or plain."""
        if not self.has_complex:
            return tuple(trees)
        pairs = zip(self.arguments.values(), trees, strict=True)
        return tuple(argument.joined(tree, conjugate_of) for argument, tree in pairs)


class InParts:
    """A function, and arguments for it, by the parts of the complex arguments.

    Attributes:
        function: A function of floats; the function itself if no argument is complex.
        args: Its arguments.
        joints: Which leaves of them are complex.
    """

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], argnums: Sequence[int]) -> None:
        self.joints = Joints(args, argnums)
        self.args: list[Any] = list(args)
        self.function = function
        if not self.joints.has_complex:
            return
        joints = self.joints
        for place in argnums:
            self.args[place] = _split(args[place])

        @functools.wraps(function)
        def of_parts(*args: object, **kwargs: object) -> object:
            given: list[object] = list(args)
            for place, argument in joints.arguments.items():
                given[place] = argument.joined(given[place], made)
            return converted_call(function, *given, **kwargs)

        self.function = of_parts


def require_complex(name: str, names: Sequence[str], args: Sequence[object], places: Sequence[int]) -> None:
    """Refuses arguments of an analytic function with leaves that are not complex."""
    for place in places:
        if False in _argument(args[place]).are_complex:
            raise refusal(
                "AG141",
                f"{name} with holomorphic=True is with respect to complex numbers,"
                f" and `{names[place]}` has others",
                "pass complex numbers: `x + 0j`",
            )


def conjugate_of(real: Any, imag: Any) -> Any:
    """The complex value with these parts, staged or plain, the imaginary one negated."""
    forms = {float: Form.PYTHON, np.ndarray: Form.ARRAY}
    return rebuilt_complex(real, -imag, forms.get(type(real), Form.SCALAR))


def _argument(value: object) -> _Argument:
    leaves: list[Any] = []
    _, rebuild = flatten(value, leaves)
    return _Argument(rebuild, [is_complex(leaf) for leaf in leaves])


def _split(value: object) -> object:
    """A tree with the parts of its complex leaves."""
    leaves: list[Any] = []
    _, rebuild = flatten(value, leaves)
    return rebuild([_parts_of(leaf) if is_complex(leaf) else leaf for leaf in leaves])


def _parts_of(leaf: Any) -> Parts:
    if isinstance(leaf, np.ndarray):
        return Parts(leaf.real.copy(), leaf.imag.copy())
    return Parts(*as_complex(leaf).parts)
