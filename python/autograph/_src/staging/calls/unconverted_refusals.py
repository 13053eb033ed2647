"""What a function of a library raises because it was given a staged value: refused at the user's line.

try:
text = json.dumps({"rate": rate})       # refused: the encoder finds no plain float
except TypeError:                           # in plain Python it is not raised
text = "none"
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from autograph._src.operators.calls import backend_inside
from autograph._src.policy import is_user_class, is_user_code, is_user_file
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.callers import steps_of
from autograph._src.staging.trace.frames import here, is_internal_file, location_of
from autograph.errors import AutographError, StagingError

_REMEDY = (
    "call it with what the staged function returns; if it gives numbers or arrays, you may also call it in a"
    " function marked `@ag.py_function`"
)

WITHOUT_LENGTH = "write it as a loop over the elements, or call it with what the staged function returns"
"""The remedy where C code is given a list or tuple of which only the run knows the length."""

_OF_PYTHON = frozenset(("builtins", "operator", "_operator", "functools", "itertools", "math", "cmath"))
"""Modules of C functions whose exceptions for staged values other rooms decide about."""

_OF_VALUES = (LookupError, StopIteration, ArithmeticError)
"""What a C function raises for the values that it is given, and not for their classes."""


@contextmanager
def refusals_of(function: Any, given: tuple[Any, ...]) -> Iterator[None]:
    """Refuses what a function of a library raises for staged values, and says where the program calls it.

    Args:
        function: The function, which is not converted.
        given: Its arguments.

    Raises:
        StagingError: In the place of what it raises (AG105).
    """
    try:
        yield
    except AutographError as error:
        where = error.location
        if _is_of_library(function) and where is not None and not is_user_file(where.file):
            error.message = (
                f"`{_name_of(function)}` is not converted, and inside of it {error.message} ({where})"
            )
            error.location, error.help = here(), _REMEDY
        elif error.code == "AG101" and _is_of_c(function) and where == here():
            needed = error.message.removesuffix(" is needed while tracing")
            error.message = f"`{_name_of(function)}` is not converted, and needs {needed} while tracing"
            error.help = _REMEDY
        elif error.code == "AG117" and _is_of_c(function) and where == here():
            error.message = f"`{_name_of(function)}` is not converted, and {error.message}"
            error.help = WITHOUT_LENGTH
        raise
    except Exception as error:
        is_c = _is_in_c(function) and not isinstance(error, _OF_VALUES)
        if not (is_c or _is_of_library(function)) or backend_inside(given) is None:
            raise
        refusal = staging_error(
            "AG105",
            f"`{_name_of(function)}` is not converted, and does not take a staged value"
            f" ({type(error).__name__} in it)",
            _REMEDY,
        )
    else:
        return
    raise refusal from None


def show_users_line(error: BaseException) -> None:
    """Moves a refusal inside of a library to the line of the program that led there; the message has both.

    ``Fraction(1, 2) ** n`` calls ``Fraction.__pow__`` where no operator of this package knows.

    Args:
        error: What has left a staged function, with its whole traceback.
    """
    where = error.location if isinstance(error, StagingError) else None
    if where is None or is_user_file(where.file):
        return
    steps = [step for step in steps_of(error.__traceback__) if is_user_file(step[0].co_filename)]
    if steps and isinstance(error, StagingError):
        error.message, error.location = f"{error.message} ({where})", location_of(*steps[-1])


def _is_of_library(function: Any) -> bool:
    """Whether a function is one of Python code that is neither the user's nor of this package."""
    if isinstance(function, type):
        initialise = getattr(function, "__init__", None)
        made_by = function.__new__ if initialise is object.__init__ else initialise
        return type(made_by) is FunctionType and _is_of_library(made_by)
    function = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(function, FunctionType):
        return False
    code = function.__code__
    return not is_user_code(code) and not is_internal_file(code.co_filename)


def _is_in_c(function: Any) -> bool:
    """Whether a function or a class is one of an extension module."""
    module = getattr(function, "__module__", None)
    is_of_c = isinstance(function, BuiltinFunctionType)
    if isinstance(function, type) and not is_user_class(function):
        is_of_c = type(getattr(function, "__init__", None)) is not FunctionType
    return is_of_c and module is not None and module not in _OF_PYTHON


def _is_of_c(function: Any) -> bool:
    """Whether a function or class is one of C code, Python's own among them: `math.prod`, `frozenset`."""
    if isinstance(function, type):
        return not is_user_class(function) and not _is_of_library(function)
    return isinstance(function, BuiltinFunctionType)


def _name_of(function: Any) -> str:
    module = str(getattr(function, "__module__", "") or "").lstrip("_")
    return str(function.__qualname__) if module in ("", "builtins") else f"{module}.{function.__qualname__}"
