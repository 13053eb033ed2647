"""What special methods, managers and other code that no call names reads from around it, at each call.

A global of a function that converted code calls is guarded where it is called. Python calls special
methods by itself, on objects that the function has made too, and `contextmanager` calls generator
functions. A graph is stale when what these read has changed.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

SCALE = 2.0


class Methods:
    k = 1.0

    def __add__(self, other: Any) -> Any:
        return other + SCALE

    __radd__ = __add__

    def __iadd__(self, other: Any) -> Any:
        return other + SCALE

    def __sub__(self, other: Any) -> Any:
        return other - SCALE

    def __pow__(self, other: Any) -> Any:
        return other * SCALE

    def __matmul__(self, other: Any) -> Any:
        return other * SCALE

    def __neg__(self) -> float:
        return -SCALE

    def __abs__(self) -> float:
        return SCALE

    def __invert__(self) -> float:
        return SCALE

    def __float__(self) -> float:
        return SCALE

    def __int__(self) -> int:
        return int(SCALE)

    def __round__(self, digits: Any = None) -> float:
        return SCALE

    def __bool__(self) -> bool:
        return SCALE > 2.5

    def __lt__(self, other: Any) -> Any:
        return other > SCALE

    def __eq__(self, other: object) -> bool:
        return SCALE == 3.0

    def __hash__(self) -> int:
        return int(SCALE)

    def __str__(self) -> str:
        return str(SCALE)

    def __call__(self, other: Any) -> Any:
        return other * SCALE

    def __setitem__(self, index: Any, value: Any) -> None:
        self.k = value * SCALE

    def __delitem__(self, index: Any) -> None:
        self.k = SCALE

    def __contains__(self, value: Any) -> bool:
        return SCALE > 2.5

    def __enter__(self) -> float:
        return SCALE

    def __exit__(self, *caught: Any) -> bool:
        return SCALE > 2.5


class Items(Methods):
    def __getitem__(self, index: int) -> float:
        if index > 2:
            raise IndexError
        return SCALE

    def __len__(self) -> int:
        return int(SCALE)

    def __reversed__(self) -> Any:
        return iter([SCALE])

    def __index__(self) -> int:
        return int(SCALE) - 2

    def __iter__(self) -> Any:
        yield SCALE
        yield SCALE


class Attributes(Methods):
    def __getattr__(self, name: str) -> float:
        if name.startswith("_"):
            raise AttributeError(name)
        return SCALE


class Inherits(Items):
    pass


def augmented(p: Any, x: Any) -> Any:
    p += x
    return p


def stored(p: Any, x: Any) -> Any:
    p[0] = x
    return p.k


def deleted(p: Any, x: Any) -> Any:
    del p[0]
    return p.k * x


def under(p: Any, x: Any) -> Any:
    with p as scale:
        return x * scale
    return 0.0


METHODS: dict[str, Callable[[Any, Any], Any]] = {
    "p + x": lambda p, x: p + x,
    "x + p": lambda p, x: x + p,
    "p + 1.0": lambda p, x: (p + 1.0) * x,
    "1.0 + p": lambda p, x: (1.0 + p) * x,
    "p += x": augmented,
    "p - x": lambda p, x: p - x,
    "p ** x": lambda p, x: p**x,
    "p @ x": lambda p, x: p @ x,
    "-p": lambda p, x: -p * x,
    "abs": lambda p, x: abs(p) * x,
    "~p": lambda p, x: ~p * x,
    "float": lambda p, x: float(p) * x,
    "int": lambda p, x: int(p) * x,
    "round": lambda p, x: round(p) * x,
    "if p": lambda p, x: x if p else -x,
    "not p": lambda p, x: x * (not p),
    "p < x": lambda p, x: 1.0 if p < x else 0.0,
    "x > p": lambda p, x: 1.0 if x > p else 0.0,
    "p == 4": lambda p, x: x * (p == 4),
    "hash": lambda p, x: x * hash(p),
    "str": lambda p, x: float(str(p)) * x,
    "an f-string": lambda p, x: float(f"{p}") * x,
    "p(x)": lambda p, x: p(x),
    "p[0] = x": stored,
    "del p[0]": deleted,
    "7 in p": lambda p, x: x * (7 in p),
    "with p": under,
    "sum": lambda p, x: sum([p, x]),
}
OF_ITEMS: dict[str, Callable[[Any, Any], Any]] = {
    "p[1]": lambda p, x: p[1] * x,
    "len": lambda p, x: len(p) * x,
    "reversed": lambda p, x: next(reversed(p)) * x,
    "[x, -x, 2 * x][p]": lambda p, x: [x, -x, x * 2][p],
    "sum of the items": lambda p, x: sum(p) * x,
}
CASES: list[tuple[type[Methods], str, Callable[[Any, Any], Any]]] = [
    *((Methods, name, use) for name, use in METHODS.items()),
    # NumPy makes an array of a sequence beside its scalar: refused.
    *((Inherits, name, use) for name, use in METHODS.items() if name not in ("x + p", "x > p")),
    *((Items, name, use) for name, use in OF_ITEMS.items()),
    *((Inherits, name, use) for name, use in OF_ITEMS.items()),
    (Attributes, "p.rate", lambda p, x: p.rate * x),
]


def outcomes(function: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found = []
    for scale in (2.0, 3.0, 4.0, 2.0):
        monkeypatch.setitem(globals(), "SCALE", scale)
        found.append(float(function(np.float64(3.5))))
    return found


@pytest.mark.parametrize("place", ["made inside", "made by a callee", "held by another", "from outside"])
@pytest.mark.parametrize(("kind", "name", "use"), CASES, ids=lambda one: getattr(one, "__name__", str(one)))
def test_special_methods(
    kind: type[Methods],
    name: str,
    use: Callable[[Any, Any], Any],
    place: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outside = kind()

    def made() -> Methods:
        return kind()

    programs: dict[str, Callable[[Any], Any]] = {
        "made inside": lambda x: use(kind(), x),
        "made by a callee": lambda x: use(made(), x),
        "held by another": lambda x: use([kind()][0], x),
        "from outside": lambda x: use(outside, x),
    }
    program = programs[place]
    assert outcomes(ag.function(program), monkeypatch) == outcomes(program, monkeypatch)


@contextlib.contextmanager
def scaled() -> Any:
    yield SCALE


def steps() -> Any:
    yield SCALE
    yield SCALE + 1.0


class Has:
    @property
    def scale(self) -> float:
        return SCALE

    @contextlib.contextmanager
    def scaled(self) -> Any:
        yield SCALE * 2.0


def of_a_manager(x: Any) -> Any:
    with scaled() as scale:
        return x * scale


def of_two_managers(x: Any) -> Any:
    with scaled() as one, Has().scaled() as other:
        y = x * one + other
    return y


def of_a_manager_inside(x: Any) -> Any:
    @contextlib.contextmanager
    def inner() -> Any:
        yield SCALE

    with inner() as scale:
        y = x * scale
    return y


def of_a_stack(x: Any) -> Any:
    with contextlib.ExitStack() as stack:
        y = x * stack.enter_context(scaled())
    return y


def of_a_decorator(x: Any) -> Any:
    @scaled()
    def inner(v: Any) -> Any:
        return v * SCALE

    return inner(x)


def of_a_generator(x: Any) -> Any:
    return x * sum(steps()) + Has().scale


def of_groups(x: Any) -> Any:
    values = [x, x + 1.0, x - 3.0]
    return sum(v for key, group in itertools.groupby(values, key=lambda v: v > SCALE) if key for v in group)


@pytest.mark.parametrize(
    "program",
    [
        *(of_a_manager, of_two_managers, of_a_manager_inside, of_a_stack, of_a_decorator),
        *(of_a_generator, of_groups),
    ],
)
def test_managers_and_generators(program: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcomes(ag.function(program), monkeypatch) == outcomes(program, monkeypatch)


COUNTS = [0]


@contextlib.contextmanager
def counted() -> Any:
    COUNTS[0] += 1
    yield COUNTS[0]
    COUNTS[0] += 10


def test_what_a_manager_writes_is_written_by_each_run() -> None:
    def program(x: Any) -> Any:
        with counted() as count:
            y = x + count
        return y

    for function in (ag.function(program), program):
        COUNTS[0] = 0
        assert [float(function(np.float64(1.0))) for _ in range(4)] == [2.0, 13.0, 24.0, 35.0]
