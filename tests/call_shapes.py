"""Random trees of arguments, and functions that take them apart and give trees of what they make.

f({"a": [x, 2.0]}, y)       def f(p, x, rate=1.5, *, k=2): return ({"r": p["a"][0] * x}, p["a"][1], …)
"""

from __future__ import annotations

import dataclasses
import importlib.util
import random
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclasses.dataclass
class Model:
    first: Any
    second: Any = 0.5


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    first: Any
    second: Any


class Rows(list[Any]):
    """A list that is no list to a staged function, but an object."""


MARK = object()
KEYS: list[Any] = ["a", "b", "weights", "é", 1, 1000, ("t", 2)]
OF_TWO = (Pair, Model, Frozen)
DICTS: tuple[Any, ...] = ({}, OrderedDict(), defaultdict(list), defaultdict(None), defaultdict(float))
"""One dict of each kind that is a tree."""


def of_class(like: Any, items: list[tuple[Any, Any]]) -> Any:
    """A dict of the class and the factory of another."""
    made = type(like)(like.default_factory) if isinstance(like, defaultdict) else type(like)()
    made.update(items)
    return made


def leaf(chance: random.Random) -> Any:
    """A leaf of some kind."""
    kind = chance.randrange(14)
    values = np.array([chance.uniform(-4, 4) for _ in range(6)])
    if kind >= 10:
        return values[:3].copy()
    return (
        values[::2],
        values[::-2],
        np.asfortranarray(values.reshape(2, 3))[1],
        np.float64(chance.uniform(-4, 4)),
        np.array([1, 2, 3]),
        chance.uniform(-4, 4),
        2,
        chance.choice([None, True, MARK]),
        chance.choice(["sum", "mean"]),
        np.float32(1.5),
    )[kind]


def tree(chance: random.Random, depth: int) -> Any:
    """A tree of leaves."""
    kind = chance.randrange(9) if depth else 0
    if kind <= 2:
        return leaf(chance)
    if kind in (3, 4):
        return (list if kind == 3 else tuple)(tree(chance, depth - 1) for _ in range(chance.randrange(4)))
    if kind in (5, 6):
        keys = chance.sample(KEYS, chance.randrange(5))
        return of_class(chance.choice(DICTS), [(key, tree(chance, depth - 1)) for key in keys])
    return chance.choice(OF_TWO)(tree(chance, depth - 1), tree(chance, depth - 1))


def paths(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The expression of each leaf, and the leaf."""
    if type(value) in (list, tuple):
        for place, one in enumerate(value):
            yield from paths(one, f"{path}[{place}]")
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from paths(one, f"{path}[{key!r}]")
    elif type(value) in OF_TWO:
        yield from paths(value.first, f"{path}.first")
        yield from paths(value.second, f"{path}.second")
    else:
        yield path, value


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same tree with other leaves."""
    if type(value) in (list, tuple):
        return type(value)([mapped(one, change) for one in value])
    if isinstance(value, dict):
        return of_class(value, [(key, mapped(one, change)) for key, one in value.items()])
    if type(value) in OF_TWO:
        return type(value)(mapped(value.first, change), mapped(value.second, change))
    return change(value)


def is_number(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic, float)) or type(value) is int


def expression(parts: list[str], chance: random.Random) -> str:
    """A tree of some expressions."""
    if not parts:
        return chance.choice(
            ["[]", "{}", "OrderedDict()", "defaultdict(list)"]
        )  # There is only one `()`, which may be an argument.
    if len(parts) == 1 and chance.random() < 0.7:
        return parts[0]
    cut = chance.randrange(len(parts) + 1)
    first, second = (expression(half, chance) for half in (parts[:cut], parts[cut:]))
    dicts = ["OrderedDict(s={0}, r={1})", "defaultdict(float, s={0}, r={1})"]
    form = chance.choice(["[{0}, {1}]", "({0}, {1})", "{{'r': {0}, 's': {1}}}", *dicts, *OF_TWO])
    return f"{form.__name__}({first}, {second})" if isinstance(form, type) else form.format(first, second)


def program(value: Any, chance: random.Random) -> str:
    """A function of a tree like this one, of an array, a number with a default, and one by keyword only."""
    parts = []
    for path, one in paths(value, "p"):
        parts.append(path if not is_number(one) or chance.random() < 0.3 else f"{path} * x + rate - k")
    parts = [*chance.sample(parts, min(len(parts), 9)), "x * k"]
    return (
        "from collections import OrderedDict, defaultdict\n\n"
        "from call_shapes import Frozen, Model, Pair\n\n"
        "def f(p, x, rate=1.5, *, k=2):\n"
        f"    row = [x * rate, {expression(parts[:1], chance)}]\n"
        f"    return row, {expression(parts, chance)}, {{'again': row, 'x': x}}\n"
    )


def loaded(text: str, folder: Path, name: str) -> Callable[..., Any]:
    """The function of a program."""
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = module.f
    return function


def told(value: Any, given: dict[int, str], seen: dict[int, int]) -> Any:
    """A result as something to compare: values, types, and which objects are one, also with the arguments."""
    if id(value) in given:
        return ("given", given[id(value)])
    if isinstance(value, np.ndarray) or isinstance(value, dict) or type(value) in (list, *OF_TWO):
        if id(value) in seen:
            return ("again", seen[id(value)])
        seen[id(value)] = len(seen)
    if isinstance(value, (np.ndarray, np.generic)):
        return (type(value), value.dtype, value.shape, value.tobytes(), getattr(value, "base", None) is None)
    if type(value) in (list, tuple):
        return (type(value), *(told(one, given, seen) for one in value))
    if isinstance(value, dict):
        kind = type(value), id(getattr(value, "default_factory", None))
        return (kind, *((key, told(one, given, seen)) for key, one in value.items()))
    if type(value) in OF_TWO:
        return (type(value), told(value.first, given, seen), told(value.second, given, seen))
    return (type(value), repr(value))


def outcome(call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call gives or raises, told of the objects that were passed to it."""
    given = {
        id(leaf): path
        for name, value in (("args", args), ("kwargs", kwargs))
        for path, leaf in paths(value, name)
        if isinstance(leaf, np.ndarray) or leaf is MARK
    }
    try:
        return told(call(*args, **kwargs), given, {})
    except Exception as error:
        return type(error), str(error)


def is_error(told: Any) -> bool:
    return isinstance(told[0], type) and issubclass(told[0], Exception)


def slow_calls(staged: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The arguments of the calls that reach Python from now on."""
    seen: list[tuple[Any, ...]] = []
    plain = type(staged)._call

    def call(self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        seen.append(args)
        return plain(self, args, kwargs)

    monkeypatch.setattr(type(staged), "_call", call)
    return seen
