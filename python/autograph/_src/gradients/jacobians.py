"""Jacobians and Hessians: row by row with reverse mode, column by column with forward mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ParamSpec

import numpy as np

from autograph._src.articles import with_article
from autograph._src.gradients.batching import over_directions
from autograph._src.gradients.copies import Copies
from autograph._src.gradients.forward import jvp
from autograph._src.gradients.holomorphic import of_analytic
from autograph._src.gradients.recorded import (
    DifferentiatedCall,
    class_name,
    pulled_back,
    recorded,
    selected,
    with_aux,
    with_none,
)
from autograph._src.gradients.refusals import refusal
from autograph._src.gradients.reverse import grad, options_of
from autograph._src.gradients.smooth import is_float, number_of, values_of
from autograph._src.gradients.transformed import transformed
from autograph._src.operators.calls import converted_call
from autograph._src.staging.calls.made_trees import made_tree
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.kinds.optionals import StagedOptional, required
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, type_words, wrap
from autograph._src.staging.trace.active import require_trace
from autograph._src.trees import flatten

P = ParamSpec("P")


def jacrev(
    fun: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[P, Any]:
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
        jacobian = made_tree(jacobian)
        return (jacobian, aux) if has_aux else jacobian

    making = (jacrev, (fun, argnums, has_aux))
    return transformed("jacrev", fun, options_of(argnums, has_aux), record, making=making)


_NO_FLOAT = "jacrev needs a function that returns floats, and this one returned None"
"""What a run says where a result that may be ``None`` is."""


def _transposed(rebuild: Callable[[list[Any]], Any], found: list[tuple[Any, ...]], count: int) -> Any:
    """A tree with a tuple of length ``count`` in place of each leaf; for a single leaf, the tuple itself."""
    return rebuild([tuple(row[place] for place in range(count)) for row in found])


def _check_floats(name: str, leaves: list[Any]) -> None:
    for leaf in leaves:
        if leaf is not None and not is_float(leaf):
            what = type_words(leaf) if isinstance(leaf, Tensor) else class_name(leaf)
            is_list = isinstance(leaf, StagedList)
            raise refusal(
                "AG142",
                f"{name} needs a function that returns floats, and this one returns {with_article(what)}",
                "return an array: `np.stack(…)`"
                if is_list
                else "return it by `has_aux`, beside what is differentiated",
            )


def _rows(recording: DifferentiatedCall, output: Tensor) -> list[Any]:
    """The Jacobian of one output with respect to each input leaf."""

    def pulled(cotangent: Any) -> tuple[Tensor, ...]:
        return tuple(pulled_back(recording, [(output.read(), cotangent.read())]))

    if output.sizes == ():
        return list(pulled(lift(np.ones((), output.dtype)[()])))
    basis = _basis(output)
    rows = over_directions(pulled)(basis)
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
    fun: Callable[P, Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[P, Any]:
    """Make a function that computes the Jacobian of ``fun`` by forward mode: one direction an input.

    Args:
        fun: As for :func:`autograph.jacrev`; its results may be complex.
        argnums: As for :func:`autograph.jacrev`.
        has_aux: As for :func:`autograph.jacrev`.
        holomorphic: As for :func:`autograph.jacrev`.

    Returns:
        As for :func:`autograph.jacrev`; the Jacobian of a complex result is complex.

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
        for place in places:
            _check_argument(args[place], place)
        if isinstance(argnums, (int, np.integer)):
            leaves, rebuild, aux = _columns(fun, places[0], has_aux, args, kwargs)
        else:
            leaves, rebuild, aux = _columns(
                _of_several(fun, places), 0, has_aux, _apart(args, places), kwargs
            )
        result = made_tree(rebuild(leaves))
        return (result, aux) if has_aux else result

    making = (jacfwd, (fun, argnums, has_aux))
    return transformed("jacfwd", fun, options_of(argnums, has_aux), record, making=making)


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
    rebuild = with_none(rebuild, [leaf is None for leaf in leaves])
    tensors = [lift(leaf) for leaf in leaves if leaf is not None]

    of_one = of_argument(fun, args, kwargs, place)

    forms: list[Form | None] = []

    def column(*directions: Any) -> Any:
        value, *found = jvp(of_one, (args[place],), (rebuild(list(directions)),), has_aux)
        _check_results(value)
        forms[:] = _forms(value)
        return tuple(found)

    # The function is called once, in the directions of all leaves: what it prints and draws happens once.
    if [tensor.sizes for tensor in tensors] == [()]:
        found = column(lift(np.ones((), tensors[0].dtype)[()]))
        parts = [found[0]]
    elif tensors:
        axes = (-1, None) if has_aux else (-1,)
        found = over_directions(column, axes)(*_bases(tensors))
        parts = _parts(found[0], tensors, forms)
    else:  # No direction to go in: only what the result is like is asked for.
        found, parts = column(), []
    aux = found[1] if has_aux else None
    outputs: list[Any] = []
    _, rebuild_result = flatten(found[0], outputs)
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
    leaves = [leaf for leaf in leaves if not (isinstance(leaf, StagedList) and values_of(leaf))]
    # A tangent is complex where its value is: forward mode needs no cotangent of it.
    numbers = [number_of(leaf) for leaf in leaves]
    _check_floats("jacfwd", [leaf for leaf in numbers if not is_complex(leaf)])


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


