"""Staged Python numbers, which show the program only the attributes of ``int``, ``float`` and ``bool``.

The package needs the dtype and shape of every staged value. The user's program must not see them:

    n = int(x)
    hasattr(n, "shape")        # False, as for the int it stands for
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph._src.staging.tensors.tensor import Form, Tensor, plain_class, register_class
from autograph._src.staging.trace.frames import is_internal_file


def missing_attribute(number: Tensor, name: str) -> AttributeError:
    """CPython's error for an attribute that a number does not have."""
    return AttributeError(f"{plain_class(number).__name__!r} object has no attribute {name!r}")


def asks_the_user() -> bool:
    """Whether the user's code, and not this package, reads the attribute."""
    return not is_internal_file(sys._getframe(2).f_code.co_filename)


def _of_the_package(name: str) -> property:
    """A property for an attribute of tensors that is hidden from the user's code."""
    inherited = getattr(Tensor, name)

    def read(self: Tensor) -> Any:
        if asks_the_user():
            raise missing_attribute(self, name)
        return inherited.__get__(self)

    def write(self: Tensor, value: object) -> None:
        inherited.__set__(self, value)

    return property(read, write)


METHODS_OF_INT: dict[str, Callable[[Tensor], object]] = {}
"""By name: methods of staged ints and bools that are algorithms of their own."""


class NumberTensor(Tensor):
    """A tensor that stands for a Python ``bool``, ``int`` or ``float``."""

    __slots__ = ()

    shape = _of_the_package("shape")
    dtype = _of_the_package("dtype")
    ndim = _of_the_package("ndim")
    size = _of_the_package("size")
    itemsize = _of_the_package("itemsize")
    nbytes = _of_the_package("nbytes")
    T = _of_the_package("T")

    @property
    def real(self) -> Any:
        """The number itself; for a bool, an int."""
        return +self

    @property
    def imag(self) -> Any:
        """Zero, of the number's type."""
        return 0.0 if plain_class(self) is float else 0

    @property
    def numerator(self) -> object:
        """The number itself, for ints and bools only."""
        return self._of_int("numerator", +self)

    @property
    def denominator(self) -> object:
        """One, for ints and bools only."""
        return self._of_int("denominator", 1)

    def _of_int(self, name: str, value: object) -> object:
        if plain_class(self) is float:
            raise missing_attribute(self, name)
        return value

    def __getattr__(self, name: str) -> Any:
        if name == "is_integer" and plain_class(self) is float:
            return lambda: self % 1 == 0
        if name == "conjugate":
            return lambda: +self
        method = METHODS_OF_INT.get(name)
        if method is not None and plain_class(self) is not float:
            return partial(method, self)
        if not name.startswith("__") and asks_the_user() and not hasattr(plain_class(self), name):
            raise missing_attribute(self, name)
        return super().__getattr__(name)


def _named(name: str) -> type[NumberTensor]:
    """A subclass named like the plain class, which CPython's messages show: "... 'str' and 'int'"."""
    return type(name, (NumberTensor,), {"__slots__": (), "__doc__": f"A staged Python {name}."})


NUMBER_TENSORS = {"bool": _named("bool"), "int64": _named("int"), "float64": _named("float")}
"""The class of staged Python numbers, by dtype name."""

register_class(Form.PYTHON, lambda dtype: NUMBER_TENSORS.get(dtype, NumberTensor))
