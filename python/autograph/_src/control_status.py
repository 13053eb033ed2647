"""Whether the running code is converted, and blocks in which calls do not convert.

    with ag.control_status(ag.ControlStatus.DISABLED):
        y = f(x)        # f and what it calls run as they are, also while tracing

What is chosen holds for a thread. The choice of the innermost block counts.
"""

from __future__ import annotations

import threading
from enum import Enum
from types import TracebackType
from typing import overload

from autograph._src.load import is_converted_code
from autograph._src.staging.trace.frames import user_frame

_chosen = threading.local()


class ControlStatus(Enum):
    """Whether code is converted.

    Attributes:
        ENABLED: Converted code is running, and converts what it calls.
        DISABLED: Calls run functions as they are.
        UNSPECIFIED: Nothing was said: plain Python is running.

    Example:
        >>> import autograph as ag
        >>> [status.value for status in ag.ControlStatus]
        ['enabled', 'disabled', 'unspecified']
    """

    ENABLED = "enabled"
    DISABLED = "disabled"
    UNSPECIFIED = "unspecified"


class StatusBlock:
    """The context manager that :func:`control_status` gives: one status for a block."""

    def __init__(self, status: ControlStatus) -> None:
        self._status = status
        self._outer: list[ControlStatus | None] = []

    def __enter__(self) -> ControlStatus:
        """Chooses the status; gives it."""
        self._outer.append(getattr(_chosen, "status", None))
        _chosen.status = self._status
        return self._status

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Goes back to the status around the block."""
        _chosen.status = self._outer.pop()


@overload
def control_status() -> ControlStatus: ...
@overload
def control_status(status: ControlStatus, /) -> StatusBlock: ...


def control_status(status: ControlStatus | None = None, /) -> ControlStatus | StatusBlock:
    """The status of the running code, or a block with another status.

    Args:
        status: The status for a ``with`` block. Without it, the present one is asked for.

    Returns:
        The status that the innermost block on this thread chose; without any, ``ENABLED`` where the
        caller is converted code and ``UNSPECIFIED`` where it is not. With an argument, the context
        manager.

    Raises:
        TypeError: If the argument is not a :class:`ControlStatus`.

    Example:
        >>> import autograph as ag
        >>> ag.control_status()
        <ControlStatus.UNSPECIFIED: 'unspecified'>
        >>> with ag.control_status(ag.ControlStatus.DISABLED):
        ...     ag.control_status()
        <ControlStatus.DISABLED: 'disabled'>
        >>> ag.to_graph(lambda: ag.control_status())()
        <ControlStatus.ENABLED: 'enabled'>
    """
    if status is not None:
        if not isinstance(status, ControlStatus):
            raise TypeError(f"a status is an ag.ControlStatus, not {type(status).__name__}")
        return StatusBlock(status)
    chosen: ControlStatus | None = getattr(_chosen, "status", None)
    if chosen is not None:
        return chosen
    frame = user_frame()
    is_converted = frame is not None and is_converted_code(frame.f_code)
    return ControlStatus.ENABLED if is_converted else ControlStatus.UNSPECIFIED


def is_disabled() -> bool:
    """Whether calls run functions as they are."""
    return getattr(_chosen, "status", None) is ControlStatus.DISABLED
