"""What a run of a program did: result, exception, output, the log, and the objects it left behind.

Objects are described by structure, with numbers for identity, so that a list that is copied where it
should be shared differs:

>>> shared = [1]
>>> describe([shared, shared]) == describe([[1], [1]])
False

Where an object was in memory means nothing, in a text of the program neither:

>>> describe(repr(object())) == describe(repr(object()))
True
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import re
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np


@dataclasses.dataclass
class Outcome:
    """One run.

    Attributes:
        result: Description of the result.
        error: Class and message of the exception, those of its causes, and the program's line.
        printed: What was printed.
        effects: Description of the log, the global variables and the arguments afterwards.
        refusal: The refusal of the package, if it refused.
    """

    result: Any = None
    error: tuple[Any, ...] | None = None
    printed: str = ""
    effects: Any = None
    refusal: ag.AutographError | None = None


def observe(run: Callable[[], Any], effects: Callable[[], Any], file: str) -> Outcome:
    """Runs a program and says what it did."""
    outcome, printed, result = Outcome(), io.StringIO(), None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            result = run()
        except ag.AutographError as error:
            outcome.refusal = error
        except Exception as error:
            outcome.error = describe_error(error, file)
    outcome.printed = plain(printed.getvalue())
    described = describe([result, effects()])
    outcome.result, outcome.effects = described[2]
    return outcome


def plain(text: str) -> str:
    """Text without addresses."""
    return re.sub(r"0x[0-9a-f]+", "0x", text) if "0x" in text else text


def describe_error(error: BaseException, file: str) -> tuple[Any, ...]:
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    causes = []
    cause: BaseException | None = error
    while cause is not None and len(causes) < 4:
        # What CPython was doing when the stack was full is in the message, and is nobody's business.
        text = plain(str(cause)) if not isinstance(cause, RecursionError) else "too deep"
        causes.append((type(cause).__name__, text, cause.__suppress_context__))
        cause = cause.__cause__ or cause.__context__
    return (*causes, line)


def describe(value: Any, seen: dict[int, int] | None = None) -> Any:
    """A value as nested tuples that compare by type and structure."""
    kind = type(value)
    if kind in (int, str, bool, type(None), float, bytes):
        return (kind.__name__, plain(repr(value)))
    seen = {} if seen is None else seen
    if kind is tuple:
        return ("tuple", [describe(part, seen) for part in value])
    if id(value) in seen:
        return ("again", seen[id(value)])
    number = seen[id(value)] = len(seen)
    if kind is list:
        return ("list", number, [describe(part, seen) for part in value])
    if kind is dict:
        return ("dict", number, [describe(part, seen) for pair in value.items() for part in pair])
    if kind is set:
        return ("set", number, sorted(plain(repr(part)) for part in value))
    if isinstance(value, BaseException):
        return (kind.__name__, plain(str(value)))
    if kind.__module__ == "program":
        names = sorted({*getattr(value, "__dict__", {}), *getattr(kind, "__slots__", ())})
        parts = [(name, describe(getattr(value, name), seen)) for name in names if hasattr(value, name)]
        return (kind.__name__, number, parts)
    return (kind.__name__, number)


def difference(got: Outcome, want: Outcome, has_lines: bool) -> str | None:
    """The name of the first part that differs, or `None`."""
    got_error, want_error = got.error, want.error
    if not has_lines:
        got_error, want_error = got_error and got_error[0][:2], want_error and want_error[0][:2]
    if got_error != want_error and not has_lost_line(got_error, want_error):
        return "error"
    for part in ("result", "printed", "effects"):
        if getattr(got, part) != getattr(want, part):
            return part
    return None


def has_lost_line(got: tuple[Any, ...] | None, want: tuple[Any, ...] | None) -> bool:
    """Whether only the lines differ, of a variable that is unbound.

    CPython 3.11 gives the line before where it has joined two instructions of a warm function, of
    which the second reads the variable.
    """
    return (
        got is not None and want is not None and got[:-1] == want[:-1] and want[0][0] == "UnboundLocalError"
    )
