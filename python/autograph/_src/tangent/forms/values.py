"""What is known of a value before the text runs: its form, and of a literal which one it is."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np


class Value:
    """What is known of a value; of this class itself, nothing."""


UNKNOWN = Value()


@dataclass(frozen=True)
class Array(Value):
    """An `np.ndarray`, and of no subclass, with this dtype and shape."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def ndim(self) -> int:
        return len(self.shape)


@dataclass(frozen=True)
class Number(Value):
    """A number of this very class: a Python number, or a scalar of NumPy's."""

    kind: type

    @property
    def is_of_numpy(self) -> bool:
        return issubclass(self.kind, np.generic)


@dataclass(frozen=True)
class Literal(Value):
    """A constant of the text: ``None``, a number, a string."""

    value: object

    def __eq__(self, other: object) -> bool:
        # 1, 1.0 and True are equal, and are not the same; nor are 0.0 and -0.0.
        return isinstance(other, Literal) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


@dataclass(frozen=True)
class Parts(Value):
    """A tuple of so many values."""

    items: tuple[Value, ...]


@dataclass(frozen=True)
class Stack(Value):
    """A list that the text has made.

    Attributes:
        site: Where. What its items are is known of all lists that are made there (`stacks.py`); ``None`` of
            one of which nothing is known.
    """

    site: Hashable = None


@dataclass(frozen=True)
class Range(Value):
    """A `range`, or what goes through one: its items are whole numbers of Python's."""


_KINDS = "fciub"
"""The kinds of dtype that are known: numbers."""


def is_known_dtype(dtype: np.dtype[Any]) -> bool:
    """Whether it is the one dtype of a class of numbers, in the byte order of the machine."""
    return dtype.kind in _KINDS and dtype is np.dtype(dtype.type)


def form_of(value: object) -> Value:
    """The form of an argument."""
    kind = type(value)
    if kind is np.ndarray:
        assert isinstance(value, np.ndarray)
        return Array(value.dtype, value.shape) if is_known_dtype(value.dtype) else UNKNOWN
    if kind in (float, int, bool, complex):
        return Number(kind)
    if value is None:
        return Literal(None)
    if isinstance(value, np.generic) and kind is value.dtype.type and is_known_dtype(value.dtype):
        return Number(kind)
    return UNKNOWN


def number_of(value: Value) -> type | None:
    """The class of a number, be it a literal."""
    if isinstance(value, Number):
        return value.kind
    if isinstance(value, Literal) and type(value.value) in (float, int, bool, complex):
        return type(value.value)
    return None


def of_elements(dtype: np.dtype[Any], shape: tuple[int, ...]) -> Value:
    """What NumPy makes of a result without axes: a scalar, and no array."""
    return Array(dtype, shape) if shape else Number(dtype.type)


def joined(one: Value, other: Value) -> Value:
    """What is known of a value that is one of two."""
    if one == other:
        return one
    if isinstance(one, Parts) and isinstance(other, Parts) and len(one.items) == len(other.items):
        return Parts(tuple(map(joined, one.items, other.items)))
    kind = number_of(one)
    return Number(kind) if kind is not None and kind is number_of(other) else UNKNOWN


def without_arrays(value: Value) -> Value:
    """What is known of a value after code that is not known ran: an array may have another shape."""
    if isinstance(value, Array):
        return UNKNOWN
    return Parts(tuple(map(without_arrays, value.items))) if isinstance(value, Parts) else value
