"""Which plain values a choice may hold as constants: those that no program can change, and tell apart.

mode = "fast" if x > 0 else "safe"          # strings
state = State.RUNNING                       # members of enumerations
step = euler if order == 1 else midpoint    # functions and classes
label = NAMES[np.argmax(scores)]            # texts and dates of NumPy's
"""

from __future__ import annotations

import enum
import functools
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.policy import original_of
from autograph._src.staging.trace.references import is_reference

_TEXTS = (str, bytes)
_SCALARS = (np.str_, np.bytes_, np.datetime64, np.timedelta64)
_OF_NUMPY: tuple[type, ...] = (np.ufunc, type(np.sum))


def is_choosable(value: object) -> bool:
    """Whether a plain value may be one of several that a run chooses among.

    >>> [is_choosable(one) for one in ("a", None, len, int, 1, [], ValueError, [].append)]
    [True, True, True, True, False, False, True, False]
    >>> is_choosable(np.datetime64("2026-11-27"))
    True
    """
    kind = type(value)
    if is_value(value) or value is None or issubclass(kind, enum.Enum) or is_huge(value):
        return True
    if kind in (FunctionType, functools.partial) or issubclass(kind, _OF_NUMPY) or is_compiled(value):
        return True
    if isinstance(value, MethodType):
        return backend_of(value.__self__) is None and not is_reference(value.__self__)
    if isinstance(value, BuiltinFunctionType):
        return isinstance(value.__self__, (ModuleType, type, type(None)))
    return isinstance(value, type)


def is_huge(value: object) -> bool:
    """Whether a value is an int that no staged one can be, as in `best = 10**20`."""
    return type(value) is int and not -(2**63) <= value < 2**64


def is_compiled(value: object) -> bool:
    """Whether a value is a function of this package around one of the user: ``ag.function(f)``."""
    is_ours = type(value).__module__.partition(".")[0] == "autograph"
    return is_ours and backend_of(value) is None and original_of(value) is not None


def is_value(value: object) -> bool:
    """Whether a value is a text, or a text or date of NumPy's: equal ones may be one object or two."""
    return type(value) in _TEXTS or is_scalar_of_numpy(value)


def is_scalar_of_numpy(value: object) -> bool:
    """Whether a value is a text or date of NumPy's, which no graph value can be: ``np.str_("a")``."""
    return type(value) in _SCALARS


def compares_simply(value: object) -> bool:
    """Whether ``==`` asks no code of the user: two such constants are equal if they have one number."""
    kind = type(value)
    return kind in _TEXTS or kind.__eq__ is object.__eq__ or value is None


def compares_plainly(value: object) -> bool:
    """Whether ``==`` of a constant and this value is a Python bool, which is known while tracing."""
    return type(value) in (bool, int, float, complex, tuple) or (
        is_choosable(value) and compares_simply(value)
    )
