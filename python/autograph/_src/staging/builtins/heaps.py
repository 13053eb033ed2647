"""``heapq`` and ``bisect`` over staged values: their algorithms as Python, which is converted.

    heapq.heappush(frontier, (distance, node))      # a loop in the graph: as deep as the heap is high

CPython's own are in C, and need to know at once which of two values is less. Each function here compares and
moves the same elements in the same order, so that a heap is the same list afterwards.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from autograph._src.operators.calls import WALKERS, converted_call
from autograph._src.operators.spelled import operated
from autograph._src.policy import request_own
from autograph._src.staging.builtins.staged_builtins import TABLE

_Algorithm = Callable[..., Any]
_Key = Callable[..., Any] | None


def _stands_for(*functions: object) -> Callable[[_Algorithm], _Algorithm]:
    """Enters an algorithm as the version of C functions where a value is staged."""

    def enter(algorithm: _Algorithm) -> _Algorithm:
        request_own(algorithm)
        for function in functions:
            TABLE[function] = partial(converted_call, algorithm)
            WALKERS.add(function)
        return algorithm

    return enter


_is_less = partial(operated, "lt")
"""``one < other``, also of tuples and of objects of the user."""


def _sift_down(heap: list[Any], start: int, place: int) -> None:
    """Moves an element towards the root, to below the first that is not greater."""
    item = heap[place]
    while place > start:
        above = (place - 1) >> 1
        parent = heap[above]
        if _is_less(item, parent):
            heap[place] = parent
            place = above
        else:
            break
    heap[place] = item


def _sift_up(heap: list[Any], place: int) -> None:
    """Moves an element to a leaf, always past the lesser child, and back to where it belongs."""
    end, start = len(heap), place
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        right = child + 1
        if right < end and not _is_less(heap[child], heap[right]):
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _sift_down(heap, start, place)


request_own(_sift_down)
request_own(_sift_up)


@_stands_for(heapq.heappush)
def _push(heap: list[Any], item: object, /) -> None:
    heap.append(item)
    _sift_down(heap, 0, len(heap) - 1)


@_stands_for(heapq.heappop)
def _pop(heap: list[Any], /) -> object:
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) > 0:
        first = heap[0]
        heap[0] = last
        _sift_up(heap, 0)
        last = first
    return last


@_stands_for(heapq.heapify)
def _make(heap: list[Any], /) -> None:
    for place in reversed(range(len(heap) // 2)):
        _sift_up(heap, place)


@_stands_for(heapq.heapreplace)
def _replace(heap: list[Any], item: object, /) -> object:
    if len(heap) == 0:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    _sift_up(heap, 0)
    return first


@_stands_for(heapq.heappushpop)
def _push_and_pop(heap: list[Any], item: object, /) -> object:
    if len(heap) > 0 and _is_less(heap[0], item):
        first = heap[0]
        heap[0] = item
        _sift_up(heap, 0)
        item = first
    return item


@_stands_for(heapq.nsmallest)
def _smallest(n: int, iterable: Iterable[Any], key: _Key = None) -> object:
    return sorted(iterable, key=key)[:n]


@_stands_for(heapq.nlargest)
def _largest(n: int, iterable: Iterable[Any], key: _Key = None) -> object:
    return sorted(iterable, key=key, reverse=True)[:n]


def _place_of(a: list[Any], x: object, bounds: tuple[int, int | None], key: _Key, is_right: bool) -> object:
    """Where an element goes into a sorted list: before those equal to it, or behind them."""
    lo, hi = bounds
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) // 2
        one = a[middle] if key is None else key(a[middle])
        if not _is_less(x, one) if is_right else _is_less(one, x):
            lo = middle + 1
        else:
            hi = middle
    return lo


request_own(_place_of)


@_stands_for(bisect.bisect_left)
def _left(a: list[Any], x: object, lo: int = 0, hi: int | None = None, *, key: _Key = None) -> object:
    return _place_of(a, x, (lo, hi), key, False)


@_stands_for(bisect.bisect_right)
def _right(a: list[Any], x: object, lo: int = 0, hi: int | None = None, *, key: _Key = None) -> object:
    return _place_of(a, x, (lo, hi), key, True)


@_stands_for(bisect.insort_left)
def _insert_left(a: list[Any], x: object, lo: int = 0, hi: int | None = None, *, key: _Key = None) -> None:
    a.insert(_left(a, x if key is None else key(x), lo, hi, key=key), x)


@_stands_for(bisect.insort_right)
def _insert_right(a: list[Any], x: object, lo: int = 0, hi: int | None = None, *, key: _Key = None) -> None:
    a.insert(_right(a, x if key is None else key(x), lo, hi, key=key), x)
