"""Methods called through their class. CPython's methods accept values of their own class only.

float.is_integer(x)         # of a staged float: `x.is_integer()`
float.__mul__(2.0, x)       # refused: CPython gives a float or `NotImplemented`, by the class of `x`
"""

from __future__ import annotations

from types import MethodDescriptorType, MethodWrapperType, WrapperDescriptorType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_among, backend_of
from autograph._src.staging.trace.frames import here
from autograph.errors import DtypeError, StagingError

_NUMBERS = (int, float, complex, np.generic)
_OF_OBJECTS = ("__repr__", "__str__", "__format__", "__eq__", "__ne__", "__hash__")
"""Methods of `object` that format, compare or hash a value."""


def refuse_special_method(function: object, args: tuple[Any, ...]) -> None:
    """Refuses ``float.__mul__`` and ``(2.0).__mul__`` with a staged argument, which they do not know.

    Raises:
        StagingError: If the function is such a method and an argument is staged.
    """
    if not isinstance(function, (WrapperDescriptorType, MethodWrapperType)) or backend_among(args) is None:
        return
    owner = function.__objclass__
    if issubclass(owner, _NUMBERS) or (owner is object and function.__name__ in _OF_OBJECTS):
        raise StagingError(
            f"`{owner.__name__}.{function.__name__}` of a staged value",
            code="AG105",
            location=here(),
            help="write the operator or the function that calls it: `a * b`, `a == b`, `repr(a)`",
        )


def refuse_dtype(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuses ``a.astype(x)`` with a staged ``x``: NumPy would use the dtype of the staged value.

    Raises:
        StagingError: If a method of a NumPy array gets a staged value as its dtype.
    """
    if not isinstance(function.__self__, (np.ndarray, np.generic)):
        return
    is_first = function.__name__ in ("astype", "view")
    if backend_among((kwargs.get("dtype"), *(args[:1] if is_first else ()))) is not None:
        message = f"`dtype=` of `{function.__name__}` is a value, not a type"
        raise DtypeError(message, code="AG109", location=here(), help="give its type: `a.astype(x.dtype)`")


def bound_to_number(function: object, args: tuple[Any, ...]) -> object:
    """The bound method of a staged number for ``float.is_integer(x)``; ``None`` for other functions."""
    if not isinstance(function, MethodDescriptorType) or not args:
        return None
    value = args[0]
    backend = backend_of(value)
    if backend is None or not issubclass(backend.plain_class(value), function.__objclass__):
        return None
    return getattr(value, function.__name__, None)
