"""``vmap``: turns a function of one row into a function of many rows."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec

import numpy as np

from autograph import _core
from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.gradients.axes import axes_of_arguments, axes_of_tree, number_of_rows, rows_of_leaf
from autograph._src.gradients.copies import Copies, own_value
from autograph._src.gradients.isolated import isolated
from autograph._src.gradients.recorded import derivatives, parameter_names
from autograph._src.gradients.refusals import refusal, value_refusal
from autograph._src.gradients.row_results import ListOfRow, tree_at_row
from autograph._src.gradients.smooth import of_one_type
from autograph._src.gradients.transformed import transformed
from autograph._src.operators.calls import converted_call
from autograph._src.staging.calls.made_trees import made_tree
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.lists.traced_list import StagedList, staged_list
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import of_parts, parts_of
from autograph._src.staging.tensors.tensor import Form, Tensor, emit
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.trace import Trace
from autograph._src.staging.wide.wide_int import WideInt
from autograph._src.trees import flatten, leaf_paths

P = ParamSpec("P")


def vmap(
    fun: Callable[P, Any], in_axes: object = 0, out_axes: object = 0, *, axis_size: int | None = None
) -> Callable[P, Any]:
    """Vectorise a function: the result applies ``fun`` to each row of its arguments.

    All rows run in one graph. A branch runs on the rows that take it and on no others, so a branch that a row
    does not take causes no NaN, no failure and no infinite gradient there. A ``while`` runs until the last
    row has finished; rows that have finished keep their values.

    Args:
        fun: A function: plain, staged, or made by another transformation.
        in_axes: The axis of each argument that runs over the rows: an int for all arguments, or a tuple with
            one entry for each positional argument. ``None`` marks an argument that is the same for all rows.
            An entry may be a tree like its argument (a dict, a dataclass), or one value for all of the
            argument's leaves. Arguments passed by keyword use axis 0.
        out_axes: The axis of the result that runs over the rows: an int, or a tree like the result; ``None``
            for a result that is the same for all rows.
        axis_size: How many rows there are. It need only be given if no argument has rows.

    Returns:
        A function of the same arguments. With all axes 0, where ``fun`` maps an array of shape ``s`` to one
        of shape ``t``, it maps an array of shape ``(rows, *s)`` to one of shape ``(rows, *t)``.

    Raises:
        StagingError: In a call, if the arguments have different numbers of rows (AG144), or if an operation
            cannot be batched (AG145).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> def root(x):
        ...     if x < 0.0:
        ...         return 0.0
        ...     return np.sqrt(x)
        >>> ag.vmap(root)(np.array([4.0, -1.0, 9.0]))
        array([2., 0., 3.])
        >>> ag.vmap(ag.grad(root))(np.array([4.0, -1.0, 0.25]))
        array([0.25, 0.  , 1.  ])
    """

    def record(args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        return _record(fun, in_axes, out_axes, axis_size, args, kwargs)

    if axis_size is not None and not isinstance(axis_size, (int, np.integer)):
        raise refusal("AG144", f"`axis_size` is an int, and {axis_size!r} is {type_name(axis_size)}")
    key = (_frozen_axes(in_axes), _frozen_axes(out_axes), axis_size)
    making = (functools.partial(vmap, axis_size=axis_size), (fun, in_axes, out_axes))
    return transformed("vmap", fun, key, record, making=making)


def over_directions(fun: Callable[..., Any], out_axes: object = 0) -> Callable[..., Any]:
    """As :func:`vmap`, of directions in which one call is differentiated: what it draws is drawn once."""
    return lambda *args: _record(fun, 0, out_axes, None, args, {}, is_one_call=True)


def _frozen_axes(axes: object) -> object:
    """Axes as a hashable key; a dict is not hashable."""
    return tuple(map(_frozen_axes, axes)) if isinstance(axes, list | tuple) else axes


def _record(
    fun: Callable[..., Any],
    in_axes: object,
    out_axes: object,
    axis_size: int | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    is_one_call: bool = False,
) -> object:
    trace = require_trace()
    leaves: list[Any] = []
    _, rebuild = flatten((args, kwargs), leaves)
    axes = axes_of_arguments(in_axes, args, kwargs, is_counted=axis_size is not None)
    named = zip(parameter_names(fun, len(args)), args, strict=True)
    paths = [path for name, arg in (*named, *kwargs.items()) for path in leaf_paths(arg, f"`{name}`")]
    rows = [
        () if axis is None else rows_of_leaf(leaf, axis, path)
        for leaf, axis, path in zip(leaves, axes, paths, strict=True)
    ]
    size = number_of_rows([part for parts in rows for part in parts], axis_size)
    builder = trace.locate()
    builder.open()
    params = [[_param(trace, part) for part in parts] for parts in rows]

    def call() -> object:
        # A row is a new array, so the function may write to it.
        copies = Copies(trace)
        inside = []
        for leaf, parts in zip(leaves, params, strict=True):
            inside.append(of_parts(lift(leaf), [Tensor(trace, *part) for part in parts]) if parts else leaf)
            if parts:
                copies.note(leaf, inside[-1])
        copies.link()
        given, keywords = rebuild(inside)
        return _present(converted_call(fun, *given, **keywords))

    with _rows_of(trace, 0 if is_one_call else 1):
        result = isolated(trace, "a function of ag.vmap", "AG145", call)
    results: list[Any] = []
    _, rebuild_result = flatten(result, results)
    tensors = [_result(leaf) for leaf in results]
    region = builder.close([value for one in tensors for value in _graph_values(one)])
    operands = [(part.read(), True) for parts in rows for part in parts]
    with derivatives(trace, "AG145"):
        found = iter(_core.vmap(trace.locate_in_graph(), region, operands))
    ends = axes_of_tree(out_axes, result)
    made: dict[tuple[int, int | None], object] = {}

    def of_rows(leaf: object, one: Tensor | ListOfRow | None, axis: int | None) -> object:
        if isinstance(one, ListOfRow):
            return one.of_rows(found, axis, size)
        if one is None:
            return leaf
        # One array of the function's result is one of the result for all rows.
        parts = [_rows_at(trace, *next(found), axis, part.form, size) for part in parts_of(one)]
        rows = of_parts(one, parts)
        return made.setdefault((id(leaf), axis), rows)

    return made_tree(rebuild_result(list(map(of_rows, results, tensors, ends))))


@contextmanager
def _rows_of(trace: Trace, calls: int) -> Iterator[None]:
    """While the function of so many rows is recorded, for each of which a loop would call it."""
    trace.calls_of_rows += calls
    try:
        yield
    finally:
        trace.calls_of_rows -= calls


def _present(result: object) -> object:
    """A result whose leaves are never ``None`` and each have one type.

    A run fails where a value is ``None``. After `for v in x: if v > 1: return v` and then `return 0.0`, for
    example, the recording sees a value that may be ``None``, but a run always has one.
    """
    leaves: list[Any] = []
    _, rebuild = flatten(result, leaves)

    def present(leaf: object) -> object:
        if isinstance(leaf, StagedOptional):
            return _present(_required(leaf))
        if isinstance(leaf, StagedList) and is_reference(leaf):
            # A row of a table that the function has made: it is read here, as outside the table has it not.
            return staged_list(leaf.current())
        tree = tree_at_row(leaf)
        if tree is not leaf:
            return _present(tree)
        # All rows of a result get one dtype, as in `np.stack`.
        number = of_one_type(leaf) if type(leaf) is StagedUnion else None
        return leaf if number is None else number

    return rebuild(list(map(present, leaves)))


def _required(leaf: StagedOptional) -> object:
    """The value of a result that may be ``None``; a run fails where it is ``None``."""
    message = "vmap needs a function that returns a value for each row, and for one row it returned None"
    emit("check", leaf.present.read(), "GraphTypeError", message)
    return leaf.value


def _param(trace: Trace, rows: Tensor) -> tuple[int, Form]:
    """The parameter for one of some rows, and its form."""
    builder = trace.builder
    dtype, sizes = builder.type_of(rows.read())
    return builder.param_of((dtype, list(sizes[1:]))), Form.ARRAY if len(sizes) > 1 else Form.SCALAR


def _graph_values(result: Tensor | ListOfRow | None) -> list[int]:
    if result is None:
        return []
    return list(result.values) if isinstance(result, ListOfRow) else [one.read() for one in parts_of(result)]


def _result(leaf: object) -> Tensor | ListOfRow | None:
    """A leaf of one row's result as a tensor or a list; ``None`` if the leaf is not a graph value."""
    if isinstance(leaf, StagedList):
        return ListOfRow.of(leaf)
    if isinstance(leaf, WideInt):
        raise staging_error(
            "AG145",
            "vmap of a function that returns a Python int of 64 bits without a sign",
            "return `np.uint64(h)`",
        )
    if isinstance(leaf, (Tensor, np.ndarray, np.generic)) or type(leaf) in (float, int, bool, complex):
        return lift(leaf)
    if leaf is None or isinstance(leaf, str):
        return None
    is_object = is_reference(leaf)
    raise staging_error(
        "AG145",
        f"vmap of a function that returns {'an object' if is_object else f'{with_article(type_name(leaf))}'}",
        "return arrays and numbers, or trees of them",
    )


def _rows_at(trace: Trace, value: int, is_batched: bool, axis: int | None, form: Form, size: Any) -> Tensor:
    """A result with its rows along an axis."""
    if axis is None:
        if is_batched:
            raise value_refusal(
                "AG144", "vmap has out_axes None for a result that is not the same for all rows"
            )
        return Tensor(trace, own_value(trace, value), form)
    tensor: Any = Tensor(trace, own_value(trace, value), Form.ARRAY)
    if not is_batched:
        tensor = np.broadcast_to(tensor, (size, *np.shape(tensor))).copy()
    rows: Tensor = np.moveaxis(tensor, 0, axis) if axis else tensor
    return rows
