"""Comparisons of tuples, and of lists of a known length, that hold staged values.

    (r, c) == goal
    (cost, name) < (best, other)

The first elements that differ decide, else the lengths; what is not needed is not compared.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.calls import WALKERS, converted_call
from autograph._src.operators.identity import not_
from autograph._src.operators.logic import all_of, if_exp
from autograph._src.operators.spelled import operated
from autograph._src.staging.builtins.staged_builtins import OF_SEQUENCES


def _same(left: object, right: object) -> object:
    """Whether Python takes two elements for equal: the same object is."""
    return True if left is right else converted_call(bool, operated("eq", left, right))


def _equal(left: Any, right: Any) -> object:
    if len(left) != len(right):
        return False
    return all_of([partial(_same, one, other) for one, other in zip(left, right, strict=True)])


def _ordered(name: str, left: Any, right: Any) -> Any:
    if not left or not right:
        return getattr(operator, name)(len(left), len(right))
    half = min(len(left), len(right)) // 2
    if half >= _LONG and all(map(_is_number, (*left, *right))):  # A chain is as deep as it is long.
        return if_exp(
            _equal(left[:half], right[:half]),
            lambda: _ordered(name, left[half:], right[half:]),
            lambda: _ordered(name, left[:half], right[:half]),
        )
    return if_exp(
        _same(left[0], right[0]),
        lambda: _ordered(name, left[1:], right[1:]),
        lambda: operated(name, left[0], right[0]),
    )


_LONG = 8


def _is_number(value: object) -> bool:
    """Whether nobody sees how often a value is compared."""
    return backend_of(value) is not None or isinstance(value, (int, float, np.generic))


def _comparison(name: str) -> Callable[..., object]:
    def implementation(*operands: Any) -> object:
        if len(operands) != 2:
            return NotImplemented
        left, right = operands
        are_alike = any(isinstance(left, kind) and isinstance(right, kind) for kind in (tuple, list))
        if not are_alike or backend_of(left) is not None or backend_of(right) is not None:
            return NotImplemented
        left, right = list(left), list(right)
        if name == "eq":
            return _equal(left, right)
        return not_(_equal(left, right)) if name == "ne" else _ordered(name, left, right)

    return implementation


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    OF_SEQUENCES[getattr(operator, _name)] = _comparison(_name)
WALKERS.update(OF_SEQUENCES)
