"""``np.einsum``: parses the subscripts, then multiplies the operands two by two with the general product.

``np.einsum("ij,jk->ik", a, b)`` names the axes of the operands. An axis that neither a later operand nor the
result has is summed in the product of the two operands that have it, as ``dot`` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_letters
from typing import Any

import numpy as np

from autograph._src.numpy.algebra.linear_algebra import product
from autograph._src.numpy.calls.registry import overload, refuse_options, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import store
from autograph._src.numpy.reductions.reductions import reduce
from autograph._src.numpy.shapes.shapes import promoted, reshape, transpose
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import is_view
from autograph._src.staging.tensors.sizes import differ
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import value_error

Labels = list[str]
"""One name for each axis. Axes of an ellipsis are named ``...0``, ``...1``, starting at the last axis."""


@dataclass(frozen=True)
class Operand:
    """An array with a name for each axis."""

    array: Tensor
    labels: Labels


def _from_lists(given: list[Any]) -> tuple[str, list[Any]]:
    """The subscripts of ``einsum(x, [0, 1], y, [1, 2], [0, 2])`` as letters."""

    def text(labels: Any) -> str:
        return "".join("..." if label is Ellipsis else ascii_letters[label] for label in labels)

    operands, inputs = given[0 : len(given) // 2 * 2 : 2], given[1::2]
    subscripts = ",".join(text(labels) for labels in inputs)
    return subscripts + (f"->{text(given[-1])}" if len(given) % 2 else ""), operands


def _labels(term: str, hidden: int) -> Labels:
    """The axis names in one term of the subscripts; its ellipsis stands for ``hidden`` axes."""
    before, dots, after = term.partition("...")
    if not (before + after).replace(" ", "").isalpha() and (before + after).strip():
        raise value_error(f"invalid subscript in einstein sum subscripts string: {term!r}")
    names = [f"...{place}" for place in range(hidden - 1, -1, -1)] if dots else []
    return [*before.replace(" ", ""), *names, *after.replace(" ", "")]


def _read(subscripts: str, operands: list[Any]) -> tuple[list[Operand], Labels]:
    """The operands with their axis names, and the axis names of the result."""
    text, arrow, wanted = subscripts.replace(" ", "").partition("->")
    terms = text.split(",")
    if len(terms) != len(operands):
        raise value_error(
            "the number of operands and of terms in the einstein sum subscripts string differ:"
            f" {len(operands)} and {len(terms)}"
        )
    named, most = [], 0
    for term, array in zip(terms, map(lift, operands), strict=True):
        hidden = array.ndim - len(term.replace("...", ""))
        if hidden < 0 or (hidden > 0 and "..." not in term):
            raise value_error(f"einstein sum subscripts {term!r} do not fit {array.ndim} dimensions")
        most = max(most, hidden if "..." in term else 0)
        named.append(Operand(array, _labels(term, hidden)))
    if arrow:
        result = _labels(wanted, most)
    else:
        letters = text.replace("...", "").replace(",", "")
        hidden_names = _labels("...", most) if "..." in text else []
        result = hidden_names + sorted(name for name in set(letters) if letters.count(name) == 1)
    _check_result(named, result)
    return named, result


def _check_result(operands: list[Operand], result: Labels) -> None:
    known = {label for operand in operands for label in operand.labels}
    for label in result:
        if result.count(label) > 1:
            raise value_error(
                f"einstein sum subscripts string includes output subscript '{label}' multiple times"
            )
        if label not in known:
            raise value_error(
                f"einstein sum subscripts string included output subscript '{label}' which never appeared in"
                " an input"
            )
    if any(label.startswith("...") and label not in result for label in known):
        raise value_error(
            "output has ellipsis subscripts missing: the ellipsis of the operands must be in it"
        )


def _without_repeats(operand: Operand) -> Operand:
    """The operand with repeated names removed: for ``ii``, its diagonal."""
    array, labels = operand.array, operand.labels
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            if differ(array.sizes[first], array.sizes[second]):
                raise value_error(f"dimensions in single operand for collapsing index '{label}' don't match")
            array = lift(np.diagonal(array, 0, first, second))
            labels = [one for place, one in enumerate(labels) if place not in (first, second)] + [label]
    return Operand(array, labels)


def _sizes(operands: list[Operand]) -> dict[str, Any]:
    """The size of each axis; where only the run knows an operand's size, another operand's is used."""
    sizes: dict[str, Any] = {}
    for operand in operands:
        for label, size in zip(operand.labels, operand.array.shape, strict=True):
            known = sizes.setdefault(label, size)
            if isinstance(known, int) and known == 1:
                sizes[label] = size
            elif isinstance(known, Tensor):
                sizes[label] = size if differ(size, 1) else known
            elif differ(size, 1) and differ(size, known):
                raise value_error(
                    f"operands could not be broadcast together: axis '{label}' has sizes {known} and {size}"
                )
    return sizes


def _widened(operand: Operand, sizes: dict[str, int]) -> Operand:
    """The operand with axes of size 1 repeated to the size that other operands have."""
    shape = tuple(sizes[label] for label in operand.labels)
    pairs = zip(shape, operand.array.sizes, strict=True)
    if all(two is None or (isinstance(one, int) and one == two) for one, two in pairs):
        return operand
    return Operand(np.broadcast_to(operand.array, shape), operand.labels)  # type: ignore[arg-type]


def _joined(left: Operand, right: Operand, kept: set[str]) -> Operand:
    """The product of two operands, summed over the shared axes that are not kept."""
    shared = [label for label in left.labels if label in right.labels]
    batch = [label for label in shared if label in kept]
    summed = [label for label in shared if label not in kept]

    def axes(labels: Labels) -> tuple[list[int], list[int]]:
        return [left.labels.index(one) for one in labels], [right.labels.index(one) for one in labels]

    result = product(left.array, right.array, axes(summed), axes(batch))
    free = [label for label in (*left.labels, *right.labels) if label not in shared]
    return Operand(result, batch + free)


def _summed(operand: Operand, result: Labels) -> Operand:
    axes = [axis for axis, label in enumerate(operand.labels) if label not in result]
    if not axes:
        return operand
    array = operand.array
    total = reduce("any" if array.dtype.kind == "b" else "sum", array, tuple(axes), False)
    return Operand(total, [label for label in operand.labels if label in result])


@overload(np.einsum)
def _einsum(*given: object, out: object = None, optimize: object = False, **options: object) -> object:
    dtype = options.pop("dtype", None)
    options = {name: value for name, value in options.items() if (name, value) not in _DEFAULTS}
    refuse_options(np.einsum, options)
    arguments = list(given)
    if len(arguments) < 2:
        raise value_error("must provide at least an operand and a subscripts list to einsum")
    subscripts, values = (
        (arguments[0], arguments[1:]) if isinstance(arguments[0], str) else _from_lists(arguments)
    )
    arrays = promoted(values)
    if dtype is not None:
        arrays = [array.astype(dtype) for array in arrays]
    operands, result = _read(subscripts, arrays)
    if dtype is not None and len(operands) == 1:
        raise unsupported_option(np.einsum, "dtype")
    if optimize is not False and not result:
        # NumPy returns an array or a scalar, depending on the contraction path that it finds.
        raise unsupported_option(np.einsum, "optimize")
    operands = [_without_repeats(operand) for operand in operands]
    sizes = _sizes(operands)
    operands = [_widened(operand, sizes) for operand in operands]
    joined = operands[0]
    for position, operand in enumerate(operands[1:], 2):
        later = {label for one in operands[position:] for label in one.labels}
        joined = _joined(joined, operand, later.union(result))
    total = _summed(joined, result)
    array = transpose(total.array, [total.labels.index(label) for label in result]) if result else total.array
    if not result:
        array = wrap(emit("reshape", array.read(), []))
    elif len(operands) == 1 and total is operands[0] and not is_view(array):
        array = reshape(array, array.shape)
    elif len(operands) > 1 or total is not joined:
        array = wrap(array.read(), Form.ARRAY)
    return store(array, out)


_DEFAULTS = (("order", "K"), ("casting", "safe"))
