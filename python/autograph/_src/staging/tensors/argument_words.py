"""CPython's own error messages for bad arguments of builtins that this package replaces.

    xs.append()             # list.append() takes exactly one argument (0 given)
    max(xs, first=1)        # 'first' is an invalid keyword argument for max()
    range(None, n)          # 'NoneType' object cannot be interpreted as an integer

To get the message, this module calls the builtin itself with plain values of the same classes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.staging.tensors.tensor import Form, Tensor, plain_class
from autograph._src.staging.trace.active import staging_error
from autograph.errors import AutographError

_ITSELF = (bool, int, float, complex, str, bytes, type(None), type, range, np.ndarray, np.generic)
"""Classes of values that the builtin gets as they are, since these calls do not change them."""


def call_in_place_of(
    original: Callable[..., Any], stand_in: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    """``stand_in(*args, **kwargs)``; if it raises a ``TypeError``, raises the original's instead."""
    try:
        return stand_in(*args, **kwargs)
    except TypeError as error:
        if not isinstance(stand_in, FunctionType) or isinstance(error, AutographError):
            raise
        traceback = error.__traceback__
        is_misfit = traceback is not None and traceback.tb_next is None
        words = words_of(original, args, kwargs, is_misfit=is_misfit)
        if words is None:
            raise
        raise words from None


def misfit_of(
    original: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> Exception:
    """The exception that a builtin raises for arguments of these classes, or an error of ours."""
    words = words_of(original, args, kwargs or {})
    name = getattr(original, "__name__", str(original))
    return words or staging_error(
        "AG105", f"`{name}` of these arguments, one of which is staged", "call it outside the staged function"
    )


def words_of(
    original: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], *, is_misfit: bool = False
) -> Exception | None:
    """The exception that a builtin raises for arguments of these classes; ``None`` if none or unknown.

    Args:
        original: The builtin, which changes nothing but its arguments.
        args: Its arguments, some of which are staged.
        kwargs: The named arguments.
        is_misfit: Whether their number or names are wrong. The builtin checks these first, so dummy objects
            can stand for arguments without a plain sample.
    """
    unknown: list[Any] = []
    given = [_sample_of(one, unknown) for one in args]
    named = {name: _sample_of(one, unknown) for name, one in kwargs.items()}
    if unknown and not is_misfit:
        return None
    try:
        original(*given, **named)
    except TypeError as error:
        return error.with_traceback(None)
    except Exception as error:
        # Other exceptions depend on the values; those of `delitem` on these samples do not.
        return error.with_traceback(None) if original is operator.delitem else None
    return None


def _sample_of(value: object, unknown: list[Any]) -> object:
    """A plain value of the same class; a value without one is added to ``unknown``."""
    if isinstance(value, Tensor):
        is_array = value.form is Form.ARRAY
        return np.ones((1,) * len(value.sizes), value.dtype) if is_array else plain_class(value)(1)
    if isinstance(value, list):
        return [] if backend_of(value) is not None else [_sample_of(one, unknown) for one in list.copy(value)]
    if type(value) is tuple:
        return tuple(_sample_of(one, unknown) for one in value)
    if type(value) in (*DICT_CLASSES, set, frozenset):
        return type(value)()
    if isinstance(value, _ITSELF):
        return value
    unknown.append(value)
    return object()
