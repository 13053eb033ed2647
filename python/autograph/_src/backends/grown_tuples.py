"""The back-end of tuples whose length depends on data: items, ``in``, builtins and NumPy functions.

Statements and walks are those of the native back-end. A builtin that is not named here is refused: a tuple is
given to it as a list of the same elements, and not each makes the same of both.
"""

from __future__ import annotations

import builtins
import collections
import itertools
import operator
from collections.abc import Callable
from typing import Any

from autograph._src.backends.native import NativeBackend
from autograph._src.backends.protocol import register_only
from autograph._src.operators.calls import converted_call
from autograph._src.operators.items import get_item, set_item
from autograph._src.operators.logic import AMONG, in_
from autograph._src.staging.builtins.staged_builtins import call_builtin
from autograph._src.staging.calls.unconverted_refusals import WITHOUT_LENGTH
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.tensors.python_scalars import of_program, truth
from autograph._src.staging.tensors.sizes import refusal_of_tuple
from autograph._src.staging.trace.active import staging_error, type_error

_WITH_MORE = frozenset((sum, enumerate, collections.deque, dict.fromkeys))
"""Builtins that walk over their first argument, and take others."""

_REDUCING = _WITH_MORE | {any, all, max, min, sorted, list, set, reversed}
"""Builtins whose first argument is walked, and whose result does not have its class."""

_WALKING = frozenset((zip, map, filter, itertools.chain, itertools.accumulate, itertools.pairwise))
"""Builtins that walk over any of their arguments."""

_SHOWING = frozenset((print, repr, str, ascii, format))
"""Builtins that show a tuple in the run."""

_OPERATORS = frozenset(
    getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge", "add", "mul", "concat", "iadd")
)
"""Functions that are the operators of the tuple itself."""


class GrownTupleBackend(NativeBackend):
    """See :class:`autograph._src.backends.protocol.Backend`."""

    def contains(self, item: object, container: Any) -> object:
        """``item in container``."""
        if type(container) is not GrownTuple:  # A tuple among the tuples of a plain list.
            return super().contains(item, container)
        return of_program(truth(container.ag_contains(item)))

    def get_item(self, target: Any, index: object) -> object:
        """``target[index]``."""
        if type(target) is GrownTuple and type(index) is not GrownTuple:
            return target[index]
        raise refusal_of_tuple("an index")

    def set_item(self, target: Any, index: object, value: Any) -> None:
        """Raises CPython's error: a tuple has no items to write."""
        if type(target) is not GrownTuple:
            super().set_item(target, index, value)
            return
        raise type_error("'tuple' object does not support item assignment")

    def del_item(self, target: Any, index: object) -> None:
        """Raises CPython's error."""
        if type(target) is not GrownTuple:
            super().del_item(target, index)
            return
        raise type_error("'tuple' object doesn't support item deletion")

    def set_attr(self, target: Any, name: str, value: object) -> None:
        """Raises CPython's error: a tuple has no attributes to write."""
        if type(target) is not GrownTuple:
            super().set_attr(target, name, value)
            return
        has_it = hasattr(tuple, name)
        raise AttributeError(
            f"'tuple' object attribute '{name}' is read-only"
            if has_it
            else f"'tuple' object has no attribute '{name}'"
        )

    def is_(self, left: Any, right: Any) -> object:
        """Known for other values than tuples."""
        if left is right:
            return True
        other = right if type(left) is GrownTuple else left
        if isinstance(other, StagedOptional):
            return super().is_(left, right)
        if other is None or not isinstance(other, (tuple, GrownTuple)):
            return False
        raise staging_error("AG120", "whether two tuples are one object is not known", "use `==`")

    def plain_class(self, value: object) -> type:
        """``tuple``."""
        return tuple if type(value) is GrownTuple else super().plain_class(value)

    def call_builtin(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Records builtins that ask a tuple or walk over it; all others are refused."""
        own = _OWN.get(function) if not kwargs and args and type(args[0]) is GrownTuple else None
        if own is not None:
            return own(*args)
        if not any(map(_is_grown, (*args, *kwargs.values()))):
            return super().call_builtin(function, args, kwargs)
        is_exception = isinstance(function, type) and issubclass(function, BaseException)
        if is_exception or function in _SHOWING or function in _OPERATORS:
            return call_builtin(function, args, kwargs)
        is_first = function in _REDUCING and not any(map(_is_grown, (*args[1:], *kwargs.values())))
        is_walk = function in _WALKING and not any(map(_is_grown, kwargs.values()))
        if (is_first and (len(args) == 1 or function in _WITH_MORE)) or is_walk:
            return converted_call(function, *map(_as_list, args), **kwargs)
        raise staging_error(
            "AG120",
            f"a tuple whose length depends on data is given to `{getattr(function, '__name__', function)}`",
            WITHOUT_LENGTH,
        )

    def call_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """The function of a list of the elements, of which NumPy makes the same array."""
        named = {name: _as_list(value) for name, value in kwargs.items()}
        return super().call_numpy(function, tuple(map(_as_list, args)), named)


def _is_grown(value: object) -> bool:
    return type(value) is GrownTuple


def _as_list(value: Any) -> Any:
    return value.ag_list() if type(value) is GrownTuple else value


def _is_among(item: Any, values: Any) -> object:
    return GROWN_TUPLES.contains(item, values)


_OWN: dict[Any, Callable[..., Any]] = {
    builtins.len: lambda values: of_program(values.ag_count()),
    builtins.isinstance: lambda _, classes: issubclass(tuple, classes),
    builtins.type: lambda _: tuple,
    builtins.tuple: lambda values: values,
    builtins.iter: lambda values: call_builtin(iter, (values,), {}),
    bool: lambda values: of_program(values.ag_truth()),
    operator.getitem: get_item,
    operator.setitem: set_item,
    operator.contains: lambda values, item: in_(item, values),
}
"""Builtins that ask a tuple."""

GROWN_TUPLES = GrownTupleBackend()
register_only(GROWN_TUPLES, GrownTuple)
AMONG[GrownTuple] = _is_among
