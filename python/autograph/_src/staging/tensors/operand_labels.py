"""Shapes that do not fit, by the names that the operands have in the user's program.

x @ w
^^^^^ `x` is (32, 10), `w` is (12, 4): 10 and 12 do not fit
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph._src.operand_texts import Written, written_at
from autograph._src.staging.tensors.tensor import Tensor, shape_text
from autograph._src.staging.trace.frames import here
from autograph.errors import ShapeError

Sizes = tuple[int | None, ...]

Misfit = tuple[int | None, int | None]
"""Two sizes that should fit."""

_OPERATORS: dict[str, np.ufunc] = {
    **{"Add": np.add, "Sub": np.subtract, "Mult": np.multiply, "Div": np.divide, "Mod": np.remainder},
    **{"FloorDiv": np.floor_divide, "Pow": np.power, "MatMult": np.matmul, "LShift": np.left_shift},
    **{"RShift": np.right_shift, "BitOr": np.bitwise_or, "BitXor": np.bitwise_xor},
    **{"BitAnd": np.bitwise_and, "Eq": np.equal, "NotEq": np.not_equal, "Lt": np.less},
    **{"LtE": np.less_equal, "Gt": np.greater, "GtE": np.greater_equal},
}
assert all(hasattr(ast, name) for name in _OPERATORS)


def label_operands(
    error: ShapeError, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Puts the names and shapes of the operands beside the marked place of an error.

    A function that is composed of others calls this again for each of them: the outermost one, which is the
    one that the user wrote, is called last and decides.

    Args:
        error: The error; it points to the operation.
        function: The function or ufunc that was called.
        args: What it was given, as the user's program has it.
        kwargs: What it was given by name.
    """
    if error.location is None or error.location != here():
        return
    error.label = None
    written = written_at(error.location)
    if written is None:
        return
    named = [*_named(written, function, args, kwargs)]
    if len(named) < 2 or len(named) > _MOST_OPERANDS:
        return
    error.label = ", ".join(f"`{name}` is {shape_text(sizes)}" for name, sizes in named)
    one, two = next(_misfits(function, [sizes for _, sizes in named], args, kwargs), (None, None))
    if one is not None and two is not None:
        error.label += f": {one} and {two} do not fit"


_MOST_OPERANDS = 6
"""The most operands that a label names."""


