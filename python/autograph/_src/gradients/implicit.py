"""Implicit differentiation: ``custom_root`` and ``fixed_point``, whose derivatives skip the solver.

    f(x, w) = 0         dx = -(df/dx)^-1 df/dw dw

The solver's result is a constant of derivatives. What it depends on comes back by Newton steps that change
nothing: ``x - (df/dx)^-1 f(x, w)`` is ``x``, and its derivative is that of the root where that of ``df/dx``
does not matter. So each step makes derivatives of one more order right, and as many are taken as there are
transformations around the call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.convert import to_graph
from autograph._src.gradients.annotations import stop_gradient
from autograph._src.gradients.batching import over_directions
from autograph._src.gradients.forward import jvp
from autograph._src.gradients.recorded import with_aux
from autograph._src.gradients.refusals import refusal
from autograph._src.gradients.rules import closed_jvp
from autograph._src.gradients.several_types import for_each_type
from autograph._src.gradients.smooth import is_float
from autograph._src.operators.calls import converted_call
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, type_words
from autograph._src.staging.trace.active import current_trace
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import flatten

ORDER_IN_RECURSIONS = 4
"""The least order of derivatives in a function of the graph, which is recorded once for all its calls."""


def custom_root(
    f: Callable[..., Any],
    initial_guess: Any,
    solve: Callable[..., Any],
    tangent_solve: Callable[..., Any],
    has_aux: bool = False,
) -> Any:
    """Solve ``f(x) == 0``, with derivatives by the implicit function theorem.

    Derivatives of any order, forward and reverse, are taken of the equation, not of the steps of the solver:
    with respect to all that ``f`` computes with, also values around it. The initial guess has no derivative.

    Args:
        f: A function of one argument, a float array or scalar or a tree of them, that returns a tree of the
            same structure, shapes and dtypes. Its derivative must be invertible at the root.
        initial_guess: The point that the solver begins at.
        solve: Takes ``f`` and the initial guess, and returns the root. It may use control flow of any kind.
        tangent_solve: Takes a linear function ``g`` and a tree ``y``, and returns the ``x`` for which
            ``g(x) == y``. In reverse mode its steps must be linear in ``y``: ``y / g(1.0)`` for scalars.
        has_aux: Whether ``solve`` returns a pair whose second part is not differentiated.

    Returns:
        The root, or ``(root, aux)``.

    Raises:
        StagingError: If the root, or what ``f`` or ``tangent_solve`` return, is not a tree of floats like the
            root (AG144).

    Source:
        Blondel et al., Efficient and Modular Implicit Differentiation, 2022, section 2.

    Example:
        >>> import autograph as ag
        >>> def bisect(f, x):
        ...     low, high = 0.0, x
        ...     while high - low > 1e-12:
        ...         middle = (low + high) / 2
        ...         if f(middle) > 0:
        ...             high = middle
        ...         else:
        ...             low = middle
        ...     return (low + high) / 2
        >>> def cube_root(a):
        ...     return ag.custom_root(lambda x: x**3 - a, 10.0, bisect, lambda g, y: y / g(1.0))
        >>> round(ag.grad(cube_root)(8.0), 6), round(ag.grad(ag.grad(cube_root))(8.0), 6)
        (0.083333, -0.006944)
    """
    found = converted_call(solve, f, initial_guess)
    root, aux = with_aux("custom_root", found) if has_aux else (found, None)
    root = _implicit("custom_root", f, root, tangent_solve)
    return (root, stop_gradient(aux)) if has_aux else root


def fixed_point(
    fixed_point_fun: Callable[..., Any],
    init_params: Any,
    *args: object,
    maxiter: int = 100,
    tol: float = 1e-5,
    implicit_diff_solve: Callable[..., Any] | None = None,
) -> Any:
    """Iterate a function until its value is its argument, with derivatives by the implicit function theorem.

    Derivatives are those of the equation ``x == fixed_point_fun(x, *args)``, as for
    :func:`autograph.custom_root`: also with respect to values around the function.

    Args:
        fixed_point_fun: A function of ``x``, a float array or scalar or a tree of them, and of ``args``. It
            returns a tree of the structure and shapes of ``x``.
        init_params: The ``x`` to begin with; it has no derivative.
        *args: Further arguments of the function.
        maxiter: How often to call the function at most, at least 1.
        tol: It stops when the Euclidean norm of the last step is not larger.
        implicit_diff_solve: Takes a linear function ``matvec`` and a tree ``b``, and returns the ``x`` for
            which ``matvec(x) == b``, as ``tangent_solve`` does for :func:`autograph.custom_root`. By default
            the matrix is made, and solved with ``np.linalg.solve``.

    Returns:
        The last value: a tree like ``init_params``.

    Raises:
        StagingError: As for :func:`autograph.custom_root`.

    Source:
        The names are those of ``jaxopt.FixedPointIteration``; Blondel et al., Efficient and Modular Implicit
        Differentiation, 2022, section 2.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> def root(a):
        ...     return ag.fixed_point(lambda x: (x + a / x) / 2, 1.0, tol=1e-12)
        >>> round(root(9.0), 6), round(ag.grad(root)(9.0), 6)
        (3.0, 0.166667)
    """

    def difference(x: object) -> object:
        return _minus(converted_call(fixed_point_fun, x, *args), x)

    leaves: list[Any] = []
    structure, rebuild = flatten(init_params, leaves)

    def stepped(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        value = converted_call(fixed_point_fun, rebuild(list(parts)), *args)
        if flatten(value, found)[0] != structure:
            raise _other_tree("what the function of fixed_point returns", "its argument")
        return tuple(found)

    iterate = iterated if current_trace() is None else _staged_iteration()
    found = converted_call(iterate, stepped, tuple(leaves), maxiter, tol, _distance)
    root = rebuild(list(found))
    return _implicit("fixed_point", difference, root, implicit_diff_solve or solved_densely)


def iterated(
    function: Callable[[Any], Any], x: Any, maxiter: Any, tol: Any, distance: Callable[[Any, Any], Any]
) -> Any:
    """The fixed-point iteration of a tuple of leaves; converted where it is staged."""
    before, x = x, function(x)
    count, error = 1, distance(x, before)
    while error > tol and count < maxiter:
        before, x = x, function(x)
        error = distance(x, before)
        count += 1
    return x


_converted: list[Callable[..., Any]] = []


def _staged_iteration() -> Callable[..., Any]:
    if not _converted:
        _converted.append(to_graph(iterated))
    return _converted[0]


def _distance(x: tuple[Any, ...], before: tuple[Any, ...]) -> Any:
    parts = [np.sum((one - other) ** 2) for one, other in zip(x, before, strict=True)]
    return np.sqrt(sum(parts[1:], parts[0]))


def _leaves(tree: object) -> list[Any]:
    leaves: list[Any] = []
    flatten(tree, leaves)
    return leaves


def _minus(left: object, right: object) -> Any:
    leaves: list[Any] = []
    _, rebuild = flatten(left, leaves)
    return rebuild([one - other for one, other in zip(leaves, _leaves(right), strict=True)])


def _implicit(
    name: str, f: Callable[[Any], Any], root: Any, tangent_solve: Callable[[Any, Any], Any]
) -> object:
    """A root, with the derivative of the root of an equation."""
    trace = current_trace()
    if trace is None or not _order(trace):
        return root

    def record(args: tuple[Any, ...], _: dict[str, Any]) -> object:
        return _recorded(trace, name, f, args[0], tangent_solve)

    return for_each_type(record, (root,), {})


def _recorded(
    trace: Trace, name: str, f: Callable[[Any], Any], root: Any, tangent_solve: Callable[[Any, Any], Any]
) -> object:
    leaves: list[Any] = []
    structure, rebuild = flatten(root, leaves)
    for leaf in leaves:
        if not is_float(leaf):
            words = type_words(leaf) if isinstance(leaf, Tensor) else type_name(leaf)
            what = with_article(words)
            raise refusal("AG144", f"{name} is of floats, and the root holds {what}")
    root = stop_gradient(rebuild(list(leaves)))
    for _ in range(_order(trace)):
        value = converted_call(f, root)
        _require_alike(f"what the function of {name} returns", value, structure, leaves)
        root = _stepped(name, f, tangent_solve)(root, value)
    return root


def _order(trace: Trace) -> int:
    """The highest order of derivatives that may be taken of what is recorded now."""
    return max(trace.derivatives, ORDER_IN_RECURSIONS if trace.recordings else 0)


def _stepped(name: str, f: Callable[[Any], Any], tangent_solve: Callable[[Any, Any], Any]) -> Any:
    """``x - (df/dx)^-1 value``, where ``value`` is ``f(x)`` and zero: it has the value of ``x``."""

    @closed_jvp
    def root(x: Any, value: Any) -> Any:
        return x

    @root.defjvp
    def rule(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
        (x, value), (before, along) = primals, tangents

        def linear(direction: object) -> object:
            return jvp(f, (x,), (direction,))[1]

        step = converted_call(tangent_solve, linear, along)
        leaves: list[Any] = []
        structure, _ = flatten(x, leaves)
        _require_alike(f"what the tangent solver of {name} returns", step, structure, leaves)
        # Derivatives around the one that uses this rule have the rule again.
        return root(x, value), _minus(before, step)

    return root


def _require_alike(what: str, tree: object, structure: object, leaves: list[Any]) -> None:
    found: list[Any] = []
    is_same = flatten(tree, found)[0] == structure
    if is_same and all(map(_has_shape, found, leaves)):
        return
    raise _other_tree(what, "the root")


def _other_tree(what: str, like: str) -> Exception:
    return refusal(
        "AG144",
        f"{what} is another tree than {like}, or has other shapes",
        f"return a tree of floats with the structure and shapes of {like}",
    )


def _has_shape(one: object, other: object) -> bool:
    if not is_float(one):
        return False
    sizes = [lift(leaf).sizes for leaf in (one, other)]
    return len(sizes[0]) == len(sizes[1]) and all(
        left == right or None in (left, right) for left, right in zip(*sizes, strict=True)
    )


def solved_densely(matvec: Callable[[Any], Any], b: Any) -> object:
    """The solution of a linear system, of which the matrix is made column by column."""
    leaves: list[Any] = []
    _, rebuild = flatten(b, leaves)
    like = list(map(lift, leaves))
    dtype = np.result_type(*(leaf.dtype for leaf in like))
    counts = [np.size(leaf) for leaf in like]

    def flat(tree: object) -> Any:
        return np.concatenate([np.reshape(lift(leaf).astype(dtype), -1) for leaf in _leaves(tree)])

    def tree_of(vector: Any) -> Any:
        parts, begin = [], 0
        for leaf, count in zip(like, counts, strict=True):
            part = np.reshape(vector[begin : begin + count], np.shape(leaf)).astype(leaf.dtype)
            parts.append(part if leaf.form is Form.ARRAY else part[()])
            begin = begin + count
        return rebuild(parts)

    basis = np.eye(sum(counts[1:], counts[0]), dtype=dtype)
    columns = over_directions(lambda direction: flat(matvec(tree_of(direction))))(basis)
    return tree_of(np.linalg.solve(columns.T, flat(b)))
