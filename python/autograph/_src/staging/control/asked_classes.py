"""Code of the user that runs where a recording asks for the classes of a handler.

    try:
        y = xs[i]
    except reader.errors:       # a property: CPython asks it where something is raised, and nowhere else
        y = 0.0

A recording asks at each place that may raise, so that what such code does would be done too often.
"""

from __future__ import annotations

import dis
import functools
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any

from autograph._src.backends.plain_try import Kinds
from autograph._src.policy import is_user_code


@contextmanager
def user_code_run_by(kinds: Kinds) -> Iterator[list[CodeType]]:
    """Gives a list, to which code of the user is added that runs while the classes are asked for.

    A profiler of the program goes on instead: there can be one only.
    """
    own = {kind.__code__ for kind in kinds if isinstance(kind, FunctionType)}
    found: list[CodeType] = []
    if all(map(_only_names, own)) or sys.getprofile() is not None:
        yield found
        return
    own.update(inner for code in own.copy() for inner in _inner(code))

    def see(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code not in own and is_user_code(frame.f_code):
            found.append(frame.f_code)

    collects = gc.isenabled()
    gc.disable()  # What it would end, such as a generator, is code of the user too, and none of the classes'.
    sys.setprofile(see)
    try:
        yield found
    finally:
        sys.setprofile(None)
        if collects:
            gc.enable()


@functools.lru_cache(256)
def _only_names(code: CodeType) -> bool:
    """Whether a function only reads variables, which runs no code of the user."""
    return not any(
        step.opname.startswith(("CALL", "LOAD_ATTR", "LOAD_METHOD", "BINARY", "LIST_EXTEND"))
        for step in dis.get_instructions(code)
    )


def _inner(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inner(constant)
