"""Functions that ask and change tables: whatever the key is, all places that they read and write are there.

try:
    d[k] += 1            # only the KeyError of `d[k]` goes to the handler,
except LookupError:      # not each index of the search
    ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.trace.active import current_trace

_Function = TypeVar("_Function", bound=Callable[..., Any])


def certain(function: _Function) -> _Function:
    """The function, converted, whose checks ask no handler of the program."""
    request_own(function)

    def called(*args: Any) -> Any:
        trace = current_trace()
        if trace is None:
            return function(*args)
        with trace.cannot_fail():
            return converted_call(function, *args)

    called.__name__, called.__doc__ = function.__name__, function.__doc__
    return cast(_Function, called)
