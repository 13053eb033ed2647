"""Watches the objects that a trace may have read: their attributes and elements, all the way down.

A graph that was traced with `self.rate == 0.1` is stale when the program sets `self.rate = 0.2`. The
contents of arrays are not compared: arrays are inputs, read anew at every run.
"""

from __future__ import annotations

import decimal
import functools
import gc
import operator
import sys
from array import array
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.class_slots import slot_names
from autograph._src.closure_cells import content_of, set_content
from autograph._src.operators.places import fill_dict
from autograph._src.policy import is_heap_type, is_user_file
from autograph._src.staging.trace.active import is_foreign
from autograph._src.staging.trace.iterator_places import (
    is_iterator_of_python,
    iterators_of,
    place_of,
)
from autograph._src.staging.trace.references import is_reference

_VALUES = frozenset((bool, int, float, complex, str, bytes, type(None)))
"""Classes whose objects have no state; an object of a subclass may have attributes."""

_STABLE = (
    np.ndarray,
    np.generic,
    np.ufunc,
    BuiltinFunctionType,
    CodeType,
    type(np.sum),
)
"""Classes whose objects are compared by identity only, where a variable or attribute is bound to them."""


class Snapshot:
    """The contents of some objects at one time."""

    def __init__(
        self,
        sequences: Sequence[tuple[Any, list[Any]]] = (),
        mappings: Sequence[tuple[Any, dict[Any, Any], list[Any], list[Any]]] = (),
        slots: Sequence[tuple[Any, str, Any]] = (),
    ) -> None:
        self.sequences = list(sequences)
        self.mappings = list(mappings)
        self.slots = list(slots)
        self.cells: list[tuple[CellType, Any]] = []
        # C objects whose state is compared by value: the owner, a function that reads it, and its result.
        self.values: list[tuple[Any, Callable[[Any], Any], Any]] = []
        # Objects some of whose attributes may change: the names of these, and the others with their values.
        self.parts: list[tuple[Any, dict[str, Any], frozenset[str], dict[str, Any]]] = []

    def again(self) -> Snapshot:
        """A new snapshot of the same objects."""
        now = Snapshot()
        now.sequences = [(owner, _elements(owner)) for owner, _ in self.sequences]
        now.mappings = [
            (owner, variables, list(variables), list(variables.values()))
            for owner, variables, _, _ in self.mappings
        ]
        now.slots = [(owner, name, getattr(owner, name, None)) for owner, name, _ in self.slots]
        now.cells = [(cell, content_of(cell)) for cell, _ in self.cells]
        now.values = [(owner, read, read(owner)) for owner, read, _ in self.values]
        return now

    def holds(self) -> bool:
        """Whether everything is as it was."""
        # Loops, not generators: each call of a compiled function runs this, and loops are faster.
        for sequence, elements in self.sequences:
            if not holds_same(sequence, elements):
                return False
        for _, variables, keys, values in self.mappings:
            if not (_same(variables, keys) and _same(variables.values(), values)):
                return False
        for owner, name, value in self.slots:
            if getattr(owner, name, None) is not value:
                return False
        for owner, read, value in self.values:
            if not _equal(read(owner), value):
                return False
        return not self.parts or all(_changed_name(*part[1:]) is None for part in self.parts)

    def let_go(self, owners: set[int], attributes: set[tuple[int, str]]) -> None:
        """Forgets what some objects hold.

        Args:
            owners: The identities of objects that may change.
            attributes: Attributes that may change, by the identity of their object and their name.
        """
        self.sequences = [one for one in self.sequences if id(one[0]) not in owners]
        self.slots = [
            one for one in self.slots if id(one[0]) not in owners and (id(one[0]), one[1]) not in attributes
        ]
        mappings, self.mappings = self.mappings, []
        for owner, variables, keys, values in mappings:
            free = {name for identity, name in attributes if identity == id(owner)}
            if id(owner) in owners:
                continue
            if owner is variables or not free:
                self.mappings.append((owner, variables, keys, values))
            else:
                known = {name: one for name, one in zip(keys, values, strict=True) if name not in free}
                self.parts.append((owner, variables, frozenset(free), known))

    def plain_mappings(self) -> list[tuple[dict[Any, Any], list[Any], list[Any]]]:
        """The dicts, which the Rust core compares without running Python."""
        return [one[1:] for one in self.mappings if type(one[1]) is dict]

    def rest(self) -> Snapshot:
        """The part that is compared in Python: everything but the plain dicts and the cells."""
        rest = Snapshot()
        rest.sequences, rest.slots, rest.values = self.sequences, self.slots, self.values
        rest.parts = self.parts
        rest.mappings = [one for one in self.mappings if type(one[1]) is not dict]
        return rest

    def is_empty(self) -> bool:
        """Whether there is nothing to compare."""
        return not (self.sequences or self.mappings or self.slots or self.values or self.parts)

    def put_back(self) -> list[Any]:
        """Restores the contents of all objects; gives the contents that were replaced."""
        replaced: list[Any] = []
        for owner, elements in self.sequences:
            if not holds_same(owner, elements):
                replaced += _elements(owner)
                _fill(owner, elements)
        for _, variables, keys, values in self.mappings:
            if not (_same(variables, keys) and _same(variables.values(), values)):
                replaced += variables.values()
                fill_dict(variables, zip(keys, values, strict=True))
        for owner, name, value in self.slots:
            if getattr(owner, name, None) is not value:
                object.__setattr__(owner, name, value)
        for cell, value in self.cells:
            if content_of(cell) is not value:
                set_content(cell, value)
        return replaced

    def advanced(self) -> list[Any]:
        """The iterators that have been advanced."""
        known = [entry for entry in self.values if entry[1] is place_of]
        return [owner for owner, read, value in known if not _equal(read(owner), value)]

    def let_move(self, iterators: Sequence[object]) -> None:
        """Forgets how far these iterators had come."""
        moving = set(map(id, iterators))
        self.values = [one for one in self.values if one[1] is not place_of or id(one[0]) not in moving]

    def first_change(self) -> str | None:
        """The first object that has changed, in words, or ``None``."""
        for owner, elements in self.sequences:
            if not holds_same(owner, elements):
                return with_article(type(owner).__name__)
        for owner, variables, keys, values in self.mappings:
            if _same(variables, keys) and _same(variables.values(), values):
                continue
            if owner is variables:
                return with_article(type(owner).__name__)
            before = dict(zip(keys, values, strict=True))
            for name in [*before, *variables]:
                if before.get(name, before) is not variables.get(name, before):
                    return f"`{type(owner).__name__}.{name}`"
        for owner, name, value in self.slots:
            if getattr(owner, name, None) is not value:
                of = owner.__name__ if isinstance(owner, FunctionType) else type(owner).__name__
                return f"`{of}.{name}`"
        for owner, read, value in self.values:
            if not _equal(read(owner), value):
                if isinstance(owner, np.ndarray):
                    return "the contents of an array"
                return "the decimal context" if read is _decimal_rules else with_article(type(owner).__name__)
        if any(content_of(cell) is not value for cell, value in self.cells):
            return "a variable of an enclosing function"
        for owner, variables, free, known in self.parts:
            name = _changed_name(variables, free, known)
            if name is not None:
                return f"`{type(owner).__name__}.{name}`"
        return None


