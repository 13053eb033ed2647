"""`functools.reduce`, with a source to differentiate."""

from __future__ import annotations

import linecache
from types import FunctionType
from typing import Any

_REDUCE = """\
def reduce(function, iterable, *initial):
    found = initial[0] if initial else None
    is_first = not initial
    for item in iterable:
        if is_first:
            found = item
            is_first = False
        else:
            found = function(found, item)
    if is_first:
        raise TypeError("reduce() of empty iterable with no initial value")
    return found
"""


def _reduce() -> FunctionType:
    """What `functools.reduce` does, with a source."""
    file = "<tangent functools.reduce>"
    linecache.cache[file] = (len(_REDUCE), None, _REDUCE.splitlines(keepends=True), file)
    variables: dict[str, Any] = {"__name__": "functools"}
    exec(compile(_REDUCE, file, "exec"), variables)
    function: FunctionType = variables["reduce"]
    return function


REDUCE = _reduce()
