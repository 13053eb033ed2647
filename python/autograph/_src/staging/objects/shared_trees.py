"""Arguments of a call as a tree in which one object stays one object, and can be written.

    def record(log, best):          # record(log, {"log": log}): two ways to one list
        log.append(1.0)

A function that writes to objects of its caller gets *stand-ins* for them while it is traced: one for each
list, dict and object of a dataclass, however many ways lead to it. The tree numbers them in the order in
which it meets them, and the caller's objects of the next call likewise: a write to a stand-in is a write to
the object with its number. Which ways lead to one object is part of the structure: other ways, another graph.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Container, Hashable, Sequence
from typing import Any

import numpy as np

from autograph._src.dict_classes import DICT_CLASSES, dict_of, dict_word
from autograph._src.operators.places import Place
from autograph._src.operators.undefined import Undefined
from autograph._src.own_attributes import has_own
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.callers_tables import columns_of, runs_of, sample_of
from autograph._src.staging.trace.record_classes import is_named_tuple
from autograph._src.staging.trace.statements import table_of_columns
from autograph._src.trees import TypedKey

_ARGUMENT = re.compile(r"^argument \d+")


class Absent:
    """What is at a place that has no value, as a leaf."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


def value_at(place: Place) -> Any:
    """What is at a place, as an argument."""
    value = place.read()
    return ABSENT if isinstance(value, Undefined) else value


Made = dict[int, Any]
"""The stand-ins that have been made so far, by their numbers."""

Build = Callable[[list[Any], Made], Any]