def _forms(value: object) -> list[Form | None]:
    """The form of each leaf of a result; ``None`` for what is no tensor."""
    leaves: list[Any] = []
    flatten(value, leaves)
    return [lift(leaf).form if is_float(leaf) or is_complex(leaf) else None for leaf in leaves]


def _check_argument(arg: object, place: int) -> None:
    leaves: list[Any] = []
    flatten(arg, leaves)
    for leaf in leaves:
        if leaf is not None and not is_float(leaf) and type(leaf) is not float:
            what = type_words(leaf) if isinstance(leaf, Tensor) else class_name(leaf)
            raise refusal(
                "AG141", f"jacfwd is with respect to floats, and argument {place} is {with_article(what)}"
            )


def _of_several(fun: Callable[..., Any], places: Sequence[int]) -> Callable[..., Any]:
    """The function with the arguments at these places as one, a tuple, before the others."""

    def of_tuple(given: tuple[Any, ...], *others: object, **kwargs: object) -> Any:
        rest, chosen = iter(others), dict(zip(places, given, strict=True))
        count = len(given) + len(others)
        args = [chosen[place] if place in chosen else next(rest) for place in range(count)]
        return converted_call(fun, *args, **kwargs)

    return of_tuple


def _apart(args: tuple[Any, ...], places: Sequence[int]) -> tuple[Any, ...]:
    """The arguments for :func:`_of_several`."""
    others = [arg for place, arg in enumerate(args) if place not in places]
    return (tuple(args[place] for place in places), *others)


def _size(like: Tensor) -> Any:
    count: Any = 1
    for size in np.shape(like):
        count = count * size
    return count


def _bases(tensors: list[Tensor]) -> list[Any]:
    """For each leaf its part of the unit vectors of all leaves together, along a new first axis."""
    if len(tensors) == 1:
        return [_basis(tensors[0])]
    counts = [_size(tensor) for tensor in tensors]
    bases = []
    for number, tensor in enumerate(tensors):
        rows = [
            np.eye(count, dtype=tensor.dtype)
            if other == number
            else np.zeros((count, counts[number]), tensor.dtype)
            for other, count in enumerate(counts)
        ]
        bases.append(np.reshape(np.concatenate(rows), (sum(counts), *np.shape(tensor))))
    return bases


def _parts(tree: object, tensors: list[Tensor], forms: list[Form | None]) -> list[Any]:
    """For each input leaf the tree of the derivatives by it: a piece of the last axis of each leaf."""
    leaves: list[Any] = []
    _, rebuild = flatten(tree, leaves)
    parts, start = [], 0
    for tensor in tensors:
        stop = start + _size(tensor)
        pieces = zip(leaves, forms, strict=True)
        parts.append(made_tree(rebuild([_piece(leaf, form, tensor, start, stop) for leaf, form in pieces])))
        start = stop
    return parts


def _piece(leaf: Any, form: Form | None, by: Tensor, start: Any, stop: Any) -> object:
    if leaf is None:
        return None
    if isinstance(leaf, StagedList):
        return _of_list(leaf, by)
    piece: Any = np.reshape(leaf[..., start:stop], (*np.shape(leaf)[:-1], *np.shape(by)))
    # A number by a number is a number of the result's form.
    return piece if form is None or piece.ndim else wrap(lift(piece).read(), form)


def _of_list(leaf: StagedList, by: Tensor) -> StagedList:
    """The derivatives of the elements of a list, which only the run can count."""
    if len(by.sizes) == 1:
        return leaf
    raise refusal(
        "AG142",
        "jacfwd of a function that returns a list that a staged statement makes",
        "return an array, `np.stack(…)`, or pass an argument of one dimension",
    )


def hessian(
    fun: Callable[P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[P, Any]:
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
