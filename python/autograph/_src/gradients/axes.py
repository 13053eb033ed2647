"""Which axis of each leaf runs over the rows of ``ag.vmap``, and how many rows there are.

Axes are an int for all leaves of a tree, ``None`` for a tree that is the same for all rows, or trees of axes:

    in_axes=(0, {"weights": None, "bias": 1})
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.gradients.refusals import refusal, value_refusal
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import parts_of
from autograph._src.staging.tensors.tensor import Tensor, emit
from autograph._src.staging.trace.record_classes import is_named_tuple
from autograph._src.trees import flatten
from autograph._src.variable import Variable


def axes_of_arguments(
    in_axes: object, args: tuple[Any, ...], kwargs: dict[str, Any], *, is_counted: bool
) -> list[int | None]:
    """The axis of each leaf of a call's arguments.

    Args:
        in_axes: The axes of the positional arguments.
        args: Positional arguments.
        kwargs: Named arguments, which use axis 0.
        is_counted: Whether the number of rows is known without an argument.
    """
    if isinstance(in_axes, (tuple, list)):
        if len(in_axes) != len(args):
            message = f"vmap has in_axes for {len(in_axes)} arguments, and the call has {len(args)}"
            raise value_refusal("AG144", message, "arguments passed by keyword use axis 0, and have no entry")
        each = list(in_axes)
    else:
        each = [in_axes] * len(args)
    axes = [axis for one, arg in zip(each, args, strict=True) for axis in axes_of_tree(one, arg)]
    axes += [axis for arg in kwargs.values() for axis in axes_of_tree(0, arg)]
    if all(axis is None for axis in axes) and not is_counted:
        raise value_refusal(
            "AG144",
            "vmap must have at least one value in in_axes that is not None",
            "say which axis is over rows, or how many rows there are by `axis_size`",
        )
    return axes


def axes_of_tree(axes: object, tree: object) -> list[int | None]:
    """The axis of each leaf of a tree, given a tree of axes or one for all leaves; ``None`` has no rows."""
    leaves: list[Any] = []
    shape, _ = flatten(tree, leaves)
    if axes is None or isinstance(axes, (int, np.integer)):
        return [None if leaf is None or axes is None else int(axes) for leaf in leaves]
    parts = None if shape == "leaf" else _parts(axes, tree)
    if parts is not None:
        return [axis for one, value in parts for axis in axes_of_tree(one, value)]
    if flatten(axes, [])[0] == "leaf":
        word = type_name(axes)
        raise refusal("AG144", f"an axis of vmap is an int or None, and {axes!r} is {with_article(word)}")
    word = type_name(tree)
    raise value_refusal(
        "AG144",
        f"vmap's axes {axes!r} do not fit {with_article(word)}",
        "pass axes of the same structure, or one axis for all of it",
    )


def _parts(axes: Any, tree: Any) -> list[tuple[Any, Any]] | None:
    """The axes of the parts of a tree with the parts; ``None`` if they do not fit."""
    if isinstance(tree, dict):
        is_alike = isinstance(axes, dict) and axes.keys() == tree.keys()
        return [(axes[key], value) for key, value in tree.items()] if is_alike else None
    if isinstance(tree, (tuple, list)):
        is_alike = isinstance(axes, (tuple, list)) and len(axes) == len(tree)
        if is_alike and is_named_tuple(type(axes)):
            is_alike = type(axes) is type(tree)
        return list(zip(axes, tree, strict=True)) if is_alike else None
    if type(axes) is not type(tree):
        return None
    return [(getattr(axes, one.name), getattr(tree, one.name)) for one in dataclasses.fields(tree)]


def rows_of_leaf(leaf: object, axis: int, path: str) -> tuple[Tensor, ...]:
    """An argument with its rows along the first axis; a complex one as its parts."""
    if isinstance(leaf, Variable):
        leaf = leaf.value
    if not isinstance(leaf, (np.ndarray, Tensor)):
        word = type_name(leaf)
        raise refusal(
            "AG144",
            f"vmap is over rows of arrays, and {path} is {with_article(word)}",
            "pass `in_axes` with None for what is the same for all rows",
        )
    tensor = lift(leaf)
    if not -tensor.ndim <= axis < tensor.ndim:
        dimensions = f"{tensor.ndim} dimension{'s' if tensor.ndim != 1 else ''}"
        raise value_refusal("AG144", f"vmap is over axis {axis} of {path}, which has {dimensions}")
    parts: Any = parts_of(tensor)
    return tuple(lift(np.moveaxis(part, axis, 0)) for part in parts) if axis % tensor.ndim else parts


def number_of_rows(rows: list[Tensor], axis_size: int | None) -> Any:
    """How many rows there are; refuses arguments that have different numbers of them."""
    sizes = list(dict.fromkeys(one.sizes[0] for one in rows if one.sizes[0] is not None))
    if len(sizes) > 1:
        shown = ", ".join(str(size) for size in sizes)
        raise value_refusal("AG144", f"vmap's arguments have different numbers of rows: {shown}")
    if axis_size is None:
        return np.shape(rows[0])[0]
    if sizes and sizes[0] != axis_size:
        raise value_refusal("AG144", f"vmap's arguments have {sizes[0]} rows, and `axis_size` is {axis_size}")
    for one in rows:
        if one.sizes[0] is None:
            found, wanted = lift(np.shape(one)[0]), lift(axis_size)
            message = f"vmap's arguments have another number of rows than `axis_size`, which is {axis_size}"
            emit("check", emit("binary", "equal", found.read(), wanted.read()), "ValueError", message)
    return axis_size
