"""Results are made anew by each call, and are one object where the program has one."""

from __future__ import annotations

import collections
import dataclasses
import fractions
import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest

LIMITS = [1, 2]
TABLE = {"a": np.arange(3.0), "b": [1]}
LETTERS = {"x"}
ROOM = np.zeros(2)


class Scaled:
    """No tree, and its operator is not converted."""

    def __init__(self, a: Any) -> None:
        self.a = a

    def __mul__(self, other: Any) -> Scaled:
        return Scaled(self.a * other)


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any = None


class Point(NamedTuple):
    x: Any
    y: Any


@ag.do_not_convert
@functools.cache
def cached() -> Any:
    return [1, 2, 3]


def one_array_twice(x):
    y = x * 2
    return y, y


def one_list_twice(x):
    row = [x * 2]
    return row, {"k": row, "j": [row]}


def plain_list_twice(x):
    names = ["a"]
    return names, names


def one_record_twice(x):
    pair = Pair(x, [x])
    return pair, pair, [pair, pair.b]


def one_tuple_twice(x):
    pair = (x * 2, 3)
    return pair, [pair]


def a_point(x):
    point = Point(x + 1, [x])
    return point, point.y, [point]


def an_element(x):
    z = x + 1
    return [z], z


def sets(x):
    s, b, a = {1, 2}, bytearray(b"ab"), np.array([1, 2])
    return s, [s], b, b, a, (a,)


def the_argument(x):
    return x, [x], Pair(x)


def of_globals(x):
    return LIMITS, [LIMITS], TABLE, TABLE["a"], LETTERS, ROOM, x


def of_a_cache(x):
    return cached(), x


def a_cycle(x):
    row = [x]
    row.append(row)
    return row


def mixed(x):
    inner = [x + 1]
    outer = {"inner": inner, "pair": Pair(inner, inner)}
    outer["outer"] = [outer]
    return outer, inner


def in_a_branch(x):
    row = [x * 2, x * 3]
    if x[0] > 1:
        row[0] = x + 1
    return row, row


def a_fraction(x):
    return fractions.Fraction(1, 2), "text", 3, None, x.dtype, slice(1, 2)


def extra_attributes(x):
    pair = Pair(1)
    pair.more = [x + 1]
    return pair


PROGRAMS = [
    *(
        one_array_twice,
        one_list_twice,
        plain_list_twice,
        one_record_twice,
        one_tuple_twice,
        a_point,
        an_element,
    ),
    *(sets, the_argument, of_globals, of_a_cache, a_cycle, mixed, in_a_branch, a_fraction, extra_attributes),
]


def the_list(x, v):
    return v, [v], v[0]


def both(x, v):
    return {"v": v}, v, x


def the_parts(x, v):
    return [v[0], v[1]], v


def copies(x, v):
    return list(v), v, v[:]


WITH_ARGUMENT = [the_list, both, the_parts, copies]
ARGUMENTS: list[Callable[[], Any]] = [
    lambda: [[1], 2.0],
    lambda: ([1], np.arange(2.0)),
    lambda: [{"k": 1}, {"k": [2]}],
    lambda: [Pair(1.0), [Pair([2])]],
]


def objects(value: Any, path: str, found: dict[int, tuple[str, Any]]) -> Iterator[tuple[str, str]]:
    """For each place of a tree where the object is met first: what its class is, or there."""
    if isinstance(value, (int, float, str, type(None), np.generic, slice, np.dtype, fractions.Fraction)):
        yield path, repr(value)
        return
    known = found.get(id(value))
    if known is not None:
        yield path, known[0]
        return
    found[id(value)] = path, value
    yield path, type(value).__name__
    parts: dict[Any, Any] = {}
    if isinstance(value, (list, tuple)):
        parts = dict(enumerate(value))
    elif isinstance(value, dict):
        parts = value
    elif hasattr(value, "__dict__"):
        parts = vars(value)
    for key, part in parts.items():
        yield from objects(part, f"{path}.{key}", found)


def described(function: Callable[..., Any], args: tuple[Any, ...]) -> list[tuple[str, str]]:
    """What two calls with the same arguments give: all objects, and which of them are the same."""
    found: dict[int, tuple[str, Any]] = {}
    for name, value in (("LIMITS", LIMITS), ("TABLE", TABLE), ("LETTERS", LETTERS), ("ROOM", ROOM)):
        list(objects(value, name, found))
    list(objects(args, "args", found))
    results = [function(*args) for _ in range(3)]
    return [one for number, result in enumerate(results) for one in objects(result, f"{number}", found)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_results_have_the_objects_of_plain_python(program: Callable[..., Any]) -> None:
    assert described(ag.function(program), (np.arange(3.0),)) == described(program, (np.arange(3.0),))


@pytest.mark.parametrize("make", ARGUMENTS)
@pytest.mark.parametrize("program", WITH_ARGUMENT, ids=lambda program: program.__name__)
def test_containers_of_the_caller_are_given_back(
    program: Callable[..., Any], make: Callable[[], Any]
) -> None:
    got = described(ag.function(program), (np.arange(3.0), make()))
    assert got == described(program, (np.arange(3.0), make()))


def test_what_code_that_is_not_converted_makes_is_refused() -> None:
    calls = [
        (lambda x, v: v * 2, Scaled(3)),
        (lambda x, v: v.copy(), collections.deque([1])),
        (lambda x, v: [v.copy()], collections.deque([1])),
        (lambda x, v: {"k": Pair(v * 2)}, Scaled(3)),
    ]
    for function, value in calls:
        with pytest.raises(ag.StagingError, match="cannot be returned") as caught:
            ag.function(function)(np.arange(3.0), value)
        assert caught.value.code == "AG120"


def test_objects_that_were_there_are_given_themselves() -> None:
    scaled, queue = Scaled(3), collections.deque([1])
    staged = ag.function(lambda x, v: (x + 1, v, [v]))
    for value in (scaled, queue):
        for _ in range(2):
            _, one, (other,) = staged(np.arange(3.0), value)
            assert one is value and other is value
