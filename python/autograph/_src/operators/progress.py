"""Progress bars of tqdm in staged functions.

A staged function makes its bar at every run of the graph, and the bar moves during the run:

    for i in tqdm(range(n)):        # the running graph calls `tqdm`
        x = step(x)

Recognised are tqdm's class and its subclasses (such as those of `tqdm.auto`), its `trange` functions, bars
that were made outside of the staged function, and methods of bars. tqdm is never imported here: a program
that uses a bar has imported it.
"""

from __future__ import annotations

import sys
from types import FunctionType, MethodType


def bar_class() -> type | None:
    """The class of tqdm's bars, or ``None`` if the program has not imported tqdm."""
    module = sys.modules.get("tqdm.std")
    return None if module is None else getattr(module, "tqdm", None)


def is_bar(value: object) -> bool:
    """Whether a value is a bar of tqdm."""
    kind = bar_class()
    return kind is not None and isinstance(value, kind)


def makes_progress(function: object) -> bool:
    """Whether a callable makes, moves or shows a bar."""
    kind = bar_class()
    if kind is None:
        return False
    if isinstance(function, type):
        return issubclass(function, kind)
    if type(function) is MethodType:
        owner = function.__self__
        return isinstance(owner, kind) or (isinstance(owner, type) and issubclass(owner, kind))
    return range_maker(function) is not None


def range_maker(function: object) -> type | None:
    """The class of the bar that ``trange`` or a function like it makes; ``None`` for other functions."""
    if type(function) is not FunctionType or function.__name__ not in ("trange", "tnrange", "tarange"):
        return None
    found = function.__globals__.get("tqdm")
    kind = bar_class()
    is_class = kind is not None and isinstance(found, type) and issubclass(found, kind)
    return found if is_class else None
