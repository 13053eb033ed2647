"""Whether the running code is converted, and ``with`` blocks that switch conversion off.

    with ag.control_status(ag.ControlStatus.DISABLED):
        y = f(x)        # f and the functions it calls run unconverted, also while tracing

A block affects its own thread only; the innermost block counts.
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
    """Whether the running code is converted, as :func:`autograph.control_status` tells it.

    Attributes:
        ENABLED: Converted code is running, and converts the functions it calls.
        DISABLED: Calls run functions unconverted.
        UNSPECIFIED: Plain Python is running, and no block has chosen a status.

    Example:
        >>> import autograph as ag
        >>> [status.value for status in ag.ControlStatus]
        ['enabled', 'disabled', 'unspecified']
    """

    ENABLED = "enabled"
    DISABLED = "disabled"
    UNSPECIFIED = "unspecified"


class StatusBlock:
    """The context manager that :func:`control_status` returns: it sets a status for its block."""

    def __init__(self, status: ControlStatus) -> None:
        self._status = status
        self._outer: list[ControlStatus | None] = []

    def __enter__(self) -> ControlStatus:
        """Sets the status, and returns it."""
        self._outer.append(getattr(_chosen, "status", None))
        _chosen.status = self._status
        return self._status

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Restores the status around the block."""
        _chosen.status = self._outer.pop()


@overload
def control_status() -> ControlStatus: ...
@overload
def control_status(status: ControlStatus, /) -> StatusBlock: ...


def control_status(status: ControlStatus | None = None, /) -> ControlStatus | StatusBlock:
    """Read the conversion status of the running code, or set it for a ``with`` block.

    Args:
        status: The status for a ``with`` block. Leave it out to read the present status.

    Returns:
        With an argument, a context manager. Without one, the status of the innermost block on this
        thread; outside all blocks ``ENABLED`` where the caller is converted code, else ``UNSPECIFIED``.

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
    """Whether a block on this thread has switched conversion off."""
    return getattr(_chosen, "status", None) is ControlStatus.DISABLED
