"""NumPy's modes for division by zero, overflow and invalid values, and warnings that are errors.

A graph computes ``inf`` and ``nan`` silently. Where the caller has told NumPy to raise, call or print
instead, or Python to raise for a ``RuntimeWarning``, a staged function runs as plain Python::

    with np.errstate(divide="raise"):
        f(0.0)                  # FloatingPointError, as CPython raises it

A staged function that sets such a mode itself is refused.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.staging.trace.active import staging_error

_SILENT = ("ignore", "warn")
_NAMES = ("all", "divide", "over", "under", "invalid")
_state_of_numpy: Any = getattr(getattr(vars(np).get("_core"), "umath", None), "_extobj_contextvar", None)
"""NumPy's context variable for its modes: whoever changes a mode sets another object."""

_present: Any = np.geterr if _state_of_numpy is None else _state_of_numpy.get


_silent_modes: object = None
"""The last modes that were checked and raise nothing: recording asks at every op, so this is cached."""


def numpy_raises() -> bool:
    """Whether NumPy is to raise, call or print where a floating-point error occurs."""
    global _silent_modes
    modes = _present()
    if modes is _silent_modes and modes is not None:
        return False
    if any(mode not in _SILENT for mode in np.geterr().values()):
        return True
    _silent_modes = modes
    return False


def _warnings_raise() -> bool:
    """Whether a ``RuntimeWarning`` is an error, wherever it occurs."""
    filters: Any = warnings.filters
    for action, message, category, module, line in filters:
        if issubclass(RuntimeWarning, category):
            if action == "error":
                return True
            if message is None and module is None and line == 0:
                break
    return False


def _are_silent() -> bool:
    return not (numpy_raises() or _warnings_raise())


MODES = _core.FloatingModes(_present, vars(warnings), _are_silent)
"""Tells whether a graph may run: no mode or warning filter asks to report a floating-point error."""


def refuse_manager(manager: object) -> None:
    """Refuses ``with np.errstate(divide="raise")`` in a staged function.

    Raises:
        StagingError: If the manager sets any mode other than ``ignore``.
    """
    if not isinstance(manager, np.errstate):
        return
    given = {name: getattr(manager, f"_{name}", None) for name in _NAMES}
    loud = {name: mode for name, mode in given.items() if isinstance(mode, str) and mode != "ignore"}
    for name, mode in loud.items():
        raise _refusal(f'`np.errstate({name}="{mode}")`')


_SETTERS = ("seterr", "seterrcall", "setbufsize", "set_printoptions")
_FILTERS = (warnings.simplefilter, warnings.filterwarnings)


def refuse_setter(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuses ``np.seterr(…)`` and ``warnings.simplefilter("error")`` in a staged function.

    Raises:
        StagingError: If the call is one of these.
    """
    for name in _SETTERS:
        if function is getattr(np, name):
            raise _refusal(f"`np.{name}`")
    if function in _FILTERS and "error" in (*args[:1], kwargs.get("action")):
        raise _refusal(f'`warnings.{function.__name__}("error")`')


def _refusal(what: str) -> Exception:
    return staging_error(
        "AG107",
        f"{what} is not obeyed by a graph, which computes `inf` and `nan` and says nothing",
        "test for it, `np.isfinite(x)`, or set the mode around the call of the staged function, which runs as"
        " plain Python then",
    )


def refuse_present() -> None:
    """Refuses to record an op while NumPy's mode is to raise, which a decorator or function may have set.

    Raises:
        StagingError: If NumPy's mode is to raise, call or print.
    """
    if numpy_raises():
        raise _refusal("the mode that `np.geterr()` gives here")
