"""Which numbers graphs give: fast ones, or those of the program's own order to the bit.

    with ag.numerics("exact"):
        gradient(weights)       # sums in the order of the program: another specialisation than the fast one

The mode is one of the thread. It is kept in Rust, where a call can look at it without Python; a graph
remembers the one that it was recorded in.
"""

from __future__ import annotations

from types import TracebackType
from typing import Literal

from autograph import _core

Numerics = Literal["fast", "exact"]
"""The modes."""

_MODES = ("fast", "exact")


def checked(mode: str) -> bool:
    """Whether a mode is exact.

    Raises:
        ValueError: If there is no such mode.
    """
    if mode not in _MODES:
        raise ValueError(f'no numerics {mode!r}: there are "fast" and "exact"')
    return mode == "exact"


def set_numerics(mode: Numerics) -> Numerics:
    """Sets which numbers the staged functions give that this thread calls from now on.

    - ``"fast"``, the mode at first: the functions of arrays are vector code, within the bounds of
      ``docs/numbers.md``; products and reductions add in an order of their own; the gradient of a weight
      that a loop uses may be one product of stacked values.
    - ``"exact"``: each sum is added up in the order of the program, each function is that of the C library,
      and no rewrite changes an order: a graph gives the bits of the reference interpreter on every machine
      with that library. Large products take twenty times longer.

    A function has a specialisation for each mode that it is called in. Inside of a staged function the mode
    of the call counts.

    Args:
        mode: ``"fast"`` or ``"exact"``.

    Returns:
        The mode before.

    Raises:
        ValueError: If there is no such mode.

    Example:
        >>> import autograph as ag
        >>> ag.set_numerics("exact")
        'fast'
        >>> ag.get_numerics(), ag.set_numerics("fast")
        ('exact', 'exact')
    """
    return "exact" if _core.set_exact(checked(mode)) else "fast"


def get_numerics() -> Numerics:
    """The mode that :func:`autograph.set_numerics` has set on this thread.

    Returns:
        ``"fast"`` or ``"exact"``.

    Example:
        >>> import autograph as ag
        >>> ag.get_numerics()
        'fast'
    """
    return "exact" if _core.is_exact() else "fast"


class numerics:  # noqa: N801 (a context manager that is written as a call, as `np.errstate` is)
    """Sets the mode of :func:`autograph.set_numerics` for a block of code.

    Args:
        mode: ``"fast"`` or ``"exact"``.

    Raises:
        ValueError: If there is no such mode.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> total = ag.function(lambda x: np.sum(x))
        >>> x = np.full(1000, 0.1)
        >>> total(x) == sum(x)
        np.False_
        >>> with ag.numerics("exact"):
        ...     total(x) == sum(x)
        np.True_
    """

    def __init__(self, mode: Numerics) -> None:
        self._is_exact = checked(mode)
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(_core.set_exact(self._is_exact))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _core.set_exact(self._before.pop())
