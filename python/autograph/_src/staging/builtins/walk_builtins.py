"""Builtins that consume a generator, run as the statements that they abbreviate.

    next((i for i in range(n) if v[i] > t), n)

    found = n
    for i in range(n):
        if v[i] > t:
            found = i
            break

A list that a generator fills has the elements that its run gives, in whatever loops and branches they come.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.operators.generator_functions import FunctionWalk
from autograph._src.operators.generator_loops import Body, GoesOn, Shared, Walk
from autograph._src.operators.generator_steps import Steps
from autograph._src.operators.identity import not_
from autograph._src.operators.logic import if_exp
from autograph._src.operators.undefined import Undefined, ld
from autograph._src.staging.builtins.staged_builtins import CONSUMERS, staged
from autograph._src.staging.builtins.staged_iteration_builtins import extreme_of_pairs
from autograph._src.staging.control.iteration import StagedIterator
from autograph._src.staging.control.walking import walk as walk_staged
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import made_list, scratch_list
from autograph._src.staging.tensors.python_scalars import require
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.state import state_of

_NOTHING: Any = object()


class _Variables:
    """The variables of the statements that stand for a builtin."""

    def __init__(self, **values: Any) -> None:
        self.values = values
        self.shared: Shared = (lambda: tuple(self.values.values()), self._set, tuple(values))

    def _set(self, values: tuple[Any, ...]) -> None:
        self.values = dict(zip(self.values, values, strict=True))


def _until(stops_at: bool) -> Callable[[Walk], object]:
    """Makes ``any``, which stops at the first true item, or ``all``, which stops at the first false one."""

    def implementation(walk: Walk) -> object:
        found = _Variables(result=not stops_at)

        def test(item: object) -> None:
            found.values["result"] = converted_call(bool, item)

        def goes_on() -> object:
            result = found.values["result"]
            return not_(result) if stops_at else result

        walk.run(test, goes_on, found.shared)
        return found.values["result"]

    return implementation


CONSUMERS[any] = _until(True)
CONSUMERS[all] = _until(False)


def _sum(walk: Walk, start: Any = 0) -> object:
    if isinstance(walk, FunctionWalk) and walk.recurs():
        return converted_call(sum, walk.listed(made_list), start)
    found = _Variables(total=start)

    def add(item: Any) -> None:
        found.values["total"] = found.values["total"] + item

    walk.run(add, None, found.shared)
    return found.values["total"]


def first_item(walk: Walk, default: Any = _NOTHING) -> object:
    """``next(walk)`` and ``next(walk, default)`` of a generator that has not begun."""
    if isinstance(walk, Steps):
        has_next = walk.advance()
        if default is not _NOTHING:
            return if_exp(has_next, walk.item, lambda: default)
        _require_next(has_next)
        return walk.item()
    found = _Variables(item=Undefined("item") if default is _NOTHING else default, is_found=False)

    def take(item: object) -> None:
        found.values = {"item": item, "is_found": True}

    walk.run(take, lambda: not_(found.values["is_found"]), found.shared)
    item, is_found = found.values.values()
    if default is not _NOTHING:
        return item
    _require_next(is_found)
    return ld(item)


def _require_next(is_found: object) -> None:
    if isinstance(is_found, Tensor):
        require(is_found, StopIteration, "")
    elif not is_found:
        raise StopIteration


def listed(walk: Walk) -> Any:
    """``list(walk)``."""
    if isinstance(walk, FunctionWalk) and walk.recurs():
        return walk.listed(made_list)
    made = made_list([])
    walk.run(lambda item: made.append(item), None, (None, None, ()))
    return made


def _extreme(function: Callable[..., Any]) -> Callable[..., object]:
    def implementation(walk: Walk, key: Any = None, default: object = _NOTHING) -> object:
        options = {} if default is _NOTHING else {"default": default}
        if key is None:
            return converted_call(function, listed(walk), **options)
        pairs = scratch_list()
        walk.run(lambda item: pairs.append((item, converted_call(key, item))), None, (None, None, ()))
        return extreme_of_pairs(function.__name__, pairs, **options)

    return implementation


CONSUMERS[sum] = _sum
CONSUMERS[next] = first_item
CONSUMERS[list] = listed
CONSUMERS[tuple] = lambda walk: converted_call(tuple, listed(walk))
CONSUMERS[sorted] = lambda walk, **options: converted_call(sorted, listed(walk), **options)
CONSUMERS[max] = _extreme(builtins.max)
CONSUMERS[min] = _extreme(builtins.min)


class _StagedWalk(Walk):
    """The walk of a staged generator, ``zip`` or the like."""

    def __init__(self, items: StagedIterable) -> None:
        self.items = items

    def run(self, body: Body, goes_on: GoesOn, shared: Shared) -> None:
        """Stages the loop."""
        walk_staged(self.items, body, state_of(*shared), goes_on)


@staged(next)
def _next(iterator: object, *default: object) -> object:
    if isinstance(iterator, StagedIterable) and iterator.is_iterator():
        return first_item(_StagedWalk(iterator), *default)
    if not isinstance(iterator, StagedIterator):
        return NotImplemented
    has_next = iterator.position < iterator.source.length
    if default:
        return if_exp(has_next, iterator.take, lambda: default[0])
    _require_next(has_next)
    return iterator.take()
