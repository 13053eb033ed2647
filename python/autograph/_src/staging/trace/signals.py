"""Internal exceptions that stop a recording, or leave a block of it.

A handler of the user's program catches none of them: they do not derive from ``Exception``, and converted
``try`` statements let them pass.
"""

from __future__ import annotations

from autograph import _core
from autograph._src.made_errors import tell
from autograph.errors import AutographError


class TraceControl(BaseException):
    """The base class of the internal exceptions that stop the recording of a block."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        tell(self)


NOT_OF_THE_PROGRAM = (AutographError, _core.GraphError, TraceControl, KeyboardInterrupt, GeneratorExit)
"""Exceptions that pass through a staged block; all others are the program's own and are recorded."""


class Learned(TraceControl):
    """A recording has found out a fact that it should have known from its beginning.

    The next recording of the function knows it: see :mod:`autograph._src.staging.trace.facts`.
    """


class OpEmitted(TraceControl):
    """Stops a probe that only asks whether a piece of the program emits an op."""


class HasEffects(TraceControl):
    """Leaves code that is asked for a value more often than CPython asks, and writes to an object."""


class UnknownResult(TraceControl):
    """Leaves a block that needs the result of a recursive call whose type is not known yet.

    Attributes:
        of: Numbers of the functions whose results are needed.
    """

    def __init__(self, of: frozenset[int]) -> None:
        super().__init__()
        self.of = of


class Failed(TraceControl):
    """Leaves a block whose run always goes on in a handler of the program, or leaves a block around."""


class Refused(TraceControl):
    """Carries an error of this package through the user's ``try`` statements, which must not catch it.

    Attributes:
        error: The error.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error