def _changed_name(variables: dict[str, Any], free: frozenset[str], known: dict[str, Any]) -> str | None:
    """The first attribute that has changed, of those that are not free to change."""
    for name, value in known.items():
        if variables.get(name, known) is not value:
            return name
    return next((name for name in variables if name not in known and name not in free), None)


class Watch:
    """Objects and everything they refer to, with a snapshot of what each held when it was first met.

    Attributes:
        seen: The objects met, by identity; arrays too.
        snapshot: What they held.
        of_users: The identities of those that the program itself holds; the others belong to an object of
            an installed package.
        classes: The classes met, and those of the objects met.
        kinds: The classes of the objects met.
        modules: The modules met.
        arrays: The arrays met, by identity, but for those that are inputs of the graph by themselves.
        scalars: The NumPy scalars met, by identity.
    """

    def __init__(self, met_array: Callable[[Any], None] | None = None) -> None:
        self.seen: dict[int, Any] = {}
        self.snapshot = Snapshot()
        self.of_users: set[int] = set()
        self._met_array = met_array
        self.classes: dict[type, None] = {}
        self.kinds: dict[type, None] = {}
        self.modules: dict[ModuleType, None] = {}
        self.arrays: dict[int, np.ndarray[Any, Any]] = {}
        self.scalars: dict[int, np.generic] = {}

    def beside(self) -> Watch:
        """A watch of further objects that shares this one's snapshot."""
        other = Watch(self._met_array)
        other.snapshot = self.snapshot
        return other

    def add(self, value: object) -> None:
        """Watches an object and everything it refers to."""
        pending = [(value, True)]
        while pending:
            one, is_of_user = pending.pop()
            if isinstance(one, np.ndarray):
                if one.dtype == object and id(one) not in self.arrays:
                    pending += [(part, is_of_user) for part in one.ravel().tolist()]
                self.seen[id(one)] = self.arrays[id(one)] = one
                if self._met_array is not None and is_of_user:
                    self._met_array(one)
            elif isinstance(one, np.generic):
                self.scalars[id(one)] = one
            if isinstance(one, ModuleType):
                self.modules[one] = None
                if one is decimal:
                    self._note_value_once(one, _decimal_rules)
                continue
            if isinstance(one, type):
                if one is decimal.Decimal:
                    self._note_value_once(decimal, _decimal_rules)
                self._add_class(one)
                continue
            if _reads_decimals(one):
                self._note_value_once(decimal, _decimal_rules)
            if type(one) in _VALUES or isinstance(one, _STABLE) or id(one) in self.seen or is_reference(one):
                continue
            if is_foreign(one) or (_is_ours(one) and not isinstance(one, list)):
                continue
            self.seen[id(one)] = one
            kind: Any = type(one)
            if kind not in self.kinds:
                self.add_kind(kind)
            is_of_user = is_of_user and _is_class_of_user(kind)
            if is_of_user:
                self.of_users.add(id(one))
                if is_iterator_of_python(type(one)):
                    self._note_value_once(one, place_of)
            pending += [(part, is_of_user) for part in self._contents(one)]

    def forget(self, is_it: Callable[[Any], bool]) -> None:
        """Removes the objects for which `is_it` holds from the snapshot."""
        known = self.snapshot
        known.sequences = [entry for entry in known.sequences if not is_it(entry[0])]
        known.mappings = [entry for entry in known.mappings if not is_it(entry[0])]
        known.slots = [entry for entry in known.slots if not is_it(entry[0])]
        known.values = [entry for entry in known.values if not is_it(entry[0])]

    def add_kind(self, kind: type) -> None:
        """Watches a class that has objects."""
        self.kinds[kind] = None
        self.classes[kind] = None
        self._note_bases(kind)

    def _add_class(self, kind: type) -> None:
        if kind not in self.classes and not _is_of_ours(kind):
            self.classes[kind] = None
            self.kinds[type(kind)] = None
            self.classes[type(kind)] = None
            self._note_bases(kind)

    def _note_bases(self, kind: type) -> None:
        """Notes the bases of a class, which a program can replace unless the class is C's or has none."""
        is_changeable = is_heap_type(kind) and len(kind.__mro__) > 2
        if is_changeable and kind.__module__ not in sys.stdlib_module_names:
            self.snapshot.slots.append((kind, "__mro__", kind.__mro__))

    def note_value(self, owner: object, read: Callable[[Any], Any]) -> None:
        """Notes the present result of `read(owner)`."""
        self.snapshot.values.append((owner, read, read(owner)))

    def _note_value_once(self, owner: object, read: Callable[[Any], Any]) -> None:
        if not any(known is owner for known, _, _ in self.snapshot.values):
            self.note_value(owner, read)

    def add_function(self, function: FunctionType) -> None:
        """Watches a function's own state: default arguments and attributes."""
        if function.__defaults__:
            self.snapshot.slots.append((function, "__defaults__", function.__defaults__))
            self.add(function.__defaults__)
        if function.__kwdefaults__:
            self.snapshot.slots.append((function, "__kwdefaults__", function.__kwdefaults__))
            self.add(function.__kwdefaults__)
        self.add(function)

    def _contents(self, one: object) -> list[Any]:
        if isinstance(one, MethodType):
            return [one.__self__, one.__func__]
        if isinstance(one, FunctionType):
            held = [(name, value) for name, value in one.__dict__.items() if not name.startswith("__")]
            self.snapshot.slots += [(one, name, value) for name, value in held]
            return [value for _, value in held]
        if isinstance(one, functools.partial):
            return [one.func, one.args, one.keywords, *self._attributes(one)]
        if isinstance(one, MappingProxyType):
            return gc.get_referents(one)
        if isinstance(one, ContextVar):
            self._note_value_once(one, _context_value)
            return [_context_value(one)]
        if isinstance(one, memoryview):
            self._note_value_once(one, _bytes_of)
            return []
        if isinstance(one, decimal.Decimal):
            return []
        if is_iterator_of_python(type(one)):
            return [part for part in iterators_of(one) if part is not one]
        if isinstance(one, CellType):
            self.snapshot.cells.append((one, content_of(one)))
            return []
        if isinstance(one, (tuple, frozenset)):
            return list(one) if type(one) in (tuple, frozenset) else [*one, *self._attributes(one)]
        if isinstance(one, (list, set, deque, bytearray, array)):
            elements = _elements(one)
            self.snapshot.sequences.append((one, elements))
            return elements + ([] if _is_ours(one) else self._attributes(one))
        if isinstance(one, dict):
            self.snapshot.mappings.append((one, one, list(one), list(one.values())))
            return list(one.values()) + self._attributes(one)
        return self._attributes(one)

    def _attributes(self, one: object) -> list[Any]:
        found = []
        for name in slot_names(type(one)):
            if hasattr(one, name):
                found.append(getattr(one, name))
                self.snapshot.slots.append((one, name, found[-1]))
        attributes = getattr(one, "__dict__", None)
        if isinstance(attributes, dict):
            self.snapshot.mappings.append((one, attributes, list(attributes), list(attributes.values())))
            found += attributes.values()
        return found

    def holds(self) -> bool:
        """Whether everything is as it was when it was met."""
        return self.snapshot.holds()


