"""Staged versions of builtins that iterate, such as ``sum``, ``any``, ``max``, ``map`` and ``next``.

Over an array, a staged range or a generator over one, each is a loop of the graph that stops where CPython
would stop.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.calls import called_in_iterator, comparing_keys, converted_call
from autograph._src.operators.logic import all_of, any_of, if_exp
from autograph._src.staging.builtins.staged_builtins import TABLE, staged
from autograph._src.staging.control import iteration
from autograph._src.staging.control.comprehensions import grown_list, stage_list
from autograph._src.staging.control.iteration import StagedIterator
from autograph._src.staging.control.walking import walk
from autograph._src.staging.kinds.optionals import NOT_ITERABLE, StagedOptional, required_itself
from autograph._src.staging.kinds.union_values import type_of_all
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.list_contents import staged_contents
from autograph._src.staging.lists.list_operands import is_plain
from autograph._src.staging.lists.list_order import less
from autograph._src.staging.lists.list_searches import Variable
from autograph._src.staging.lists.list_sorting import sorted_contents
from autograph._src.staging.lists.staged_iterable import StagedIterable, Step
from autograph._src.staging.lists.traced_list import StagedList, TracedList, made_list, staged_list
from autograph._src.staging.operators.optional_operators import in_order
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import negate, require, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.statements import records


def _items(iterable: object) -> StagedIterable | None:
    """The staged iterable for an argument; ``None`` if Python is to walk it."""
    return iteration.staged_iterable(iterable)


@staged(builtins.sum)
def _sum(iterable: Any, /, start: Any = 0) -> object:
    if isinstance(iterable, Tensor) and iterable.ndim == 1 and iterable.dtype.kind == "f":
        return _sum_of_array(iterable, start)
    items = _items(iterable)
    if items is None:
        return functools.reduce(lambda one, other: one + other, iterable, start)
    first, rest = _first_and_rest(items)
    total = Variable("the sum", start if first is None else start + first)

    def add(item: Any) -> None:
        total.value = total.value + item

    walk(rest, add, total.state)
    return total.value


def _sum_of_array(values: Any, start: object) -> object:
    """``sum`` of a float array; for an empty array it is ``start`` itself, usually an int."""

    def total() -> Any:
        # NumPy adds in another order than CPython, which differs only in rounding.
        found = np.sum(values)
        return found if type(start) is int and start == 0 else found + start

    if isinstance(values.size, int):
        return total() if values.size else start
    return if_exp(values.size > 0, total, lambda: start)


def _first_and_rest(items: StagedIterable) -> tuple[Any, StagedIterable]:
    """The first item, if there certainly is one, and the rest; starting from an item fixes the types."""
    if isinstance(items.length, Tensor) or items.length == 0 or items.is_filtered() or items.endings:
        return None, items
    items.use()
    return items.item(0), StagedIterable(items.length - 1, lambda position: items.item(position + 1))


def _until(name: str, stops_at: bool) -> Callable[[Any], Any]:
    """Makes ``any``, which stops at the first true item, or ``all``, which stops at the first false one."""

    def implementation(iterable: Any) -> object:
        if isinstance(iterable, Tensor) and iterable.ndim == 1:
            reduce = np.any if stops_at else np.all
            return truth(reduce(iterable))
        items = _items(iterable)
        if items is None:
            return _until_in_python(list(iterable), stops_at)
        found = Variable(f"the result of `{name}`", not stops_at)

        def test(item: Any) -> None:
            found.value = truth(item)

        walk(items, test, found.state, lambda: negate(lift(found.value)) if stops_at else found.value)
        return found.value

    return implementation


def _until_in_python(values: list[Any], stops_at: bool) -> Tensor | bool:
    if not values:
        return not stops_at
    tests = [functools.partial(_truth_of, value) for value in values]
    return truth((any_of if stops_at else all_of)(tests))


def _truth_of(value: object) -> object:
    return truth(value) if isinstance(value, (Tensor, np.generic)) else bool(value)


TABLE[any] = _until("any", True)
TABLE[all] = _until("all", False)


_NOTHING = object()


def _extreme(name: str) -> Callable[..., Any]:
    def implementation(*args: Any, key: Any = None, default: object = _NOTHING) -> object:
        (values,) = [required_itself(args[0], NOT_ITERABLE, TypeError)] if len(args) == 1 else (args,)
        if isinstance(values, Tensor) and values.ndim == 1 and values.sizes != (0,) and key is None:
            return _extreme_of_array(name, values, default)
        items = _items(values)
        if items is not None:
            return _extreme_staged(name, items, key, default)
        found = list(values)
        if not found:
            return NotImplemented
        best = (found[0], _key_of(key, found[0]))
        for value in found[1:]:
            best = _better(name, best, (value, _key_of(key, value)))
        return best[0]

    return implementation


def _extreme_of_array(name: str, values: Tensor, default: object) -> object:
    """``max(x)`` or ``min(x)`` of an array, which may be empty in the run."""
    if isinstance(values.size, int):
        return _first_extreme(name, values)
    has_some = values.size > 0
    if default is not _NOTHING:
        return if_exp(has_some, lambda: _first_extreme(name, values), lambda: default)
    require(has_some, ValueError, _words_for_empty(name))
    return _first_extreme(name, values)


def _first_extreme(name: str, values: Tensor) -> object:
    """The extreme that Python's comparisons give: a NaN wins if it comes first and loses otherwise."""
    if values.dtype.kind != "f":
        return getattr(np, name)(values)
    worst = values.dtype.type(-np.inf if name == "max" else np.inf)
    places = getattr(np, f"arg{name}")(np.where(np.isnan(values), worst, values))
    return np.where(np.isnan(values[0]), values[0], values[places])[()]


