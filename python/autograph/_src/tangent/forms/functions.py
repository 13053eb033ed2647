"""The forms of what NumPy's functions and methods give of known operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from autograph._src.tangent.forms.arithmetic import elementwise, product
from autograph._src.tangent.forms.values import (
    UNKNOWN,
    Array,
    Literal,
    Number,
    Parts,
    Value,
    number_of,
    of_elements,
)

Named = Mapping[str, Value]


def of_numpy(name: str, given: Sequence[Value], named: Named) -> Value:
    """What a call of a function of NumPy's gives."""
    function = getattr(np, name, None)
    if isinstance(function, np.ufunc):
        if function is np.matmul:
            return product(*given) if len(given) == 2 and not named else UNKNOWN
        return UNKNOWN if named else elementwise(function, given)
    found = _FUNCTIONS.get(name)
    return UNKNOWN if found is None else found(given, named)


def of_method(name: str, array: Array, given: Sequence[Value], named: Named) -> Value:
    """What a call of a method of an array gives, where that changes no shape."""
    if name == "copy":
        return array if not (given or named) else UNKNOWN
    if name in _REDUCTIONS:
        return _reduced(name)((array, *given), named)
    if name == "dot":
        return product(array, *given) if len(given) == 1 and not named else UNKNOWN
    return UNKNOWN


PURE_METHODS = frozenset(
    (
        *("all", "any", "argmax", "argmin", "argsort", "astype", "clip", "conj", "copy", "cumprod", "cumsum"),
        *("diagonal", "dot", "flatten", "item", "max", "mean", "min", "nonzero", "prod", "ravel", "repeat"),
        *("reshape", "round", "searchsorted", "squeeze", "std", "sum", "swapaxes", "take", "tolist", "trace"),
        *("transpose", "var"),
    )
)
"""Methods of arrays that leave these and their shapes as they are."""


def attribute(name: str, array: Array) -> Value:
    """What an attribute of an array is."""
    if name == "T":
        return Array(array.dtype, array.shape[::-1])
    if name == "shape":
        return sizes(array)
    if name in ("ndim", "size"):
        return Literal(array.ndim if name == "ndim" else int(np.prod(array.shape, dtype=object)))
    return UNKNOWN


def sizes(array: Array) -> Value:
    """A shape, as a tuple of the text has it."""
    return Parts(tuple(map(Literal, array.shape)))


def item(array: Array, index: Value) -> Value:
    """What ``a[i]`` gives for a whole number."""
    kind = number_of(index)
    is_whole = kind is int or (kind is not None and issubclass(kind, np.integer))
    return of_elements(array.dtype, array.shape[1:]) if is_whole and array.shape else UNKNOWN


# Functions

_REDUCTIONS = ("sum", "mean", "max", "min", "prod")


def _reduced(name: str) -> Callable[[Sequence[Value], Named], Value]:
    def found(given: Sequence[Value], named: Named) -> Value:
        if not given or len(given) > 2 or not named.keys() <= {"axis", "keepdims"}:
            return UNKNOWN
        array, axis = given[0], given[1] if len(given) == 2 else named.get("axis", Literal(None))
        keepdims = named.get("keepdims", Literal(False))
        if not isinstance(array, Array) or array.dtype.kind != "f" or (len(given) == 2 and "axis" in named):
            return UNKNOWN
        axes = axes_of(axis, array.ndim)
        if axes is None or not isinstance(keepdims, Literal) or type(keepdims.value) is not bool:
            return UNKNOWN
        if keepdims.value:
            shape = tuple(1 if place in axes else size for place, size in enumerate(array.shape))
        else:
            shape = tuple(size for place, size in enumerate(array.shape) if place not in axes)
        return of_elements(array.dtype, shape) if shape or not keepdims.value else UNKNOWN

    return found


def axes_of(axis: Value, ndim: int) -> set[int] | None:
    """The axes that a reduction goes over, where the call says them and the array has them."""
    if isinstance(axis, Parts):
        parts = [one.value for one in axis.items if isinstance(one, Literal)]
        if len(parts) != len(axis.items):
            return None
    elif isinstance(axis, Literal):
        if axis.value is None:
            return set(range(ndim))
        parts = [axis.value]
    else:
        return None
    found = [one % ndim for one in parts if type(one) is int and -ndim <= one < ndim]
    return set(found) if len(found) == len(parts) == len(set(found)) else None


def _dot(given: Sequence[Value], named: Named) -> Value:
    if len(given) != 2 or named:
        return UNKNOWN
    left, right = given
    if isinstance(left, Array) and isinstance(right, Array) and left.shape and right.shape:
        return product(left, right)
    return UNKNOWN


def _outer(given: Sequence[Value], named: Named) -> Value:
    if len(given) == 2 and not named:
        left, right = given
        if isinstance(left, Array) and isinstance(right, Array) and left.ndim == right.ndim == 1:
            return elementwise(np.multiply, (Array(left.dtype, (*left.shape, 1)), right))
    return UNKNOWN


def _transposed(given: Sequence[Value], named: Named) -> Value:
    one = given[0] if len(given) == 1 and not named else None
    return Array(one.dtype, one.shape[::-1]) if isinstance(one, Array) else UNKNOWN


def _like(given: Sequence[Value], named: Named) -> Value:
    one = given[0] if len(given) == 1 and not named else None
    return one if isinstance(one, Array) else UNKNOWN


def _shape(given: Sequence[Value], named: Named) -> Value:
    one = given[0] if len(given) == 1 and not named else None
    if isinstance(one, Array):
        return sizes(one)
    return Parts(()) if one is not None and number_of(one) is not None else UNKNOWN


def _size(given: Sequence[Value], named: Named) -> Value:
    shape = _shape(given, named)
    if not isinstance(shape, Parts):
        return UNKNOWN
    return attribute("size", one) if isinstance(one := given[0], Array) else Literal(1)


def _where(given: Sequence[Value], named: Named) -> Value:
    if len(given) != 3 or named or not isinstance(given[0], Array):
        return UNKNOWN
    # The dtype of the choice is that of a sum, where neither is of truth values.
    one, other = given[1:]
    kinds = {part.dtype.kind for part in (one, other) if isinstance(part, Array)}
    if kinds != {"f"} or any(number_of(part) not in (None, float) for part in (one, other)):
        return UNKNOWN
    found = elementwise(np.add, (one, other))
    if isinstance(found, (Array, Number)):
        dtype = found.dtype if isinstance(found, Array) else np.dtype(found.kind)
        shapes = [part.shape for part in given if isinstance(part, Array)]
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            return UNKNOWN
        return Array(dtype, shape)
    return UNKNOWN


_FUNCTIONS: dict[str, Callable[[Sequence[Value], Named], Value]] = {
    **{name: _reduced(name) for name in _REDUCTIONS},
    "dot": _dot,
    "outer": _outer,
    "transpose": _transposed,
    "zeros_like": _like,
    "ones_like": _like,
    "empty_like": _like,
    "copy": _like,
    "shape": _shape,
    "size": _size,
    "where": _where,
}
