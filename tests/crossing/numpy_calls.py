"""A call of each NumPy function that is staged, with the value for each argument that it needs."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from autograph._src.numpy.calls.calls import CREATORS, OVERLOADS
from autograph._src.numpy.elementwise.ufuncs import BINARY, COMPOSED, UNARY

_MODULES = ("np", "np.linalg", "np.fft")
_OF_NO_ONE_VALUE = (
    *(np.empty, np.empty_like),  # what happens to be in memory
    *(np.linalg.svd, np.linalg.eigh),  # vectors of either sign
    *(np.linalg.lstsq, np.linalg.cond),  # a rest that is about zero, and a ratio to one that is
    np.unique_values,  # in the order of a hash
)
_OF_SORTED = {
    np.searchsorted: "np.searchsorted(np.sort(w, axis=None), w)",
    np.interp: "np.interp(w, np.sort(w, axis=None), w)",
}
"""Calls of the functions that NumPy defines for sorted values only."""


def numpy_calls() -> list[str]:
    """Expressions of `w`: ``np.sort(w)``, ``np.add(w, w)``, by name."""
    functions = [*OVERLOADS, *CREATORS, *UNARY, *BINARY, *COMPOSED]
    named = {public_name(function): function for function in functions if function not in _OF_NO_ONE_VALUE}
    return [_call(name, named[name]) for name in sorted(filter(None, named))]


def _call(name: str, function: Any) -> str:
    return _OF_SORTED.get(function) or f"{name}({', '.join(['w'] * _arity(function))})"


def public_name(function: Any) -> str:
    """The name that it has in a program; none of what is no public function."""
    for module in _MODULES:
        if getattr(eval(module), function.__name__, None) is function:
            return f"{module}.{function.__name__}"
    return ""


def _arity(function: Any) -> int:
    """How many arguments it needs."""
    if isinstance(function, np.ufunc):
        return function.nin
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # It is written in C, and says nothing.
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return max(1, sum(one.default is one.empty and one.kind in kinds for one in parameters))
