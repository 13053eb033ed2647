"""Jacobians and Hessians: row by row with reverse mode, column by column with forward mode."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph._src.gradients.batching import vmap
from autograph._src.gradients.copies import Copies
from autograph._src.gradients.forward import jvp
from autograph._src.gradients.holomorphic import of_analytic
from autograph._src.gradients.recorded import (
    DifferentiatedCall,
    article,
    class_name,
    pulled_back,
    recorded,
    selected,
    with_aux,
    with_none,
)
from autograph._src.gradients.refusals import refusal
from autograph._src.gradients.reverse import grad, options_of
from autograph._src.gradients.smooth import is_float, number_of
from autograph._src.gradients.transformed import transformed
from autograph._src.operators.calls import converted_call
from autograph._src.staging.kinds.optionals import StagedOptional, required
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Tensor, type_words
from autograph._src.staging.trace.active import require_trace
from autograph._src.trees import flatten


def jacrev(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """Make a function that computes the Jacobian of ``fun`` by reverse mode: one backward pass an output.

    Args:
        fun: A function that returns a float array or scalar, or a tree of them; with ``has_aux`` a pair
            ``(tree, aux)``. ``None`` is a tree without leaves.
        argnums: The index or indices of the positional arguments to differentiate with respect to: float
            arrays or scalars, or trees of them.
        has_aux: Whether ``fun`` returns a pair whose second part is not differentiated.
        holomorphic: Whether ``fun`` is an analytic function of complex arguments, with complex results.

    Returns:
        A function of the same arguments that returns the Jacobian, or ``(jacobian, aux)``. For a result of
        shape ``s`` and an argument of shape ``t`` the Jacobian is an array of shape ``s + t``. For trees, it
        is the tree of the result with the tree of the argument in place of each leaf. If ``argnums`` is a
        sequence, it is a tuple of Jacobians.

    Raises:
        StagingError: As for :func:`autograph.grad`.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> ag.jacrev(lambda x: np.array([x[0] * x[1], x[1] ** 2]))(np.array([2.0, 3.0]))
        array([[3., 2.],
               [0., 6.]])
    """
    if holomorphic:
        return of_analytic("jacrev", jacrev, fun, argnums, has_aux)

    def record(args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        recording = recorded("jacrev", fun, args, kwargs, selected("jacrev", argnums, len(args)))
        value, aux = (recording.result, None) if not has_aux else with_aux("jacrev", recording.result)
        leaves: list[Any] = []
        _, rebuild = flatten(value, leaves)
        leaves = [None if leaf is None else number_of(required(leaf, _NO_FLOAT)) for leaf in leaves]
        _check_floats("jacrev", leaves)
        rebuild = with_none(rebuild, [leaf is None for leaf in leaves])
        rows = [_rows(recording, lift(leaf)) for leaf in leaves if leaf is not None]
        found = [recording.inputs.trees(row) for row in rows]
        if isinstance(argnums, (int, np.integer)):
            jacobian = rebuild([row[0] for row in found])
        else:
            jacobian = _transposed(rebuild, found, len(argnums))
        return (jacobian, aux) if has_aux else jacobian

    return transformed("jacrev", fun, options_of(argnums, has_aux), record)


_NO_FLOAT = "jacrev needs a function that returns floats, and this one returned None"
"""What a run says where a result that may be ``None`` is."""


def _transposed(rebuild: Callable[[list[Any]], Any], found: list[tuple[Any, ...]], count: int) -> Any:
    """A tree with a tuple of length ``count`` in place of each leaf; for a single leaf, the tuple itself."""
    return rebuild([tuple(row[place] for place in range(count)) for row in found])


def _check_floats(name: str, leaves: list[Any]) -> None:
    for leaf in leaves:
        if leaf is not None and not is_float(leaf):
            what = type_words(leaf) if isinstance(leaf, Tensor) else class_name(leaf)
            raise refusal(
                "AG142",
                f"{name} needs a function that returns floats, and this one returns {article(what)} {what}",
                "return it by `has_aux`, beside what is differentiated",
            )


def _rows(recording: DifferentiatedCall, output: Tensor) -> list[Any]:
    """The Jacobian of one output with respect to each input leaf."""

    def pulled(cotangent: Any) -> tuple[Tensor, ...]:
        return tuple(pulled_back(recording, [(output.read(), cotangent.read())]))

    if output.sizes == ():
        return list(pulled(lift(np.ones((), output.dtype)[()])))
    basis = _basis(output)
    rows = vmap(pulled)(basis)
    shape = np.shape(output)
    return [np.reshape(row, (*shape, *np.shape(row)[1:])) for row in rows]


def _basis(like: Tensor) -> object:
    """The unit vectors of a space of arrays, stacked along a new first axis."""
    shape = np.shape(like)
    count = 1
    for size in shape:
        count = count * size
    return np.reshape(np.eye(count, dtype=like.dtype), (count, *shape))


def jacfwd(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """Make a function that computes the Jacobian of ``fun`` by forward mode: one direction an input.

    Args:
        fun: As for :func:`autograph.jacrev`.
        argnums: As for :func:`autograph.jacrev`.
        has_aux: As for :func:`autograph.jacrev`.
        holomorphic: As for :func:`autograph.jacrev`.

    Returns:
        As for :func:`autograph.jacrev`.

    Raises:
        StagingError: As for :func:`autograph.grad`.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> ag.jacfwd(lambda x: x ** 2)(np.array([2.0, 3.0]))
        array([[4., 0.],
               [0., 6.]])
    """
    if holomorphic:
        return of_analytic("jacfwd", jacfwd, fun, argnums, has_aux)

    def record(args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        places = selected("jacfwd", argnums, len(args))
        found = [_columns(fun, place, has_aux, args, kwargs) for place in places]
        _, rebuild, aux = found[0]
        parts = zip(*(leaves for leaves, _, _ in found), strict=True)
        result = rebuild(found[0][0] if isinstance(argnums, (int, np.integer)) else list(parts))
        return (result, aux) if has_aux else result

    return transformed("jacfwd", fun, options_of(argnums, has_aux), record)


def _columns(
    fun: Callable[..., Any], place: int, has_aux: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], Callable[[list[Any]], Any], Any]:
    """The Jacobian with respect to one argument.

    Returns:
        The Jacobian of each leaf of the result; a function that makes the result's tree from leaves; and the
        auxiliary part of the result.
    """
    leaves: list[Any] = []
    _, rebuild = flatten(args[place], leaves)
    for leaf in leaves:
        if leaf is not None and not is_float(leaf) and type(leaf) is not float:
            what = type_words(leaf) if isinstance(leaf, Tensor) else class_name(leaf)
            raise refusal(
                "AG141", f"jacfwd is with respect to floats, and argument {place} is {article(what)} {what}"
            )
    rebuild = with_none(rebuild, [leaf is None for leaf in leaves])
    tensors = [lift(leaf) for leaf in leaves if leaf is not None]

    of_one = of_argument(fun, args, kwargs, place)

    def column(direction: object, number: int) -> Any:
        tangents = [direction if other == number else _zeros(one) for other, one in enumerate(tensors)]
        value, *found = jvp(of_one, (args[place],), (rebuild(tangents),), has_aux)
        _check_results(value)
        return tuple(found)

    aux: object = None
    parts: list[Any] = []
    for number, tensor in enumerate(tensors):
        if tensor.sizes == ():
            found = column(lift(np.ones((), tensor.dtype)[()]), number)
        else:
            axes = (-1, None) if has_aux else (-1,)
            found = vmap(functools.partial(column, number=number), out_axes=axes)(_basis(tensor))
            found = (_with_last(found[0], np.shape(tensor)), *found[1:])
        aux = found[1] if has_aux else None
        parts.append(found[0])
    if not parts:  # No direction to go in: only what the result is like is asked for.
        like, *rest = column(None, 0)
        aux = rest[0] if has_aux else None
    outputs: list[Any] = []
    _, rebuild_result = flatten(parts[0] if parts else like, outputs)
    columns = []
    for part in parts:
        found_leaves: list[Any] = []
        flatten(part, found_leaves)
        columns.append(found_leaves)
    rows = [
        None if output is None else rebuild([found[at] for found in columns])
        for at, output in enumerate(outputs)
    ]
    return rows, rebuild_result, aux


def _check_results(value: object) -> None:
    leaves: list[Any] = []
    flatten(value, leaves)
    leaves = [leaf.value if isinstance(leaf, StagedOptional) else leaf for leaf in leaves]
    _check_floats("jacfwd", [number_of(leaf) for leaf in leaves])


def of_argument(
    fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], place: int
) -> Callable[[Any], Any]:
    """A function as one of a single argument; it works on copies of the others."""
    leaves: list[Any] = []
    flatten(args[place], leaves)

    def of_one(one: object) -> object:
        copies = Copies(require_trace())
        own: list[Any] = []
        flatten(one, own)
        for leaf, made in zip(leaves, own, strict=True):
            if made is not None:
                copies.note(leaf, made)
        given = [one if number == place else copies.of_tree(arg) for number, arg in enumerate(args)]
        keywords = {key: copies.of_tree(value) for key, value in kwargs.items()}
        copies.link()
        return converted_call(fun, *given, **keywords)

    return of_one


def _zeros(like: Tensor) -> object:
    return np.zeros_like(like) if like.sizes else lift(np.zeros((), like.dtype)[()])


def _with_last(tree: object, shape: Any) -> object:
    """A tree with the last axis of each leaf reshaped into the axes of ``shape``."""
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    return rebuild([None if leaf is None else _reshaped(leaf, shape) for leaf in leaves])


def _reshaped(leaf: Any, shape: Any) -> object:
    if not isinstance(leaf, StagedList):
        return np.reshape(leaf, (*np.shape(leaf)[:-1], *shape))
    if len(shape) == 1:
        return leaf
    raise refusal(
        "AG142",
        "jacfwd of a function that returns a list that a staged statement makes",
        "return an array, `np.stack(…)`, or pass an argument of one dimension",
    )


def hessian(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Make a function that computes the Hessian of ``fun``: forward mode over reverse mode.

    Args:
        fun: A function that returns a float array or scalar, or a tree of them; with ``has_aux`` a pair
            ``(tree, aux)``.
        argnums: As for :func:`autograph.jacrev`.
        has_aux: As for :func:`autograph.jacrev`.

    Returns:
        A function of the same arguments. For an argument of shape ``t`` and a result of shape ``s`` it
        returns an array of shape ``s + t + t``; for a scalar result, ``t + t``.

    Raises:
        StagingError: As for :func:`autograph.grad`.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> ag.hessian(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 2.0]))
        array([[4., 2.],
               [2., 0.]])
    """
    return jacfwd(jacrev(fun, argnums, has_aux), argnums, has_aux)


def hvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """Compute the product of a function's Hessian and a vector without computing the Hessian.

    It uses forward mode over reverse mode (Pearlmutter, Fast Exact Multiplication by the Hessian, 1994).

    Args:
        fun: A function that returns one float.
        primals: A tuple of its arguments: float arrays and scalars, or trees of them.
        tangents: The vector: for each argument a tree of the same structure, shapes and dtypes.

    Returns:
        The product: a tree like the argument, or a tuple of such trees if there are several arguments.

    Raises:
        StagingError: As for :func:`autograph.grad`; also if the tangents do not match the primals (AG144).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> ag.hvp(lambda x: np.sum(x ** 3), (np.array([1.0, 2.0]),), (np.array([1.0, 0.0]),))
        array([6., 0.])
    """
    argnums: int | tuple[int, ...] = 0 if len(primals) == 1 else tuple(range(len(primals)))
    return jvp(grad(fun, argnums), primals, tangents)[1]
