"""What stops a recording, or leaves a part of it, and is no exception of the program.

A handler of the user's program catches none of them: they are no ``Exception``, and converted ``try``
statements let them pass.
"""

from __future__ import annotations

from autograph import _core
from autograph.errors import AutographError


class TraceControl(BaseException):
    """What stops the recording of a block, and is no exception of the program."""


NOT_OF_THE_PROGRAM = (AutographError, _core.GraphError, TraceControl, KeyboardInterrupt, GeneratorExit)
"""What a staged block lets pass: all other exceptions are the program's, and are recorded."""


class Learned(TraceControl):
    """A recording has found out a fact that it should have known from its beginning.

    The next recording of the function knows it: see :mod:`autograph._src.staging.trace.facts`.
    """


class OpEmitted(TraceControl):
    """Stops a probe that only asks whether a piece of the program emits an op."""


class UnknownResult(TraceControl):
    """Leaves a block that needs what a recursive call gives, while that is not known yet.

    Attributes:
        of: Numbers of the functions whose results are needed.
    """

    def __init__(self, of: frozenset[int]) -> None:
        super().__init__()
        self.of = of


class Refused(TraceControl):
    """Carries an error of ours through the ``try`` statements of the user, which must not catch it.

    Attributes:
        error: The error.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error
