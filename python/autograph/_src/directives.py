"""Directives: calls by which a program steers its own staging. In plain Python they change nothing.

>>> import autograph as ag
>>> def count(n):
...     steps = 0
...     while steps < n:
...         ag.set_loop_options(maximum_iterations=100)
...         steps += 1
...     return steps
>>> count(3)
3
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.backends.protocol import active_backend
from autograph._src.operators.loop_options import LoopOptions, current_loop

T = TypeVar("T")


def set_loop_options(
    *,
    maximum_iterations: int | None = None,
    shape_invariants: dict[str, Sequence[int | None]] | None = None,
    checkpoint: bool = False,
    memory_limit: int | None = None,
) -> None:
    """Set options of the enclosing loop. Call it as the first statement of the loop's body.

    In plain Python the call only checks its arguments.

    Args:
        maximum_iterations: A bound for a loop that might not end. A staged loop that needs more
            iterations fails with ``ag.GraphRuntimeError``. It is not ended early without an error, since
            plain Python would not end it.
        shape_invariants: Shapes of loop variables by name, with ``None`` for a size that may be any.
            A loop that breaks them is not staged: it raises :class:`autograph.StagingError`.
        checkpoint: Whether gradients save only the loop-carried variables of each iteration and compute the
            other values again, as if the body were a function of :func:`autograph.checkpoint`.
        memory_limit: The most bytes that gradients save for this loop at a time: the values of as many
            iterations as fit, and loop-carried variables to restart from. Less memory takes more time:
            each time that half as many iterations fit, the loop is computed once more.

    Raises:
        ValueError: If ``maximum_iterations`` is negative, or ``memory_limit`` is not positive.
        StagingError: When a gradient is taken and ``memory_limit`` is too small for one iteration (AG143).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> @ag.function
        ... def halve(x):
        ...     while np.sum(x) > 1.0:
        ...         ag.set_loop_options(maximum_iterations=50, shape_invariants={"x": (2,)})
        ...         x = x / 2
        ...     return x
        >>> halve(np.array([3.0, 1.0]))
        array([0.75, 0.25])
    """
    if isinstance(maximum_iterations, int) and maximum_iterations < 0:
        raise ValueError(f"maximum_iterations must not be negative, not {maximum_iterations}")
    if memory_limit is not None and memory_limit <= 0:
        raise ValueError(f"memory_limit must be positive, not {memory_limit}")
    loop = current_loop()
    if loop is not None:
        invariants = dict(shape_invariants or {})
        loop.set(LoopOptions(maximum_iterations, invariants, checkpoint, memory_limit))


def set_element_type(
    entity: object, dtype: DTypeLike | None, shape: Sequence[int | None] | None = None
) -> None:
    """Declare the element type of a list that is still empty.

    Staging learns the type from the first element that is put into the list. It needs this declaration only
    where a staged statement uses the list before that (``xs[:n]``). The declaration converts no element: a
    list of the graph whose elements have another type or shape is refused. Lists that stay Python lists
    are not checked.

    Args:
        entity: The list. For anything else the call does nothing.
        dtype: Type of the elements: a NumPy dtype, or ``float``, ``int`` or ``bool`` for Python numbers.
        shape: Shape of the elements: ``()`` for numbers, with ``None`` for a size that may be any. Without
            it only the dtype is checked.

    Raises:
        StagingError: If a list of the graph holds elements of another type or shape (AG131).

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> @ag.function
        ... def first(n):
        ...     xs = []
        ...     ag.set_element_type(xs, float, ())
        ...     head = xs[:n]
        ...     for i in range(n):
        ...         xs.append(i * 0.5)
        ...     return head, xs
        >>> first(np.int64(3))
        ([], [0.0, 0.5, 1.0])
    """
    backend = active_backend()
    if backend is not None:
        backend.declare_elements(entity, dtype, shape)


def stack(values: Sequence[Any], axis: int = 0) -> Any:
    """Stack the elements of a list into one array, as ``np.stack`` does.

    Args:
        values: A sequence of arrays or numbers, all of one shape; in a staged function also a list that a
            staged loop fills.
        axis: The axis of the result that runs over the elements.

    Returns:
        An array with one dimension more than the elements, of the dtype that ``np.stack`` chooses.

    Raises:
        ValueError: If the shapes differ, or there are no elements.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> ag.stack([1.0, 2.0])
        array([1., 2.])
        >>> @ag.function
        ... def powers(x, n):
        ...     found = []
        ...     for k in range(n):
        ...         found.append(x**k)
        ...     return ag.stack(found)
        >>> powers(np.array([1.0, 2.0]), np.int64(3))
        array([[1., 1.],
               [1., 2.],
               [1., 4.]])
    """
    backend = active_backend()
    if backend is None:
        return np.stack(values, axis=axis)
    return backend.call_numpy(np.stack, (values,), {"axis": axis})


class Directed(Generic[T]):
    """An iterable that tells ``for`` whether to stage or to unroll the loop over it.

    Attributes:
        iterable: The iterable that the loop walks.
        is_staged: True to stage the loop, False to unroll it.
    """

    def __init__(self, iterable: Iterable[T], is_staged: bool) -> None:
        self.iterable = iterable
        self.is_staged = is_staged

    def __iter__(self) -> Iterator[T]:
        return iter(self.iterable)

    def __len__(self) -> int:
        return len(self.iterable)  # type: ignore[arg-type]


def staged(iterable: Iterable[T], /) -> Iterable[T]:
    """Make a ``for`` loop over this iterable staged, however short it is.

    Args:
        iterable: A range, an array of at least one dimension, or a sequence of numbers.

    Returns:
        An iterable of the same items; outside of a trace the argument itself.

    Raises:
        StagingError: In a staged function, if a loop over the iterable cannot be staged, as over a
            dict (AG120).

    Example:
        >>> import autograph as ag
        >>> [i for i in ag.staged(range(3))]
        [0, 1, 2]
        >>> @ag.function
        ... def doubled(x):
        ...     for _ in ag.staged(range(2)):
        ...         x = x * 2.0
        ...     return x
        >>> doubled(1.0), " = for " in doubled.concrete_function(1.0).graph.text()
        (4.0, True)
    """
    return iterable if active_backend() is None else Directed(iterable, True)


def unroll(iterable: Iterable[T], /) -> Iterable[T]:
    """Unroll a ``for`` loop over this iterable: its body is recorded once for each item.

    Args:
        iterable: A range, an array of known length, or any Python iterable.

    Returns:
        An iterable of the same items; outside of a trace the argument itself.

    Raises:
        StagingError: In a staged function, if only the run knows how many items there are (AG101).

    Example:
        >>> import autograph as ag
        >>> [i for i in ag.unroll(range(3))]
        [0, 1, 2]
        >>> @ag.function
        ... def doubled(x):
        ...     for _ in ag.unroll(range(9)):
        ...         x = x * 2.0
        ...     return x
        >>> doubled(1.0), " = for " in doubled.concrete_function(1.0).graph.text()
        (512.0, False)
    """
    return iterable if active_backend() is None else Directed(iterable, False)
