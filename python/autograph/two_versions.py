"""The function that ``ag.convert`` gives: the original, or its converted version where something records."""

from __future__ import annotations

import functools
from typing import Any

from autograph import operators
from autograph.backends.protocol import active_backend
from autograph.policy import ORIGINAL, STRICT


def either_version(function: Any, strict: bool | None) -> Any:
    """A function that calls a callable, converted where a back-end is active on this thread."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if active_backend() is None:
            return function(*args, **kwargs)
        return operators.converted_call(wrapper, *args, **kwargs)

    setattr(wrapper, ORIGINAL, function)
    setattr(wrapper, STRICT, strict)
    return wrapper
