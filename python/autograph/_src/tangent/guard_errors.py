"""Errors of derivatives that run: what they cannot do with the values that they were given, located.

A guard is a helper that a line of a derivative calls, and the place is the user's statement which that line
is of::

    layer_x = tangent.own(layer_x, (x, layer))      # y = layer(x)

    error[AG023]: the result of a function is changed in place, and may be an array that it was given
     --> model.py:7:5
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from autograph._src.tangent.users_lines import is_generated, users_place
from autograph.errors import ConversionError, Location


class GuardTypeError(ConversionError, TypeError):
    """A derivative was given values, or has computed some, of which its text is not the derivative.

    Attributes:
        is_of_run: Says that a statement of the derivative raises it, and if that is staged, each run there.
    """

    is_of_run = True


class GuardValueError(ConversionError, ValueError):
    """A derivative was given values, or options, that it has no rule for."""

    is_of_run = True


class GuardAside(BaseException):
    """The same where a handler of the user's may be around, which takes an `Exception`."""


def refused(code: str, reason: str, remedy: str) -> TypeError:
    """Makes the error that a guard raises.

    Args:
        code: That of the catalogue.
        reason: What cannot be done.
        remedy: What to write instead.

    Returns:
        The error; its place is the user's statement of which the derivative was running.
    """
    return GuardTypeError(reason, code=code, help=remedy, location=_place(sys._getframe(1)))


def refused_value(code: str, reason: str, remedy: str) -> ValueError:
    """Makes the error of a guard for a value that an operation takes, and its rule does not; as `refused`."""
    return GuardValueError(reason, code=code, help=remedy, location=_place(sys._getframe(1)))


def refused_aside(code: str, reason: str, remedy: str) -> BaseException:
    """Makes the error of a guard that is asked in a `try` of the user's; as `refused`."""
    return GuardAside(str(refused(code, reason, remedy)))


def require_same_lengths_of_lists(one: object, other: object) -> None:
    """Raises `TypeError` where the adjoints of one list are of two lengths: it has grown by another name.

    Of a staged list the length is not known here.
    """
    if type(one) is list and type(other) is list and len(one) != len(other):
        raise refused(
            "AG021",
            f"the derivative of a list of {len(one)} items is added to that of one of {len(other)}",
            "read a list by its own name, `ys[0]`, and let it grow by that; read it by other names when it"
            " has grown; where a derivative is differentiated, do so in another order,"
            " `tangent.grad(tangent.jvp(f))`",
        )


def plain_refused(code: str, reason: str, remedy: str) -> TypeError:
    """Make the error of a file of its own, which has no lines of the user's."""
    return TypeError(f"{reason}: {remedy} [{code}]")


def plain_refused_value(code: str, reason: str, remedy: str) -> ValueError:
    """Make the error of a file of its own for a value that has no rule."""
    return ValueError(f"{reason}: {remedy} [{code}]")


def plain_refused_aside(code: str, reason: str, remedy: str) -> BaseException:
    """Make the error of a file of its own that no handler for an `Exception` takes."""
    return BaseException(f"{reason}: {remedy} [{code}]")


def plain_require_same_lengths_of_lists(one: object, other: object) -> None:
    """Do nothing in a file of its own, where `zip` finds it."""


IN_A_FILE: dict[Any, Any] = {
    require_same_lengths_of_lists: plain_require_same_lengths_of_lists,
    refused: plain_refused,
    refused_value: plain_refused_value,
    refused_aside: plain_refused_aside,
}
"""What a file of its own has in place of these."""


def _place(frame: FrameType | None) -> Location | None:
    """The user's statement of the innermost derivative that runs."""
    while frame is not None and not is_generated(frame.f_code.co_filename):
        frame = frame.f_back
    return None if frame is None else users_place(frame.f_code.co_filename, frame.f_lineno)
