"""The helpers of generated code: what they give, and what stands for them where they find nothing to do."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from autograph._src.tangent.forms import functions
from autograph._src.tangent.forms.arithmetic import binary, product
from autograph._src.tangent.forms.edits import Edit, argument, is_dropped_freely, operand_of_sum
from autograph._src.tangent.forms.values import UNKNOWN, Array, Literal, Number, Parts, Value, number_of

Found = tuple[Value, Edit | None]


def of_helper(name: str, call: ast.Call, given: Sequence[Value]) -> Found:
    """What ``tangent.name(…)`` gives, and what stands for it in the text."""
    known = _HELPERS.get(name)
    if known is None or len(call.args) != len(given):
        return UNKNOWN, None
    count, found = known
    return found(call, given) if len(given) in count else (UNKNOWN, None)


def _as_it_is(call: ast.Call, value: Value) -> Found:
    """The first argument stands for the call, if nothing happens where the others are not evaluated."""
    if all(map(is_dropped_freely, call.args[1:])):
        return value, Edit(call, (call.args[0],))
    return value, None


def _is_same_float(one: Value, other: Value) -> bool:
    """Whether both are floats of Python's, or both of NumPy's `float64`."""
    return number_of(one) in (float, np.float64) and number_of(one) is number_of(other)


def _fit(value: Value, like: Value) -> Value:
    """What `in_form` gives, of the shape of `like`."""
    is_number = isinstance(value, Array) or number_of(value) is not None
    if isinstance(like, Array) and like.dtype.kind == "f" and is_number:
        return like
    return Number(kind) if (kind := number_of(like)) in (float, np.float64) and is_number else UNKNOWN


def _unbroadcast(call: ast.Call, given: Sequence[Value]) -> Found:
    value, like = given
    if isinstance(like, Array) and isinstance(value, Array) and like.dtype == value.dtype:
        if like.shape == value.shape:
            return _as_it_is(call, value)
        extra = value.ndim - like.ndim
        if extra > 0 and like.shape and value.shape[extra:] == like.shape:
            axis = "0" if extra == 1 else str(tuple(range(extra)))
            parts = (*argument(call.args[0]), f".sum(axis={axis})")
            return like, Edit(call, parts) if is_dropped_freely(call.args[1]) else None
    if _is_same_float(value, like):
        return _as_it_is(call, value)
    return _fit(value, like), None


def _as_gradient(call: ast.Call, given: Sequence[Value]) -> Found:
    value, like = given
    if (isinstance(like, Array) and value == like) or _is_same_float(value, like):
        return _as_it_is(call, value)
    return UNKNOWN, None


def _broadcast(call: ast.Call, given: Sequence[Value]) -> Found:
    value, like = given
    if (isinstance(like, Array) and value == like) or _is_same_float(value, like):
        return _as_it_is(call, value)
    return _fit(value, like), None


def _in_form(call: ast.Call, given: Sequence[Value]) -> Found:
    value, like = given
    if isinstance(like, Array) and isinstance(value, Array) and like.dtype.kind == "f":
        if value.dtype == like.dtype:
            return _as_it_is(call, value)
        return (Array(like.dtype, value.shape), None) if value.dtype.kind in "fiub" else (UNKNOWN, None)
    return UNKNOWN, None


def _add_grad(call: ast.Call, given: Sequence[Value]) -> Found:
    if all(isinstance(one, Array) or number_of(one) in (float, np.float64) for one in given):
        one, other = call.args
        added = Edit(call, (*operand_of_sum(one), " + ", *operand_of_sum(other)))
        return binary(ast.Add(), *given), added
    return UNKNOWN, None


def _check_seed(call: ast.Call, given: Sequence[Value]) -> Found:
    """A check that holds: two numbers, or two of one shape."""
    shapes = [one.shape if isinstance(one, Array) else () for one in given]
    is_known = all(isinstance(one, Array) or number_of(one) is not None for one in given)
    if is_known and shapes[0] == shapes[1] and all(map(is_dropped_freely, call.args)):
        return Literal(None), Edit(call, None)
    return Literal(None), None


def _unreduce(call: ast.Call, given: Sequence[Value]) -> Found:
    value, like = given[:2]
    if not isinstance(like, Array):
        return UNKNOWN, None
    result = Array(like.dtype if like.dtype.kind in "fc" else np.dtype(float), like.shape)
    kept = _with_axes(value, like, given[2:]) if result.dtype == np.dtype(float) else None
    if kept is None or not all(map(is_dropped_freely, call.args[1:])):
        return result, None
    parts: tuple[str | ast.expr, ...] = (call.args[0],)
    if isinstance(value, Array) and value.shape != kept:
        parts = (*argument(call.args[0]), f".reshape({', '.join(map(str, kept))})")
    return result, Edit(call, ("tangent.filled(", *parts, f", {like.shape})"))


def _with_axes(value: Value, like: Array, options: Sequence[Value]) -> tuple[int, ...] | None:
    """The shape that the adjoint of a sum of `like` has with the axes that the sum went over.

    Args:
        value: The adjoint.
        like: What was summed.
        options: What the call says of axes, and whether they were kept.
    """
    axis = options[0] if options else Literal(None)
    keepdims = options[1] if len(options) > 1 else Literal(False)
    axes = functions.axes_of(axis, like.ndim)
    if axes is None or not isinstance(keepdims, Literal):
        return None
    if isinstance(value, Array) and value.dtype.kind in "fiu":
        shape = value.shape
    elif number_of(value) in (float, int, np.float64):
        shape = ()
    else:
        return None
    if not keepdims.value and axis != Literal(None):
        if shape != tuple(size for place, size in enumerate(like.shape) if place not in axes):
            return None
        shape = tuple(1 if place in axes else size for place, size in enumerate(like.shape))
    try:
        return shape if np.broadcast_shapes(shape, like.shape) == like.shape else None
    except ValueError:
        return None


def _zeros_like(call: ast.Call, given: Sequence[Value]) -> Found:
    (like,) = given
    if isinstance(like, Array) and like.dtype == np.dtype(float) and is_dropped_freely(call.args[0]):
        return like, Edit(call, (f"np.zeros({like.shape})",))
    if number_of(like) is float and is_dropped_freely(call.args[0]):
        return Number(float), Edit(call, ("0.0",))
    if isinstance(like, Array) and like.dtype.kind in "fc":
        return like, None
    return like if number_of(like) is np.float64 else UNKNOWN, None


def _copy(call: ast.Call, given: Sequence[Value]) -> Found:
    (value,) = given
    if isinstance(value, Array):
        return value, Edit(call, (*argument(call.args[0]), ".copy()"))
    return _as_it_is(call, value) if number_of(value) in (float, np.float64) else (UNKNOWN, None)


def _form(call: ast.Call, given: Sequence[Value]) -> Found:
    return given[0] if isinstance(given[0], Array) or number_of(given[0]) else UNKNOWN, None


def _is_matrix(value: Value) -> bool:
    """Whether it is a matrix, or the shape of one."""
    return (isinstance(value, Array) and value.ndim == 2) or (
        isinstance(value, Parts) and len(value.items) == 2
    )


def _operand(value: Value, shape: Value, factor: Value, *, is_left: bool) -> Value:
    """The adjoint of an operand of a product of vectors and matrices, from that of the product."""
    if not (isinstance(value, Array) and isinstance(shape, Parts) and isinstance(factor, Array)):
        return UNKNOWN
    sizes = tuple(one.value for one in shape.items if isinstance(one, Literal) and type(one.value) is int)
    if len(sizes) != len(shape.items) or value.dtype != factor.dtype or value.dtype.kind != "f":
        return UNKNOWN
    left, right = (sizes, factor.shape) if is_left else (factor.shape, sizes)
    if not (len(left) in (1, 2) and len(right) in (1, 2) and left[-1] == right[0]):
        return UNKNOWN
    return Array(value.dtype, sizes) if value.shape == left[:-1] + right[1:] and value.shape else UNKNOWN


def _left_of(words: str, end: str) -> Callable[[ast.Call, Sequence[Value]], Found]:
    """``np.dot(bz, y.T)`` for ``dot_left(bz, np.shape(x), y)`` of matrices."""

    def found(call: ast.Call, given: Sequence[Value]) -> Found:
        value, shape, factor = given
        _, dropped, other = call.args
        if not (_is_matrix(shape) and isinstance(factor, Array) and _is_matrix(factor)):
            return _operand(value, shape, factor, is_left=True), None
        result = product(value, Array(factor.dtype, factor.shape[::-1]))
        if not (isinstance(other, ast.Name) and is_dropped_freely(dropped)):
            return result, None
        parts = (call.args[0],) if words else argument(call.args[0])
        return result, Edit(call, (words, *parts, end.format(other.id)))

    return found


def _right_of(words: str, end: str) -> Callable[[ast.Call, Sequence[Value]], Found]:
    """``np.dot(x.T, bz)`` for ``dot_right(bz, x, np.shape(y))`` of matrices."""

    def found(call: ast.Call, given: Sequence[Value]) -> Found:
        value, factor, shape = given
        _, other, dropped = call.args
        if not (_is_matrix(shape) and isinstance(factor, Array) and _is_matrix(factor)):
            return _operand(value, shape, factor, is_left=False), None
        result = product(Array(factor.dtype, factor.shape[::-1]), value)
        if not (isinstance(other, ast.Name) and is_dropped_freely(dropped)):
            return result, None
        parts = (call.args[0],) if end else argument(call.args[0])
        return result, Edit(call, (words.format(other.id), *parts, end))

    return found


_HELPERS: dict[str, tuple[tuple[int, ...], Callable[[ast.Call, Sequence[Value]], Found]]] = {
    "add_grad": ((2,), _add_grad),
    "as_gradient": ((2,), _as_gradient),
    "broadcast": ((2,), _broadcast),
    "check_seed": ((2,), _check_seed),
    "copy": ((1,), _copy),
    "dot_left": ((3,), _left_of("np.dot(", ", {}.T)")),
    "dot_right": ((3,), _right_of("np.dot({}.T, ", ")")),
    "form": ((1,), _form),
    "in_form": ((2,), _in_form),
    "matmul_left": ((3,), _left_of("", " @ {}.T")),
    "matmul_right": ((3,), _right_of("{}.T @ ", "")),
    "unbroadcast": ((2,), _unbroadcast),
    "unreduce": ((2, 3, 4), _unreduce),
    "zeros_like": ((1,), _zeros_like),
}
