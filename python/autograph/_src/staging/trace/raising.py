"""An exception that a recording comes to: where it goes is decided by the `try` statements around it."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.recorder import Value
from autograph.errors import AutographError, Location, StagingError

if TYPE_CHECKING:
    from autograph._src.staging.trace.trace import Trace

Catch = Callable[["Trace", "Raising"], bool]

CATCH: list[Catch] = []
"""Records that the run goes on in a handler; the room of branches and loops registers it."""


class Raising(NamedTuple):
    """An exception that the run raises; :meth:`Trace.check` describes the fields."""

    ok: Value | None
    kind: type[BaseException]
    name: str
    message: str
    site: int | None
    operands: tuple[Value, ...]
    raised: BaseException | None
    place: int

    def is_caught(self, trace: Trace) -> bool:
        """Records that the run goes on in a handler of the program, if one takes the exception."""
        return not issubclass(self.kind, AutographError) and CATCH[0](trace, self)


def class_named(name: str) -> type[BaseException]:
    """The class of an exception that the graph raises, by its name; our own if Python and NumPy have none."""
    found: Any = getattr(builtins, name, None) or getattr(np.linalg, name, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else AutographError


class OfPython(NamedTuple):
    """A `try` or `with` of the user that Python itself runs, while the graph is recorded.

    Attributes:
        reason: Why, as a part of a refusal.
        help: What to write instead.
    """

    reason: str
    help: str


def python_try(clause: str) -> OfPython:
    """A `try` that Python runs.

    Args:
        clause: The clause for which it does, as the user writes it; empty if a jump that stays is why.
    """
    word, _, kinds = clause.partition(" ")
    if word == "except*":
        return OfPython(
            f"Python itself runs the `try` around it, whose `{clause}` takes groups of exceptions apart",
            f"write `except {kinds}` in place of `{clause}`: what a run raises there is no group",
        )
    if word:
        return OfPython(
            f"Python itself runs the `try` around it, whose `{clause}` does more than read for its classes",
            f"compute them before the `try`, `errors = {kinds}`, and write `except errors`",
        )
    return OfPython(
        "Python itself runs the `try` around it, whose jumps nest too deeply, or which deletes a variable of"
        " another function",
        "put the body of the `try` into a function of its own",
    )


PYTHON_WITH = OfPython(
    "Python itself runs the `with` around it, since its manager leaves once",
    "write a `with` for each manager in place of an `ExitStack`, and a class with `__enter__` and `__exit__`"
    " in place of a generator that is not converted",
)


AROUND_YIELD = OfPython(
    "it would leave a generator whose `yield` is in a `with` or in a `try` with handlers, which see that",
    "take all items before they are used: `for x in list(items(values))`",
)


def python_with(name: str) -> OfPython:
    """A ``with`` that Python runs, as what its manager does is not converted.

    Args:
        name: The class of the manager, or its generator function.
    """
    return OfPython(
        f"the `with` around it is left before: `{name}` is code that is not converted, and what it does with"
        " the exception is not known",
        "write that `with` around the call of the staged function, or test for it with an `if` in place of"
        " the exception",
    )


def not_handled(
    error: str, location: Location | None = None, reason: str = "", help: str = ""
) -> StagingError:
    """The refusal of an exception that a handler of the program takes where the run cannot go there."""
    article = "an" if error[:1] in "AEIOU" else "a"
    why = reason or "from there the run cannot go to the handlers of the `try` or `with` around it"
    return StagingError(
        f"{article} {error} may be raised here when the graph runs, and {why}",
        code="AG135",
        location=location or here(),
        help=help
        or "test for it with an `if` in place of the `try`, do it before the `with`, or move either out of"
        " the staged function",
    )
