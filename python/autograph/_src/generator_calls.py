"""Calls of staged generator functions from outside: they give Python's own generator, which runs as written.

@ag.function
def orbits(x):                  list(orbits(x)): each step is taken when it is asked for, as in Python
while True:                 @ag.function
x = next_state(x)       def last(x): for x in orbits(x): … : the loop is staged
yield x
"""

from __future__ import annotations

import inspect
import warnings
from types import FunctionType

from autograph._src.staging.trace.frames import frames_of_ours


class GeneratorCalls:
    """Whether a function is a generator function; a first call from outside says what that means.

    Args:
        function: The user's function.
    """

    __slots__ = ("_name", "_was_told")

    def __init__(self, function: FunctionType) -> None:
        self._name = function.__name__ if inspect.isgeneratorfunction(function) else None
        self._was_told = False

    def runs_plainly(self) -> bool:
        """Whether a call from outside of staged functions makes a generator of Python."""
        if self._name is None:
            return False
        if not self._was_told:
            self._was_told = True
            warnings.warn(
                f"{self._name} is a generator function: its steps run as plain Python where code that is not"
                " staged asks for them. A staged function that loops over it stages them, and what it calls"
                " is staged if it is decorated",
                stacklevel=1 + frames_of_ours(),
            )
        return True