_OF_PROGRAMS = frozenset(
    (
        *(list, tuple, dict, set, frozenset, deque, bytearray, array, MethodType, CellType),
        *(ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, SimpleNamespace, partial),
        *(FunctionType, MappingProxyType, ContextVar),
    )
)


@functools.cache
def _is_class_of_user(kind: type) -> bool:
    """Whether a class belongs to the program, or is a container of the standard library."""
    if kind in _OF_PROGRAMS or is_iterator_of_python(kind):
        return True
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return kind.__module__ != "builtins" if file is None else is_user_file(file)


def _is_ours(value: object) -> bool:
    """Whether an object has a class of this package, such as a staged function with its caches."""
    return type(value).__module__.partition(".")[0] == "autograph"


def _reads_decimals(one: object) -> bool:
    """Whether an object is a `Decimal` or a function of the module `decimal`."""
    is_function = isinstance(one, BuiltinFunctionType) and one.__module__ == "decimal"
    return is_function or isinstance(one, decimal.Decimal)


def _is_of_ours(kind: type) -> bool:
    """Whether this package defines a class."""
    return kind.__module__.partition(".")[0] == "autograph"


def _context_value(variable: ContextVar[Any]) -> object:
    """The value of a context variable in the present context; the variable itself if it has none."""
    return variable.get(variable)