def _extreme_staged(name: str, items: StagedIterable, key: object, default: object) -> object:
    if items.is_filtered():  # The items that stay, with their keys, are a list.
        pairs = grown_list(items, lambda item: (item, _key_of(key, item)), None, is_of_program=False)
        return extreme_of_pairs(name, pairs, default)
    if not isinstance(items.length, Tensor) and items.length == 0:
        return NotImplemented if default is _NOTHING else default
    items.use()
    if isinstance(items.length, Tensor):
        return _extreme_of_some(name, items, key, default)
    return _extreme_staged_from_first(name, items, key)


def extreme_of_pairs(name: str, pairs: Any, default: object = _NOTHING) -> object:
    """``max`` or ``min`` of the first parts of pairs, whose second parts are the keys."""
    items = _items(pairs)
    if items is None:
        if not pairs:
            return getattr(builtins, name)([], **({} if default is _NOTHING else {"default": default}))
        return functools.reduce(functools.partial(_better, name), pairs)[0]
    return _extreme_of_some(name, items, None, default, are_pairs=True)


def _extreme_of_some(
    name: str, items: StagedIterable, key: object, default: object, *, are_pairs: bool = False
) -> object:
    """``max`` or ``min`` of items of a staged number; the run raises if there is none and no ``default``."""
    has_items = items.length > 0
    if default is not _NOTHING:
        return if_exp(
            has_items, lambda: _extreme_staged_from_first(name, items, key, are_pairs), lambda: default
        )
    require(has_items, ValueError, _words_for_empty(name))
    return _extreme_staged_from_first(name, items, key, are_pairs)


def _words_for_empty(name: str) -> str:
    """This CPython version's message for ``max([])`` or ``min([])``."""
    try:
        getattr(builtins, name)([])
    except ValueError as error:
        return str(error)
    return ""