def _named(
    written: Written, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[tuple[str, Sizes]]:
    """The name and the sizes of each operand that is an array."""
    texts: tuple[str | tuple[str, ...], ...] = written.operands
    if written.operation in _OPERATORS:
        if _OPERATORS[written.operation] is not function:
            return
    elif function not in (getattr(np, written.operation, None), getattr(np.linalg, written.operation, None)):
        return
    elif written.receiver is not None and len(args) == len(texts) + 1:
        texts = (written.receiver, *texts)
    if len(texts) != len(args):
        return
    for text, value in zip(texts, args, strict=True):
        yield from _with_elements(text, value)
    for name, value in kwargs.items():
        if name in written.named and isinstance(value, (Tensor, np.ndarray)):
            yield written.named[name], _sizes(value)


def _with_elements(text: str | tuple[str, ...], value: Any) -> Iterator[tuple[str, Sizes]]:
    """The name and the sizes of an operand, or of each element of a list or tuple of arrays."""
    if isinstance(value, (Tensor, np.ndarray)):
        yield text if isinstance(text, str) else f"[{', '.join(text)}]", _sizes(value)
    elif isinstance(value, (list, tuple)) and all(isinstance(one, (Tensor, np.ndarray)) for one in value):
        is_written_out = not isinstance(text, str) and len(text) == len(value)
        for place, one in enumerate(value):
            yield text[place] if is_written_out else f"{text}[{place}]", _sizes(one)


def _sizes(value: Any) -> Sizes:
    sizes: Sizes = value.sizes if isinstance(value, Tensor) else value.shape
    return sizes


def _misfits(
    function: Callable[..., Any], shapes: list[Sizes], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[Misfit]:
    """The sizes that should fit and do not."""
    if function is np.einsum and args and isinstance(args[0], str):
        yield from _labelled(args[0], shapes)
        return
    pairs = _PAIRS.get(function)
    if pairs is None:
        is_elementwise = isinstance(function, np.ufunc) and function.signature is None
        pairs = _broadcast if is_elementwise or function in _BROADCASTING else _none
    for one, two in pairs(shapes, kwargs):
        if one is not None and two is not None and one != two:
            yield one, two


def _labelled(subscripts: str, shapes: list[Sizes]) -> Iterator[Misfit]:
    """Sizes of axes with one letter in the subscripts of `np.einsum`; none where an ellipsis counts axes."""
    sizes: dict[str, int] = {}
    for letters, shape in zip(subscripts.replace(" ", "").split("->")[0].split(","), shapes, strict=False):
        if "." in letters or len(letters) != len(shape):
            return
        for letter, size in zip(letters, shape, strict=True):
            if size is not None and size != 1 and sizes.setdefault(letter, size) != size:
                yield sizes[letter], size


def _none(shapes: list[Sizes], kwargs: dict[str, Any]) -> Iterator[Misfit]:
    """Of a function whose rule is not known here."""
    return iter(())


def _broadcast(shapes: list[Sizes], kwargs: dict[str, Any]) -> Iterator[Misfit]:
    """Sizes of the same axis, counted from the last, of which none is 1."""
    for place in range(1, max(map(len, shapes)) + 1):
        sizes = [one[-place] for one in shapes if len(one) >= place]
        others = [size for size in sizes if size not in (1, None)]
        for size in others[1:]:
            yield others[0], size


def _contracted(shapes: list[Sizes], kwargs: dict[str, Any]) -> Iterator[Misfit]:
    """The summed axes of a product of matrices; then the axes before the matrices."""
    left, right = shapes[:2]
    if left and right:
        yield left[-1], right[-2] if len(right) > 1 else right[0]
        yield from _broadcast([left[:-2], right[:-2]], kwargs)


def _last(shapes: list[Sizes], kwargs: dict[str, Any]) -> Iterator[Misfit]:
    """The last axes, which are summed."""
    left, right = shapes[:2]
    if left and right:
        yield left[-1], right[-1]


def _solved(shapes: list[Sizes], kwargs: dict[str, Any]) -> Iterator[Misfit]:
    """The rows of a matrix, its columns, and the right-hand side's rows."""
    matrix, side = shapes[:2]
    if len(matrix) > 1:
        yield matrix[-2], matrix[-1]
        yield matrix[-1], side[-2] if len(side) > 1 else side[0] if side else None


def _stacked(shapes: list[Sizes], kwargs: dict[str, Any]) -> Iterator[Misfit]:
    """All axes of arrays of equal shapes."""
    for other in shapes[1:]:
        yield from zip(shapes[0], other, strict=False)


def _joined(shapes: list[Sizes], kwargs: dict[str, Any]) -> Iterator[Misfit]:
    """All axes but the one along which arrays are joined."""
    axis = kwargs.get("axis", 0)
    for other in shapes[1:]:
        for place, pair in enumerate(zip(shapes[0], other, strict=False)):
            if isinstance(axis, int) and place != axis % len(shapes[0]):
                yield pair


_BROADCASTING = {np.where, np.broadcast_arrays, np.clip, np.select, np.put_along_axis}
"""Functions whose operands have one shape together."""

_PAIRS: dict[Any, Callable[[list[Sizes], dict[str, Any]], Iterator[Misfit]]] = {
    **{np.matmul: _contracted, np.dot: _contracted, np.inner: _last, np.linalg.solve: _solved},
    **{np.stack: _stacked, np.concatenate: _joined},
}
