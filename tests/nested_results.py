"""What a result is, object by object, and whether a staged function gives what the plain one does."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from test_programs import interpreted


def shape_of(value: Any, seen: dict[int, int]) -> Any:
    """A result as something to compare: objects by their class and number, arrays by dtype and values."""
    if isinstance(value, np.ndarray):
        return ("array", str(value.dtype), value.tolist())
    if isinstance(value, (list, dict)) or hasattr(value, "__dict__"):
        if id(value) in seen:
            return ("again", seen[id(value)])
        seen[id(value)] = len(seen)
        if isinstance(value, list):
            return ["list", *(shape_of(one, seen) for one in value)]
        items = value if isinstance(value, dict) else vars(value)
        return [type(value).__name__, *((name, shape_of(one, seen)) for name, one in items.items())]
    if isinstance(value, tuple):
        return ("tuple", *(shape_of(one, seen) for one in value))
    return (type(value).__name__, value)


def agrees(function: Callable[..., Any], *inputs: tuple[Any, ...]) -> None:
    """Holds a staged function, native and interpreted, to what CPython makes of it, errors included."""
    staged = ag.function(function)
    for args in inputs:
        expected: Any
        try:
            expected = shape_of(function(*copy.deepcopy(args)), {})
        except Exception as error:
            with pytest.raises(type(error)) as caught:
                staged(*copy.deepcopy(args))
            assert str(error) in str(caught.value)
            continue
        for way in (staged, interpreted(function)):
            assert shape_of(way(*copy.deepcopy(args)), {}) == expected


NUMBERS = [(np.int64(n),) for n in (3, 0, 1, 7)]