def _extreme_staged_from_first(name: str, items: StagedIterable, key: Any, are_pairs: bool = False) -> object:
    def with_key(item: Any) -> tuple[Any, Any]:
        return item if are_pairs else (item, _key_of(key, item))

    best = Variable(f"the result of `{name}`", with_key(items.item(0)))

    def compare(item: Any) -> None:
        best.value = _better(name, best.value, with_key(item))

    rest = StagedIterable(items.length - 1, lambda position: items.item(position + 1))
    walk(rest, compare, best.state)
    return best.value[0]


def _key_of(key: object, value: object) -> Any:
    return value if key is None else converted_call(key, value)


def _better(name: str, best: tuple[Any, Any], other: tuple[Any, Any]) -> Any:
    """The better of two (value, key) pairs; of equals the first, as in CPython."""
    small, large = (best[1], other[1]) if name == "max" else (other[1], best[1])
    with nullcontext() if best[1] is best[0] else comparing_keys(name):
        if isinstance(small, (tuple, list)) and type(small) is type(large):
            try:
                test: object = _less(small, large)
            except _IsStaged:
                test = less(small, large)
        else:
            test = in_order(large, ">", small) if name == "max" else in_order(small, "<", large)
    return if_exp(test, lambda: _compared(other), lambda: _compared(best))


def _compared(pair: tuple[Any, Any]) -> tuple[Any, Any]:
    """A value and its key after a comparison, which would have raised if the key were ``None``."""
    value, key = pair
    if not isinstance(key, StagedOptional):
        return pair
    return key.value if value is key else value, key.value


TABLE[max] = _extreme("max")
TABLE[min] = _extreme("min")


@staged(sorted)
def _sorted(iterable: object, /, *, key: object = None, reverse: object = False) -> object:
    return sorted_values(iterable, key, reverse)


@records(statements.sorted_values)
def sorted_values(iterable: Any, key: Any, reverse: object) -> Any:
    """``sorted(iterable, key=key, reverse=reverse)`` while tracing."""
    items = _items(iterable)
    if items is not None and (isinstance(items.length, Tensor) or items.is_filtered()):
        return _sorted_list(grown_list(items, lambda item: item, None), key, bool(reverse))
    values = list(iterable) if items is None else stage_list(items, lambda item: item)
    keys = values if key is None else [converted_call(key, value) for value in values]
    if len(values) < 2:
        return values
    with nullcontext() if key is None else comparing_keys("sorted"):
        return _sorted_by(values, keys, reverse)


def _sorted_by(values: list[Any], keys: list[Any], reverse: object) -> object:
    """The values in the order of their keys."""
    leaf = type_of_all(values)
    if leaf is None or type_of_all(keys) is None:
        return _sorted_objects(values, keys, bool(reverse))
    ranks = lift(keys)
    if ranks.dtype.kind == "f":
        # With a NaN, CPython's order depends on its algorithm.
        require(truth(np.all(ranks == ranks)), "GraphValueError", "`sorted` of NaN in a staged function")
    order = np.argsort(ranks) if not reverse else len(values) - 1 - np.argsort(ranks[::-1])[::-1]
    array = lift(values)
    return [_of_kind(array[order[position]], leaf.form) for position in range(len(values))]


def _sorted_objects(values: list[Any], keys: list[Any], descending: bool) -> object:
    """The values in the order of their keys, for values or keys that no single array holds."""
    try:
        places = sorted(range(len(keys)), key=lambda place: _Key(keys[place]), reverse=descending)
        return [values[place] for place in places]
    except _IsStaged:
        pass
    contents = made_list(values).staged()
    ranks = contents if keys is values else staged_contents(keys, "the keys")
    return staged_list(sorted_contents(contents, ranks, descending))


class _IsStaged(Exception):
    """Which of two keys is less depends on data."""


class _Key:
    """A key as Python's sort sees it. What is known decides: `("a", x)` is less than `("b", y)`."""

    def __init__(self, key: object) -> None:
        self.key = key

    def __lt__(self, other: _Key) -> bool:
        return _less(self.key, other.key)