def _bytes_of(one: Any) -> tuple[str, tuple[int, ...] | None, bytes] | None:
    """Format, shape and bytes of an `array.array` or memoryview; ``None`` for a released memoryview."""
    try:
        memory = memoryview(one)
        return memory.format, memory.shape, memory.tobytes()
    except ValueError:
        return None


def _decimal_rules(_: object) -> tuple[tuple[int, int, int], str, int, int, tuple[str, ...]]:
    """The settings of the present `decimal` context that decide the result of a computation."""
    context = decimal.getcontext()
    traps = tuple(sorted(signal.__name__ for signal, is_trap in context.traps.items() if is_trap))
    limits = (context.prec, context.Emin, context.Emax)
    return limits, context.rounding, context.capitals, context.clamp, traps


_PLAIN = frozenset((tuple, str, bytes, int, float, dict, bool))


def _equal(current: object, known: object) -> bool:
    """Whether two values are the same object, or equal plain values of one type."""
    return current is known or (type(current) is type(known) in _PLAIN and current == known)


def _elements(one: Any) -> list[Any]:
    """The elements of a sequence; those of a list are read directly, past a subclass's methods."""
    if isinstance(one, array):
        return [one.tobytes()]  # Reading an item makes a new object each time.
    return list.copy(one) if isinstance(one, list) else list(one)


def _fill(one: Any, elements: list[Any]) -> None:
    if isinstance(one, list):
        list.clear(one)
        list.extend(one, elements)
    elif isinstance(one, bytearray):
        one[:] = bytes(elements)
    elif isinstance(one, array):
        del one[:]
        one.frombytes(elements[0])
    else:
        one.clear()
        (one.update if isinstance(one, set) else one.extend)(elements)


def holds_same(owner: object, elements: list[Any]) -> bool:
    """Whether a sequence holds these elements."""
    if isinstance(owner, array):
        return _elements(owner) == elements
    return _same(_elements(owner), elements)


def _same(current: Any, snapshot: list[Any]) -> bool:
    return len(current) == len(snapshot) and all(map(operator.is_, current, snapshot))
