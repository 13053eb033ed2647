"""``jacobian``: Jacobians of which most entries are zero, in a few directions and not one for each column.

[ a b . . ]        columns 0 and 2 have no row in common, nor have 1 and 3:
[ . c d . ]        the derivatives along e0 + e2 and e1 + e3 have all entries
[ . . e f ]
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, ParamSpec

import numpy as np
from numpy.typing import NDArray

from autograph._src.function import Function
from autograph._src.gradients.batching import over_directions
from autograph._src.gradients.copies import Copies, own_value
from autograph._src.gradients.dependencies import UnknownSize, dependencies
from autograph._src.gradients.forward import jvp
from autograph._src.gradients.jacobians import of_argument
from autograph._src.gradients.recorded import selected
from autograph._src.gradients.refusals import refusal
from autograph._src.gradients.reverse import vjp
from autograph._src.gradients.smooth import is_float, number_of
from autograph._src.gradients.transformed import staged_as, transformed
from autograph._src.staging.kinds.optionals import required
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import current_trace, require_trace
from autograph._src.trees import flatten

P = ParamSpec("P")


class SparseJacobian(NamedTuple):
    """The entries of a Jacobian that may differ from zero, with the names of ``jax.experimental.sparse``.

    Attributes:
        data: The entries.
        indices: The row and the column of each: those of the flattened result and of the flattened argument.
        shape: The number of rows and of columns.
    """

    data: Any
    indices: NDArray[np.int64]
    shape: tuple[int, int]

    def todense(self) -> Any:
        """The whole matrix."""
        dense = np.zeros(self.shape, self.data.dtype)
        dense[self.indices[:, 0], self.indices[:, 1]] = self.data
        return dense


def jacobian(fun: Callable[P, Any], argnums: int = 0, sparsity: Any = None) -> Callable[P, SparseJacobian]:
    """Make a function that computes a sparse Jacobian of ``fun``, in as few directions as its zeros allow.

    Columns that have no row in common are computed in one direction of forward mode, or rows that have no
    column in common in one of reverse mode, whichever needs fewer directions.

    Args:
        fun: A function that returns a float array.
        argnums: The index of the positional argument to differentiate with respect to: a float array.
        sparsity: A matrix that is true, or not zero, where the Jacobian may be: a row for each element of the
            result, a column for each of the argument. Without it the graph of ``fun`` says which elements of
            the result depend on which of the argument, for all values of the argument.

    Returns:
        A function of the same arguments that returns a named tuple ``(data, indices, shape)``: the entries,
        the row and the column of each, and the shape. ``todense()`` gives the matrix.

    Raises:
        StagingError: As for :func:`autograph.grad`; in a call, if the matrix has another shape, or if there
            is none and the call is in staged code, or the result has a size that only a run knows (AG144).

    Source:
        Curtis, Powell and Reid, On the Estimation of Sparse Jacobian Matrices, 1974; Gebremedhin, Manne and
        Pothen, What Color Is Your Jacobian?, 2005, section 3.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> steps = ag.jacobian(lambda x: x[1:] * x[:-1])(np.array([1.0, 2.0, 3.0]))
        >>> steps.data, steps.indices.tolist()
        (array([2., 1., 3., 2.]), [[0, 0], [0, 1], [1, 1], [1, 2]])
        >>> steps.todense()
        array([[2., 1., 0.],
               [0., 3., 2.]])
    """
    detected = Detected(fun)
    given = None if sparsity is None else np.asarray(sparsity) != 0

    def of(*args: P.args, **kwargs: P.kwargs) -> SparseJacobian:
        place = selected("jacobian", argnums, len(args))[0]
        if not is_float(args[place]):
            raise refusal("AG141", f"jacobian is with respect to a float array, and argument {place} is none")
        pattern = detected(place, args, kwargs) if given is None else given
        data = transformed(
            "jacobian",
            fun,
            (place, pattern.shape, pattern.tobytes()),
            lambda args, kwargs: _entries(fun, pattern, place, args, kwargs),
        )(*args, **kwargs)
        return SparseJacobian(data, np.argwhere(pattern), (pattern.shape[0], pattern.shape[1]))

    return of


class Detected:
    """The patterns that the graphs of a function have.

    Args:
        function: The function.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._found: dict[Hashable, tuple[Function[..., Any], Any, list[Any], NDArray[np.bool_]]] = {}

    def __call__(self, place: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> NDArray[np.bool_]:
        """The pattern of a call: that of the last one, if the graph is the same."""
        if current_trace() is not None:
            raise refusal(
                "AG144",
                "which entries of the Jacobian are zero is not known in staged code",
                "pass `sparsity`, an array that is made outside of the staged function",
            )
        x = np.asarray(args[place])
        key, arrays = _key_of(place, args, kwargs)
        before = self._found.get(key)
        if before is not None:
            staged, concrete, around, pattern = before
            is_same = staged.concrete_function(x) is concrete
            if is_same and all(map(np.array_equal, around, _around(concrete, arrays))):
                return pattern
        staged = staged_as("jacobian", _of_one, lambda given, _: self._record(place, args, kwargs, given[0]))
        concrete = staged.concrete_function(x)
        around = _around(concrete, arrays)
        try:
            pattern = dependencies(concrete.graph, [None, *around], 0)
        except UnknownSize:
            raise refusal(
                "AG144",
                "which entries of the Jacobian are zero is not known: a size depends on the run",
                "pass `sparsity`",
            ) from None
        # The arrays may be written later: their present elements belong to the pattern.
        kept = [None if one is None else one.copy() for one in around]
        self._found[key] = (staged, concrete, kept, pattern)
        return pattern

    def _record(self, place: int, args: tuple[Any, ...], kwargs: dict[str, Any], x: Any) -> object:
        """A call of the function whose first output is its result, whatever it writes."""
        copies, trace = Copies(require_trace()), require_trace()
        found = of_argument(self._function, args, kwargs, place)(copies.of_tree(x))
        result = number_of(required(found, "jacobian needs a function that returns floats, not None"))
        if not is_float(result):
            raise refusal("AG142", "jacobian needs a function that returns a float array or number")
        return Tensor(trace, own_value(trace, lift(result).read()), None)


def _of_one(x: object) -> None:
    """Provides its parameter to the staged function."""


def _key_of(place: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Hashable, list[Any]]:
    """What the graph of the other arguments depends on, and the arrays among them."""
    leaves: list[Any] = []
    structure, _ = flatten((args, kwargs), leaves)
    arrays = [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]
    parts = [
        (leaf.shape, leaf.dtype.str) if isinstance(leaf, np.ndarray) else (type(leaf), _hashable(leaf))
        for leaf in leaves
    ]
    return (place, structure, tuple(parts)), arrays


def _hashable(leaf: Any) -> Hashable:
    try:
        hash(leaf)
    except TypeError:
        return id(leaf)
    return leaf  # type: ignore[no-any-return]


def _around(concrete: Any, arrays: list[Any]) -> list[Any]:
    """The arrays around the function; ``None`` for arguments, whose elements may be others next time."""
    return [None if any(one is array for array in arrays) else one for one in concrete._captured]


def _entries(
    fun: Callable[..., Any],
    pattern: NDArray[np.bool_],
    place: int,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """The entries of the Jacobian where the pattern is true, row by row."""
    x: Any = lift(args[place])
    by_column, by_row = coloured(pattern), coloured(pattern.T)
    rows, columns = np.nonzero(pattern)
    function = of_argument(fun, args, kwargs, place)
    if pattern.shape[1] != np.size(x):
        raise _other_shape(pattern, "columns", np.size(x), "argument")
    if max(by_column, default=-1) <= max(by_row, default=-1):
        seeds = _seeds(by_column, x)

        def along(direction: Any) -> Any:
            return np.reshape(jvp(function, (x,), (direction,))[1], -1)

        found = over_directions(along)(seeds)
        if np.shape(found)[1] != pattern.shape[0]:
            raise _other_shape(pattern, "rows", np.shape(found)[1], "result")
        return found[by_column[columns], rows]
    value, pull = vjp(function, x)
    if np.size(value) != pattern.shape[0]:
        raise _other_shape(pattern, "rows", np.size(value), "result")
    seeds = _seeds(by_row, lift(value))
    found = over_directions(lambda cotangent: np.reshape(pull(cotangent)[0], -1))(seeds)
    return found[by_row[rows], columns]


def _seeds(colours: NDArray[np.int64], like: Any) -> NDArray[Any]:
    """For each colour an array that is 1 at its elements."""
    count = max(1, int(colours.max(initial=-1)) + 1)
    made: NDArray[Any] = (colours == np.arange(count)[:, None]).astype(like.dtype)
    return made.reshape(count, *np.shape(like))


def _other_shape(pattern: NDArray[np.bool_], what: str, size: object, of: str) -> Exception:
    return refusal(
        "AG144",
        f"the sparsity has shape {pattern.shape}, and its {what} are the {size} elements of the {of}",
    )


def coloured(pattern: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A number for each column, so that columns of one number have no row in common.

    Columns with the most entries choose first, each the least number that is free.
    """
    counts = pattern.sum(axis=0)
    colours = np.full(pattern.shape[1], -1)
    taken = np.zeros((0, pattern.shape[0]), bool)  # By colour, the rows that it has.
    for column in np.argsort(-counts, kind="stable"):
        rows = pattern[:, column]
        free = np.flatnonzero(~(taken & rows).any(axis=1))
        if not free.size:
            free, taken = np.array([len(taken)]), np.vstack([taken, np.zeros(pattern.shape[0], bool)])
        colours[column] = free[0]
        taken[free[0]] |= rows
    return colours