def _less(left: Any, right: Any) -> bool:
    """``left < right`` of two keys, whose first elements that differ decide.

    Raises:
        _IsStaged: If data decides.
    """
    if _is_known(left) and _is_known(right):
        return left < right  # type: ignore[no-any-return]
    kind = next((kind for kind in (tuple, list) if isinstance(left, kind)), None)
    if kind is None or not isinstance(right, kind) or not (_is_walked(left) and _is_walked(right)):
        raise _IsStaged
    for one, other in zip(left, right, strict=False):
        if not (_is_simple(one) and _is_simple(other)):
            raise _IsStaged
        if not (one is other or one == other):
            return one < other  # type: ignore[no-any-return]
    return len(left) < len(right)


def _is_simple(value: object) -> bool:
    """Whether a value is a number or a string, or a tuple of such, which nobody's methods compare."""
    if type(value) is tuple:
        return all(map(_is_simple, value))
    return type(value) in (str, bytes, int, float, bool) or isinstance(value, np.generic)


def _is_walked(key: object) -> bool:
    """Whether the elements of a sequence can be taken now, as it has Python's own order."""
    kind: Any = type(key)
    return backend_of(key) is None and kind.__lt__ in (tuple.__lt__, TracedList.__lt__)


def _is_known(key: object) -> bool:
    """Whether Python can compare a key now, as nothing in it is staged."""
    if isinstance(key, (list, tuple)) and backend_of(key) is None:
        return all(map(_is_known, key))
    return is_plain(key)


def _sorted_list(values: Any, key: Callable[..., Any] | None, descending: bool) -> object:
    contents = keys = values.staged()
    if key is not None:
        items = _items(values)
        assert items is not None
        call = functools.partial(converted_call, key)
        keys = grown_list(items, call, None, is_of_program=False).staged()
    return staged_list(sorted_contents(contents, keys, descending))


def _of_kind(value: Tensor, form: Form) -> Tensor:
    return value if value.form is form else wrap(value.read(), form)


@staged(map)
def _map(function: object, *iterables: Any) -> object:
    if not iterables:
        raise TypeError("map() must have at least two arguments.")
    call = functools.partial(called_in_iterator, function)
    made = iteration.staged_map(call, iterables)
    return map(call, *iterables) if made is None else made


@staged(filter)
def _filter(function: object, iterable: Any) -> filter[Any] | StagedIterable:
    keeps = _truth_of if function is None else functools.partial(called_in_iterator, function)
    items = iteration.staged_iterable(iterable)
    return filter(keeps, iterable) if items is None else items.then("filter", Step(keeps, True))


@staged(list)
def _list(iterable: object = ()) -> object:
    if isinstance(iterable, StagedList):
        return iterable.copy()
    items = _items(iterable)
    if items is not None and (isinstance(items.length, Tensor) or items.is_filtered()):
        return grown_list(items, lambda item: item, None)
    return NotImplemented if items is None else stage_list(items, lambda item: item)


@records(statements.items_of)
def items_of(iterable: Any) -> list[Any]:
    """``list(iterable)``, staged or plain."""
    made = _list(iterable)
    return list(iterable) if made is NotImplemented else made


@staged(tuple)
def _tuple(iterable: object = ()) -> object:
    if isinstance(iterable, StagedList) and isinstance(iterable.length(), Tensor):
        return GrownTuple(iterable.current().taken())
    items = _items(iterable)
    if items is not None and (isinstance(items.length, Tensor) or items.is_filtered()):
        made = grown_list(items, lambda item: item, None, is_of_program=False)
        return tuple(made) if made.contents is None else GrownTuple(made.staged())
    return NotImplemented if items is None else tuple(stage_list(items, lambda item: item))


@staged(iter)
def _iter(value: object, *sentinel: object) -> object:
    items = None if sentinel else _items(value)
    if items is None or isinstance(value, StagedIterator) or items.is_iterator():
        return NotImplemented if items is None else value
    return StagedIterator(items)
