"""What plain Python asks of a staged value that has no elements yet: its truth, an integer, text."""

from __future__ import annotations

import inspect
import sys
from types import CodeType
from typing import Any, NoReturn

from numpy.typing import DTypeLike, NDArray

from autograph._src.staging.trace.restarts import learn_operators

_OF_TESTS = (
    "a test that depends on data must be in converted code: is this function excluded from"
    " conversion, or is the test in a `try` with `except*`, in a `match` of more than twenty cases, or in a"
    " comprehension with a star in its target, `for a, *rest in …`?"
)

_OF_GENERATORS = (
    "this generator runs as it is written: walk over it in a `for` or a builtin, keep `yield` out of"
    " `finally`, and use no value of `yield from`; or make a list in a function, `xs.append(value)` for"
    " `yield value`"
)


TO_FORMAT = "format the value itself in converted code: `print(x)`, `str(x)`, an f-string"


def _is_generator(code: CodeType) -> bool:
    """Whether code is that of a generator function, and not of a generator expression."""
    return bool(code.co_flags & inspect.CO_GENERATOR) and code.co_name != "<genexpr>"


class NeedsElements:
    """The special methods of :class:`autograph.Tensor` that raise, each with its remedy."""

    __slots__ = ()

    def _needs_value(self, what: str, help: str) -> NoReturn:
        """Raises the error that names the value."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        asking = sys._getframe(1)
        learn_operators(asking)
        self._needs_value("the truth value", _OF_GENERATORS if _is_generator(asking.f_code) else _OF_TESTS)

    def __int__(self) -> int:
        self._needs_value("the integer value", "in converted code `int(x)` is staged")

    def __float__(self) -> float:
        self._needs_value("the float value", "in converted code `float(x)` is staged")

    def __complex__(self) -> complex:
        self._needs_value("the complex value", "in converted code `complex(x)` is staged")

    def __index__(self) -> int:
        self._needs_value(
            "the integer value",
            "in converted code `xs[i]`, `range(n)` and sizes of arrays are staged",
        )

    def __array__(self, dtype: DTypeLike | None = None, copy: object = None) -> NDArray[Any]:
        self._needs_value("the elements", "this function is not staged: call it outside the staged function")

    def __format__(self, spec: str) -> str:
        self._needs_value("the text", TO_FORMAT)

    def __str__(self) -> str:
        self._needs_value("the text", TO_FORMAT)

    def __hash__(self) -> int:
        self._needs_value("the hash", "in converted code keys of dicts and elements of sets are staged")

    def __contains__(self, item: object) -> bool:
        self._needs_value("membership", "in converted code `x in array` is staged")

    def __reduce__(self) -> Any:
        self._needs_value("the elements", "pickle the result of the call")
