"""Draws that a run asks Python for: of ``random``, and of NumPy's generators before ``np.random.Generator``.

    random.random()                 # the module's own state: the numbers of plain Python, in its order
    np.random.normal(size=3)        # that of `np.random.seed`

Each is a call of :func:`autograph.py_function`. It looks at no object of the program, so that it may stand
between writes to objects of the caller. Where a call fails that writes, it is made again as plain Python, and
draws again: from the state that the failed run began with.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from autograph._src.py_function import PyFunction
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.trace import Trace


class _OfRuns(threading.local):
    """What stands in a thread for a generator that the program makes: each thread may make a run."""

    def __init__(self, kind: type[Any]) -> None:
        self.generator = kind()


def made(kind: type[Any], seed: object = None) -> Any:
    """``kind(seed)``, which is seeded wherever a run comes to it: what it was before is over then."""
    trace = require_trace()
    if trace.recordings:
        raise staging_error(
            "AG123",
            f"a recursive function makes a `{words_of(kind)}` in each call, and a run has one of them",
            "make it outside, and pass it as an argument",
        )
    generator = kind()
    trace.made_generators[id(generator)] = generator, _OfRuns(kind)
    Draw(generator, method_of(generator, "seed"), None)(seed)
    return generator


def method_of(owner: Any, name: str) -> Callable[..., Any]:
    """A method of what stands for a generator in a run."""
    made, method = require_trace().made_generators.get(id(owner)), getattr(owner, name)
    if made is None:
        return method  # type: ignore[no-any-return]
    of_runs = made[1]
    return wraps(method)(lambda *args, **kwargs: getattr(of_runs.generator, name)(*args, **kwargs))


def words_of(kind: type[Any]) -> str:
    """The class of a generator in messages.

    >>> words_of(np.random.RandomState)
    'np.random.RandomState'
    """
    return f"{'np.random' if kind is np.random.RandomState else 'random'}.{kind.__name__}"


class Draw(PyFunction[..., Any]):
    """A function that runs ask for numbers.

    Args:
        owner: The generator whose state it draws from.
        method: The function.
        result: The type of its result, as for :func:`autograph.py_function`.
    """

    __slots__ = ("_owner",)

    def __init__(self, owner: object, method: Callable[..., Any], result: object) -> None:
        super().__init__(method, result)
        self._owner = owner
        self.__module__ = __name__  # What it asks is its own: a run makes the call.

    def _begin(self, trace: Trace) -> None:
        """Notes whose state a call that is made again has to find as it was.

        Raises:
            StagingError: In a function of ``ag.vmap``, for each row of which a loop would draw (AG145).
        """
        if trace.calls_of_rows:
            raise staging_error(
                "AG145",
                f"{self!r} in a function of ag.vmap would draw once for all rows",
                "draw before, for each row, and pass the numbers as an argument",
            )
        owner = self._owner
        if id(owner) in trace.made_generators:
            return  # It is made again.
        if type(owner) is random.Random:
            trace.draws[id(owner)] = owner.getstate, owner.setstate
        elif isinstance(owner, np.random.RandomState):
            trace.draws[id(owner)] = owner.get_state, owner.set_state

    def __repr__(self) -> str:
        module = words_of(type(self._owner)).rpartition(".")[0]
        return f"`{module}.{self.__wrapped__.__name__}`"
