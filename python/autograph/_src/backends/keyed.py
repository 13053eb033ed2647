"""The back-end of dicts and sets whose keys only the run knows: items, ``in`` and builtins.

Statements and walks are those of the native back-end, which asks a table for its walk (``StandIn``).
"""

from __future__ import annotations

import builtins
import itertools
import operator
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph._src.backends.native import NativeBackend
from autograph._src.backends.protocol import backend_among, register_only
from autograph._src.operators.calls import converted_call
from autograph._src.operators.items import del_item, get_item, set_item
from autograph._src.operators.logic import AMONG, in_
from autograph._src.staging.builtins.staged_builtins import call_builtin
from autograph._src.staging.keyed.callers_sets import CallersSet
from autograph._src.staging.keyed.counters import KeyedCounter
from autograph._src.staging.keyed.deques import KeyedDeque, in_deque, item_of_deque, put_in_deque, size_of
from autograph._src.staging.keyed.dicts import KeyedDict, deleted, has_key, item_of, put
from autograph._src.staging.keyed.elements import Elements
from autograph._src.staging.keyed.iterators import KeyedIterator
from autograph._src.staging.keyed.keyed import Keyed, refusal
from autograph._src.staging.keyed.made import CALLS
from autograph._src.staging.keyed.sets import KeyedSet, elements_of, in_set
from autograph._src.staging.keyed.views import View, has_item, has_value
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.tensors.python_scalars import of_program, truth
from autograph._src.staging.trace.active import staging_error

_WALKING = frozenset(
    (
        sum,
        any,
        all,
        max,
        min,
        sorted,
        list,
        tuple,
        enumerate,
        zip,
        map,
        filter,
        reversed,
        print,
        repr,
        str,
        format,
    )
)
"""Builtins that walk over a table, or show what it is in the run."""


_WITHOUT_ORDER = frozenset((any, all, max, min, sorted))
"""Builtins of which the result does not depend on the order of a set."""


class KeyedBackend(NativeBackend):
    """See :class:`autograph._src.backends.protocol.Backend`."""

    def contains(self, item: object, container: Any) -> object:
        """``item in container``."""
        if isinstance(container, View):
            return _is_in_view(item, container)
        return converted_call(_SEARCHES[type(container)], container, item)

    def get_item(self, target: Any, index: object) -> object:
        """``target[index]``."""
        if isinstance(target, KeyedDeque):
            return converted_call(item_of_deque, target, index)
        if not isinstance(target, KeyedDict):
            raise TypeError(f"{_class_of(target).__name__!r} object is not subscriptable")
        return converted_call(item_of, target, index)

    def set_item(self, target: Any, index: object, value: Any) -> None:
        """``target[index] = value``."""
        if isinstance(target, KeyedDeque):
            converted_call(put_in_deque, target, index, value)
            return
        if not isinstance(target, KeyedDict):
            raise TypeError(f"{_class_of(target).__name__!r} object does not support item assignment")
        converted_call(put, target, index, value)

    def del_item(self, target: Any, index: object) -> None:
        """``del target[index]``."""
        if not isinstance(target, KeyedDict):
            raise TypeError(f"{_class_of(target).__name__!r} object doesn't support item deletion")
        converted_call(deleted, target, index)

    def set_attr(self, target: Any, name: str, value: object) -> None:
        """Refuses; CPython's objects have no attributes to write, but for a factory."""
        raise self.refuse(f"writing `{name}` of a {_class_of(target).__name__}")

    def is_(self, left: Any, right: Any) -> object:
        """Two tables are one if their entries are."""
        if isinstance(left, Keyed) and isinstance(right, Keyed):
            return super().is_(left.ag_index, right.ag_index) if left is not right else True
        return False

    def plain_class(self, value: object) -> type:
        """The class of the dict or set."""
        return _class_of(value)

    def call_builtin(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Records builtins that ask a table or walk over it; all others are refused."""
        own = _OWN.get(function) if not kwargs else None
        if own is not None:
            made = own(*args)
            if made is not NotImplemented:
                return made
        if function in CALLS:
            return CALLS[function](*args, **kwargs)
        if function in _WITHOUT_ORDER and isinstance(args[0], KeyedSet) and not kwargs:
            return converted_call(function, elements_of(args[0]), *args[1:])
        if function in _WALKING:
            return call_builtin(function, args, kwargs)
        table = next((one for one in (*args, *kwargs.values()) if isinstance(one, (Keyed, View))), None)
        if table is None:
            return super().call_builtin(function, args, kwargs)
        raise refusal(getattr(table, "table", table), f"given to `{getattr(function, '__name__', function)}`")

    def call_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """Refuses: NumPy would make an array of an object."""
        raise staging_error(
            "AG120", "a dict or set whose keys depend on data is given to NumPy", "give it a list"
        )


_SEARCHES: dict[type, Callable[[Any, Any], Any]] = {
    **dict.fromkeys((KeyedDict, KeyedCounter), has_key),
    **dict.fromkeys((KeyedSet, CallersSet), in_set),
    KeyedDeque: in_deque,
}


def _class_of(value: Any) -> type[Any]:
    if isinstance(value, View):
        return value.ag_class()
    if isinstance(value, Elements):
        return itertools.chain
    return value.ag_class  # type: ignore[no-any-return]


def _is_in_view(item: Any, view: View) -> object:
    if view.what == "keys":
        return converted_call(has_key, view.table, item)
    if view.what == "values":
        return converted_call(has_value, view.table, item)
    return converted_call(has_item, view.table, item) if isinstance(item, tuple) else False


def _length(value: Any) -> object:
    if isinstance(value, Elements):
        raise TypeError("object of type 'itertools.chain' has no len()")
    table = getattr(value, "table", value)
    return of_program(size_of(table) if isinstance(table, KeyedDeque) else table.ag_counts[0])


def _backwards(value: Any) -> object:
    if isinstance(value, (KeyedSet, Elements)):
        raise TypeError(f"{_class_of(value).__name__!r} object is not reversible")
    walk = value.sequence()
    return StagedIterable(walk.length, lambda position: walk.item(walk.length - 1 - position), "reversed")


def _is_instance(value: Any, classes: Any) -> object:
    return (
        issubclass(_class_of(value), classes)
        if isinstance(value, (Keyed, View, Elements))
        else NotImplemented
    )


_OWN: dict[Any, Callable[..., Any]] = {
    builtins.len: _length,
    builtins.isinstance: _is_instance,
    builtins.reversed: lambda value: _backwards(value),
    builtins.iter: KeyedIterator,
    builtins.next: lambda iterator, *default: iterator.first(*default),
    bool: lambda value: of_program(truth(value)),
    builtins.type: _class_of,
    operator.getitem: get_item,
    operator.setitem: set_item,
    operator.delitem: del_item,
    operator.contains: lambda target, item: in_(item, target),
}
"""Builtins that ask a table."""

KEYED = KeyedBackend()
register_only(KEYED, KeyedDict, KeyedCounter, KeyedSet, CallersSet, KeyedDeque, View, KeyedIterator, Elements)


def _is_among(item: Any, table: Any) -> object:
    return KEYED.contains(item, table)


def _is_in_deque(item: object, queue: Any) -> object:
    """``item in queue`` of a plain deque: as in a list."""
    return in_(item, list(queue)) if backend_among((item, *queue)) is not None else NotImplemented


AMONG[deque] = _is_in_deque
AMONG.update(dict.fromkeys((KeyedDict, KeyedCounter, KeyedSet, CallersSet, KeyedDeque, View), _is_among))