class SharedTree:
    """A tree of arguments and of what is at places that the function writes.

    Attributes:
        leaves: The leaves, in order.
        paths: A Python expression for each leaf.
        objects: The containers, by their numbers.
        names: An expression for each container.
        logs: The numbers of lists whose elements are left out.
        grouped: The numbers of sets whose keys are taken one type after another, not in CPython's order.
        count_at_places: How many of these are at places; their numbers come first.
        structure: The tree without its leaves, hashable.
    """

    def __init__(
        self,
        places: Sequence[Place],
        is_log: Callable[[str, bool], bool],
        tables: Container[str],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        """Flatten what is at places, and the arguments of a call.

        Args:
            places: The places.
            is_log: Whether the elements of a list are left out, since it is appended to and not looked at. It
                takes the expression for the list, and whether a place has it.
            tables: The expressions for the dicts and sets that the run asks for keys of its own.
            args: The positional arguments.
            kwargs: The named arguments.
        """
        self.leaves: list[Any] = []
        self.paths: list[str] = []
        self.objects: list[Any] = []
        self.names: list[str] = []
        self.logs: set[int] = set()
        self.grouped: set[int] = set()
        self._is_log = is_log
        self._tables = tables
        self._numbers: dict[int, int] = {}
        at_places = [self._part(value_at(place), place.name, is_at_place=True) for place in places]
        self.count_at_places = len(self.objects)
        given = [self._part(value, f"argument {number}") for number, value in enumerate(args)]
        named = [(name, self._part(value, name)) for name, value in kwargs.items()]
        self._parts = at_places, given, named
        self.structure: Hashable = (
            tuple(shape for shape, _ in at_places),
            tuple(shape for shape, _ in given),
            tuple((name, part[0]) for name, part in named),
        )

    def paths_by(self, parameters: list[str]) -> list[str]:
        """The expressions for the leaves, with the names of parameters."""
        named = {f"argument {number}": name for number, name in enumerate(parameters)}
        return [_ARGUMENT.sub(lambda found: named.get(found[0], found[0]), path) for path in self.paths]

    def rebuild(self, leaves: list[Any]) -> tuple[tuple[list[Any], tuple[Any, ...], dict[str, Any]], Made]:
        """The same values and arguments over other leaves, and the stand-ins for their containers."""
        made: Made = {}
        rest = list(leaves)
        at_places, given, named = self._parts
        values = [build(rest, made) for _, build in at_places]
        args = tuple(build(rest, made) for _, build in given)
        return (values, args, {name: part[1](rest, made) for name, part in named}), made

    def _part(self, value: Any, path: str, *, is_at_place: bool = False) -> tuple[Hashable, Build]:
        kind: Any = type(value)
        names = None if kind in _NUMBERS else attributes_of_record(value)
        is_tuple = kind is tuple or is_named_tuple(kind)
        is_table = kind in _TABLES_OR_LEAVES and (path in self._tables or id(value) in self._numbers)
        if names is None and not (is_tuple or is_table or kind is list or kind in DICT_CLASSES):
            self.leaves.append(value)
            self.paths.append(path)
            return "leaf", lambda rest, made: rest.pop(0)
        known = self._numbers.get(id(value))
        if known is not None:
            return ("again", known), lambda rest, made: made[known]
        table = self._table(len(self.objects), value, path) if path in self._tables else None
        if table is None and kind in _TABLES_OR_LEAVES:
            self.leaves.append(value)
            self.paths.append(path)
            return "leaf", lambda rest, made: rest.pop(0)
        number = self._numbers[id(value)] = len(self.objects)
        self.objects.append(value)
        self.names.append(path)
        if table is not None:
            return table
        if kind is list and self._is_log(path, is_at_place):
            self.logs.add(number)
            return "log", _list(number, [])
        if names is not None:
            return self._record(number, value, names, path)
        if kind in DICT_CLASSES:
            return self._dict(number, value, path)
        parts = [self._part(one, f"{path}[{place}]") for place, one in enumerate(value)]
        builds = [build for _, build in parts]
        shape = (kind, *(shape for shape, _ in parts))
        return shape, _list(number, builds) if kind is list else _tuple(number, kind, builds)

    def _dict(self, number: int, value: dict[Any, Any], path: str) -> tuple[Hashable, Build]:
        word = dict_word(value)
        items = [(key, self._part(one, f"{path}[{key!r}]")) for key, one in value.items()]
        shape = (word, *((key if type(key) is str else TypedKey(key), part[0]) for key, part in items))

        def build(rest: list[Any], made: Made) -> Any:
            one = made[number] = dict_of(word, [])
            for key, part in items:
                one[key] = part[1](rest, made)
            return one

        return shape, build

    def _table(self, number: int, value: Any, path: str) -> tuple[Hashable, Build] | None:
        """A dict or set as a table of the graph; ``None`` if its keys or values are no numbers."""
        if type(value) not in (*_TABLES_OR_LEAVES, *DICT_CLASSES):
            return None
        runs = runs_of(value)
        if runs is None:
            return None
        columns = [list(map(columns_of, manners, values)) for manners, values in runs]
        for of_run in columns:
            for what, part in zip(("keys", "values"), of_run, strict=False):
                self.leaves += part
                self.paths += [f"{path}.{what}()"] * len(part)
        if type(value) is set and len(runs) > 1:
            self.grouped.add(number)
        kind, factory = type(value), getattr(value, "default_factory", None)
        samples = [list(map(sample_of, manners)) for manners, _ in runs]

        def build(rest: list[Any], made: Made) -> Any:
            parts = [[[rest.pop(0) for _ in part] for part in of_run] for of_run in columns]
            taken = [list(zip(*pair, strict=True)) for pair in zip(samples, parts, strict=True)]
            made[number] = table_of_columns(kind, factory, taken)
            return made[number]

        return ("table", dict_word(value), tuple(manners for manners, _ in runs)), build

    def _record(self, number: int, value: Any, names: list[str], path: str) -> tuple[Hashable, Build]:
        kind = type(value)
        items = [(name, self._part(getattr(value, name), f"{path}.{name}")) for name in names]

        def build(rest: list[Any], made: Made) -> Any:
            one: Any = object.__new__(kind)
            made[number] = one
            for name, part in items:
                object.__setattr__(one, name, part[1](rest, made))
            return one

        return (kind, *((name, part[0]) for name, part in items)), build


def _list(number: int, builds: list[Build]) -> Build:
    def build(rest: list[Any], made: Made) -> Any:
        one = made[number] = TracedList()
        list.extend(one, [part(rest, made) for part in builds])
        return one

    return build


def _tuple(number: int, kind: Any, builds: list[Build]) -> Build:
    def build(rest: list[Any], made: Made) -> Any:
        values = [part(rest, made) for part in builds]
        one = made[number] = tuple(values) if kind is tuple else kind(*values)
        return one

    return build


_TABLES_OR_LEAVES = (Counter, set)
"""Classes of containers that are leaves where the run does not ask them for keys of its own."""

_NUMBERS = frozenset((np.ndarray, np.float64, np.int64, float, int, bool, type(None)))
"""The most frequent types of leaves."""


def attributes_of_record(value: Any) -> list[str] | None:
    """The names of the attributes of an object of a dataclass, fields first; ``None`` of another value.

    An object may have others than its fields: ``self.coef_ = w`` in a method.
    """
    kind = type(value)
    if not dataclasses.is_dataclass(kind) or kind.__module__.partition(".")[0] == "autograph":
        return None
    names = dict.fromkeys(field.name for field in dataclasses.fields(kind))
    names.update(dict.fromkeys(getattr(value, "__dict__", {})))
    return [name for name in names if hasattr(value, name)]


def holds(tree: object, one: object) -> bool:
    """Whether an object is a tree, or is in it.

    >>> row = [1.0]
    >>> holds((2.0, {"row": row}), row), holds((2.0, [1.0]), row)
    (True, False)
    """
    seen: set[int] = set()
    pending = [tree]
    while pending:
        value = pending.pop()
        if value is one:
            return True
        if id(value) in seen or has_own(value, "ag_marks"):  # A table of the graph holds no other object.
            continue
        seen.add(id(value))
        kind = type(value)
        if kind in (list, tuple) or is_named_tuple(kind):
            pending += value  # type: ignore[arg-type]
        elif kind in DICT_CLASSES:
            pending += value.values()  # type: ignore[attr-defined]
        else:
            pending += [getattr(value, name) for name in attributes_of_record(value) or ()]
    return False
