"""Directives: what a program can say of its own staging. In plain Python they change nothing.

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
    """Say something of the loop whose body this is called in; its first statement is the place for it.

    Args:
        maximum_iterations: A staged loop that goes on after so many iterations fails with
            ``ag.GraphRuntimeError``: a bound on a loop that might not end. It never ends a loop early,
            since plain Python would not.
        shape_invariants: Shapes of loop variables by name, ``None`` for a size that is not stated.
            Staging is refused where the loop does not keep to them.
        checkpoint: Gradients save of an iteration only the variables that it begins with, and compute the
            rest again: as if the body were a function of :func:`autograph.checkpoint`.
        memory_limit: Gradients save at most so many bytes of this loop at a time: as many iterations as fit,
            and states to begin again from. Less memory takes more time: each halving of the iterations that
            fit computes the loop once more.

    Raises:
        ValueError: If ``maximum_iterations`` is negative, or ``memory_limit`` is not positive.
        StagingError: When a gradient is taken and ``memory_limit`` is less than what one iteration needs
            (AG143).

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
    """State what a list that is empty yet will hold, where staging cannot know it.

    Types are found by themselves as soon as something is put into the list. A staged statement that looks
    into a list before that (``xs[:n]``) needs this. Nothing is converted: staging is refused where a list
    of the graph holds elements of another type or shape. Lists that stay Python's are not looked at.

    Args:
        entity: The list. Anything else is let be.
        dtype: Of the elements: a dtype of NumPy, or ``float``, ``int`` or ``bool`` for Python's own numbers.
        shape: Of the elements, ``()`` for numbers and ``None`` for a size that is not stated. Without it
            only the dtype is held to.

    Raises:
        StagingError: If a list of the graph holds something else (AG131).

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
    """The elements of a list as one array.

    Args:
        values: Arrays or numbers of one shape; in a staged function also a list that a staged loop fills.
        axis: The axis of the result along which they lie.

    Returns:
        An array with one dimension more than the elements, of the dtype that ``np.stack`` gives it.

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
    """An iterable with a word on how a loop over it is staged.

    Attributes:
        iterable: What is iterated.
        is_staged: Whether the loop is to be staged, or to be unrolled.
    """

    def __init__(self, iterable: Iterable[T], is_staged: bool) -> None:
        self.iterable = iterable
        self.is_staged = is_staged

    def __iter__(self) -> Iterator[T]:
        return iter(self.iterable)

    def __len__(self) -> int:
        return len(self.iterable)  # type: ignore[arg-type]


def staged(iterable: Iterable[T], /) -> Iterable[T]:
    """Have a ``for`` loop over this staged, however short it is; it is refused where it cannot be.

    Args:
        iterable: A range, an array, or a sequence of numbers.

    Returns:
        An iterable of the same items; outside of a trace what was given.

    Raises:
        StagingError: In a staged function, if it is anything else, such as a dict (AG120).

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
    """Have a ``for`` loop over this unrolled: its body is recorded once for each item.

    Args:
        iterable: A range, an array of known length, or any iterable of Python.

    Returns:
        An iterable of the same items; outside of a trace what was given.

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
