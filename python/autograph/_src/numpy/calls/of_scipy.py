"""Functions of ``scipy.special`` that are written in Python, and the refusal of those that are not known.

    special.logsumexp(x)        the version here, where an argument is staged
    special.comb(x, 2)          refused, by its name

SciPy is never imported here: a function is known by its name, where it is what SciPy has by that name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

from autograph._src.staging.trace.active import staging_error
from autograph.errors import StagingError

Implementation = TypeVar("Implementation", bound=Callable[..., object])

FUNCTIONS_OF_SCIPY: dict[str, Callable[..., object]] = {}
"""For each name, the version that runs when an argument is staged; its parameters have SciPy's names."""


def function_of_scipy(implementation: Implementation) -> Implementation:
    """Registers the version of the function of ``scipy.special`` with the function's name."""
    FUNCTIONS_OF_SCIPY[implementation.__name__.strip("_")] = implementation
    return implementation


def is_of_scipy(function: object) -> bool:
    """Whether a value is a function of ``scipy.special``.

    >>> is_of_scipy(len)
    False
    """
    name = getattr(function, "__name__", None)
    module = sys.modules.get("scipy.special")
    return module is not None and name is not None and getattr(module, name, None) is function


def call_of_scipy(function: Callable[..., object], args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """Calls the staged version of a function of ``scipy.special``.

    Raises:
        StagingError: If there is none (AG107).
    """
    implementation = FUNCTIONS_OF_SCIPY.get(function.__name__)
    if implementation is not None:
        return implementation(*args, **kwargs)
    try:
        return function(*args, **kwargs)  # Some are written with functions of NumPy that are staged.
    except StagingError as error:
        if error.code not in ("AG101", "AG107"):
            raise
    raise staging_error(
        "AG107",
        f"`scipy.special.{function.__name__}` of a staged value is not supported yet",
        "call it outside the staged function, or write it with supported functions",
    )
