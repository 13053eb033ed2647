"""Functions that do or give something else each time they are called: which, and what messages call them.

Log messages and warnings are effects like `print`: converted code records them, and each run has them.
"""

from __future__ import annotations

import datetime
import functools
import io
import logging
import os
import warnings
from collections.abc import Callable
from typing import Any

RECORDED: frozenset[Callable[..., Any]] = frozenset(
    [
        print,
        warnings.warn,
        *(getattr(logging, name) for name in ("debug", "info", "warning", "error", "critical", "log")),
        *(getattr(logging.Logger, name) for name in ("debug", "info", "warning", "error", "critical", "log")),
    ]
)
"""Functions that are recorded as effects of the graph even if all arguments are plain."""

_MODULES = frozenset(("random", "numpy.random", "time", "secrets", "uuid", "locale", "_locale"))
_FUNCTIONS: dict[Any, str] = {
    open: "`open`",
    input: "`input`",
    os.urandom: "`os.urandom`",
    os.open: "`os.open`",
    os.read: "`os.read`",
    os.write: "`os.write`",
    os.system: "`os.system`",
}

_NOW = frozenset(("now", "today", "utcnow"))
_CACHE = type(functools.lru_cache(len))


def impure_name(function: object) -> str | None:
    """The name of an impure function for messages; ``None`` if the function is pure."""
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", "function")
    module = getattr(function, "__module__", None) or getattr(type(owner), "__module__", "")
    if isinstance(owner, _CACHE):
        return f"`{name}` of a function with a cache"
    if isinstance(owner, io.IOBase):
        return f"`{name}` of a file"
    if isinstance(owner, type) and issubclass(owner, datetime.date) and name in _NOW:
        return f"`{owner.__name__}.{name}`"
    if module in _MODULES or str(module).startswith("numpy.random."):
        return f"`{module}.{name}`"
    try:
        return _FUNCTIONS.get(function)
    except TypeError:
        return None


def frozen_result(name: str) -> str:
    """The message for a call or a step that gives something else each time.

    >>> frozen_result("`time.time`")
    '`time.time` would run once, while tracing, and its result be frozen into the graph'
    """
    return f"{name} would run once, while tracing, and its result be frozen into the graph"
