"""What a traced function reads around itself: variables, and attributes of functions, classes and modules.

    x * RATE, x * self.rate, x * Model.rate, x * config.RATE, x * step.rate

A graph is valid while these names stay bound to the objects they were bound to during tracing. A trace that
rebinds one is refused: the assignment would happen once instead of at every call. ``watch.py`` watches the
objects reached from these names. Of a class or a module only the names that the code may read matter;
others, such as a counter of instances, may change.
"""

from __future__ import annotations

import builtins
import dis
import functools
import gc
import math
import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from types import (
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
)
from typing import Any

import numpy as np

from autograph._src.bytecode import operations
from autograph._src.closure_cells import EMPTY, cells_of, content_of, set_content
from autograph._src.load import is_converted_code
from autograph._src.operators.closures import Cell
from autograph._src.operators.impurity import is_opaque
from autograph._src.operators.places import Attribute, GlobalVariable, Place
from autograph._src.operators.special_effects import implicit_methods, is_implicit, refuse_hidden_effects
from autograph._src.policy import is_user_class, is_user_function, is_user_module
from autograph._src.staging.trace.array_contents import ArrayContents
from autograph._src.staging.trace.frames import location_of
from autograph._src.staging.trace.outside import LockedArrays
from autograph._src.staging.trace.watch import Watch
from autograph.errors import Location, StagingError

_UNBOUND = object()
_BUILTINS = vars(builtins)
_names: dict[CodeType, tuple[str, ...]] = {}
_literals: dict[CodeType, frozenset[str]] = {}


def _names_of(code: CodeType) -> tuple[str, ...]:
    """The names of globals and attributes that a code object and those inside it may read or write."""
    known = _names.get(code)
    if known is None:
        names = dict.fromkeys(code.co_names)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                names.update(dict.fromkeys(_names_of(constant)))
        known = _names[code] = tuple(names)
    return known


@functools.cache
def _global_names_of(code: CodeType) -> frozenset[str]:
    """The names of globals, without attributes, that a code object and those inside it read."""
    found = {
        code.co_names[argument >> 1 if operation == _LOAD_GLOBAL else argument]
        for operation, argument in operations(code)
        if operation in (_LOAD_GLOBAL, _LOAD_NAME)
    }
    return frozenset(found.union(*map(_global_names_of, (c for c in code.co_consts if _is_code(c)))))


_LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]  # The last bit of its argument is for calls.
_LOAD_NAME = dis.opmap["LOAD_NAME"]


@functools.cache
def _imports(code: CodeType) -> bool:
    """Whether a code object imports a module."""
    return _IMPORT_NAME in code.co_code[::2]


_IMPORT_NAME = dis.opmap["IMPORT_NAME"]


def _is_code(constant: object) -> bool:
    return isinstance(constant, CodeType)


def _literals_of(code: CodeType) -> frozenset[str]:
    """The strings in a code object that may name attributes, as in `getattr(model, "rate")`."""
    known = _literals.get(code)
    if known is None:
        found = {one for one in code.co_consts if isinstance(one, str) and one.isidentifier()}
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                found |= _literals_of(constant)
        known = _literals[code] = frozenset(found)
    return known


def values_around(function: FunctionType) -> list[Any]:
    """The values of the global variables and closure cells that a function may read."""
    variables = function.__globals__
    values = [variables[name] for name in _names_of(function.__code__) if name in variables]
    cells = map(content_of, function.__closure__ or ())
    return values + [value for value in cells if value is not EMPTY]


def _assignment(code: CodeType, name: str) -> Location | None:
    """Where a code object, or one inside it, assigns a global or nonlocal variable of this name."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in _ASSIGNS and instruction.argval == name:
            return location_of(code, instruction.offset)
    inside = (_assignment(one, name) for one in code.co_consts if isinstance(one, CodeType))
    return next((place for place in inside if place is not None), None)


_ASSIGNS = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF", "DELETE_DEREF")


def _variables_of(kind: type) -> dict[str, Any]:
    """The dict behind the read-only `__dict__` of a class; its lookups are faster."""
    (variables,) = gc.get_referents(kind.__dict__)
    return variables if type(variables) is dict else dict(kind.__dict__)


class Surroundings:
    """The variables around the functions that a trace ran, with the values they had.

    Attributes:
        watch: The objects that are reached from the variables and from the arguments.
        reads: Objects that converted code reached in another way, such as `sys.argv`.
        contents: The arrays that plain NumPy has read.
    """

    def __init__(self, locked: LockedArrays | None = None) -> None:
        self._globals: dict[tuple[int, str], tuple[dict[str, Any], str, Any]] = {}
        self._cells: dict[int, tuple[CellType, str, Any]] = {}
        self._of_classes: dict[tuple[int, str], tuple[type, str, Any]] = {}
        self._of_modules: dict[tuple[int, str], tuple[dict[str, Any], str, Any]] = {}
        # Names a class lacks, which would hide the attribute of a base if the program defined them.
        self._absent: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}
        self._entered: dict[CodeType, None] = {}
        self.locked = LockedArrays() if locked is None else locked
        self._functions: dict[int, FunctionType] = {}
        self._plain: dict[int, FunctionType] = {}
        self._names: dict[str, None] = {}
        self._global_names: set[str] = set()
        self._plain_names: set[str] = set()
        # The names already looked up in each class or module.
        self._looked: dict[int, tuple[type | ModuleType, set[str]]] = {}
        self.watch = Watch(self.locked.lock)
        self.reads = self.watch.beside()
        self.contents = ArrayContents((self.watch, self.reads))

    def enter(self, function: FunctionType, *, is_plain: bool = False) -> None:
        """Notes the variables of a function that is about to run.

        Args:
            function: The function.
            is_plain: Whether it runs unconverted, as the getter of a property does; the functions that it
                calls are then noted here, since they do not report themselves.
        """
        known = self._plain if is_plain else self._functions
        if id(function) in known or is_converted_code(function.__code__):
            return  # A function that converted code defines reads the same variables as that code.
        known[id(function)] = function
        self._entered[function.__code__] = None
        self.contents.entered(function.__code__, is_plain=is_plain)
        names = _names_of(function.__code__)
        literals = _literals_of(function.__code__)
        self._global_names |= _global_names_of(function.__code__)
        self._names.update(dict.fromkeys((*names, *sorted(literals))))
        if is_plain:
            self._plain_names.update(names, literals)
        for value in [*self._new_globals(function, names), *self._new_cells(function)]:
            self.watch.add(value)
            if is_plain and is_user_function(value):
                self.enter(value, is_plain=True)
        self.watch.add_function(function)
        self.settle()

    def _new_globals(self, function: FunctionType, names: Sequence[str]) -> Iterator[Any]:
        variables = function.__globals__
        for name in names:
            key = (id(variables), name)
            value = variables.get(name, _UNBOUND)
            self._globals.setdefault(key, (variables, name, value))
            if value is not _UNBOUND:
                yield value

    def _new_cells(self, function: FunctionType) -> Iterator[Any]:
        for name, cell in cells_of(function).items():
            value = content_of(cell)
            self._cells.setdefault(id(cell), (cell, name, value))
            if value is not EMPTY:
                yield value

    def read(self, value: object) -> None:
        """Watches an object from outside the trace, unless it is watched already."""
        if isinstance(value, (operator.attrgetter, operator.methodcaller)):
            for one in value.__reduce__()[1]:
                for name in str(one).split("."):
                    self.name_read(name)
        if isinstance(value, _PLAIN) or id(value) in self.watch.seen or id(value) in self.reads.seen:
            return
        self.reads.add(value)
        if isinstance(value, FunctionType) and is_user_function(value):
            self.enter(value, is_plain=True)

    def is_outside(self, value: object) -> bool:
        """Whether an object was reached from the watched variables or arguments."""
        return id(value) in self.watch.seen

    def getter_called(self, function: Callable[..., Any]) -> None:
        """Notes the present result of a function without arguments; another result makes the graph stale."""
        self.watch.note_value(function, _call)

    def name_read(self, name: str) -> None:
        """Notes the name of an attribute that `getattr` reads."""
        if name not in self._names:
            self._names[name] = None
            self._plain_names.add(name)
            self.settle()

    # Classes and modules

    def made(self, kind: type) -> None:
        """Notes that the program has made an object of a class, whose special methods Python calls by itself.

        point = Point(x)    # `point + y` reads what `Point.__add__` reads
        """
        if kind not in self.watch.kinds and is_user_class(kind):
            self.watch.add_kind(kind)
            self.settle()

    def settle(self) -> None:
        """Looks up all names known so far in all classes and modules known so far, until neither grows."""
        while True:
            todo = list(self._unlooked())
            if not todo:
                return
            for owner, names in todo:
                for name in names:
                    if isinstance(owner, type):
                        self._look_at_class(owner, name)
                    else:
                        self._look_at_module(owner, name)

    def _unlooked(self) -> Iterator[tuple[type | ModuleType, list[str]]]:
        for watch in (self.watch, self.reads):
            owners: list[type | ModuleType] = [*watch.classes, *watch.modules]
            for owner in owners:
                _, known = self._looked.setdefault(id(owner), (owner, set()))
                names = [name for name in self._names if name not in known]
                if isinstance(owner, type) and owner in watch.kinds:
                    names += [name for name in implicit_methods(owner) if name not in known]
                if names:
                    known.update(names)
                    yield owner, names

    def _look_at_class(self, kind: type, name: str) -> None:
        before = []
        for base in kind.__mro__:
            if name not in base.__dict__:
                before.append(base)
            elif is_user_class(base):
                self._note_attribute(base, name)
                break
            else:
                break
        else:
            return
        for base in before:
            if is_user_class(base):
                self._absent[(id(base), name)] = _variables_of(base), name

    def _note_attribute(self, base: type, name: str) -> None:
        value = base.__dict__[name]
        self._of_classes.setdefault((id(base), name), (base, name, value))
        if isinstance(value, property):
            value = value.fget
        elif isinstance(value, functools.cached_property):
            value = value.func
        elif not isinstance(value, FunctionType) or not (name in self._plain_names or is_implicit(name)):
            self.watch.add(value)
            return
        if is_user_function(value):
            refuse_hidden_effects(value)
            self.enter(value, is_plain=True)

    def _look_at_module(self, module: ModuleType, name: str) -> None:
        variables = vars(module)
        value = variables.get(name, _UNBOUND)
        if value is _UNBOUND:
            getter = variables.get("__getattr__")
            if isinstance(getter, FunctionType) and is_user_function(getter):
                self.enter(getter, is_plain=True)
            return
        if not is_user_module(module):
            # A library's functions and classes are taken as fixed; `sys.argv` and `os.environ` are not.
            is_fixed = module in (np, math) or callable(value) or isinstance(value, ModuleType)
            if is_fixed or name.startswith("__"):
                return
        self._of_modules.setdefault((id(variables), name), (variables, name, value))
        self.watch.add(value)
        if name in self._plain_names and is_user_function(value):
            self.enter(value, is_plain=True)

    def guard_class(self, kind: type, name: str) -> None:
        """Notes a class's attribute of this name; the graph is valid until it is rebound."""
        for base in kind.__mro__:
            if name in base.__dict__:
                self._of_classes[(id(base), name)] = (base, name, base.__dict__[name])
                return

    def _look_at_imports(self) -> None:
        """Watches the modules that the functions import in their bodies, found by the names in their code."""
        for function in [*self._functions.values(), *self._plain.values()]:
            package = function.__globals__.get("__package__") or ""
            for code in _codes(function.__code__):
                if not _imports(code):
                    continue
                for name in code.co_names:
                    for full in (name, f"{package}.{name}"):
                        module = sys.modules.get(full)
                        if module is not None:
                            self.watch.add(module)

    def _look_at_fields(self) -> None:
        """Notes attributes that the code may read from C objects, such as `value` of a `ctypes` number."""
        for one in list(self.watch.seen.values()):
            kind: object = type(one)
            if is_opaque(kind):
                for name in self._names:
                    found = getattr(kind, name, None)
                    if isinstance(found, (GetSetDescriptorType, MemberDescriptorType)):
                        self.watch.note_value(one, operator.attrgetter(name))

    # What the trace writes outside

    def knows(self, value: object) -> bool:
        """Whether an object was reached from variables or arguments, or is a class or module of these."""
        if isinstance(value, (type, ModuleType)):
            return value in self.watch.classes or value in self.watch.modules
        return id(value) in self.watch.seen or id(value) in self.reads.seen

    def variables(self) -> list[Place]:
        """The variables of functions, modules and classes as places."""
        named = {**self._of_modules, **self._globals}.values()
        found: list[Place] = [GlobalVariable(variables, name) for variables, name, _ in named]
        found += [Cell(cell, name) for cell, name, _ in self._cells.values()]
        return found + [Attribute(kind, name) for kind, name, _ in self._of_classes.values()]

    def hold(self, place: Place) -> None:
        """Notes what a variable is bound to, before the trace rebinds it."""
        if isinstance(place, Cell):
            self._cells.setdefault(id(place.owner), (place.owner, place.name, content_of(place.owner)))
        else:
            entry = place.owner, place.name, place.owner.get(place.name, _UNBOUND)
            self._globals.setdefault((id(place.owner), place.name), entry)

    def let_go(self, places: set[tuple[int, str]]) -> None:
        """Removes the guards on variables, by the identities of their places."""
        for guards in (self._globals, self._of_modules, self._of_classes):
            for key in places.intersection(guards):
                del guards[key]
        for identity, _ in places:
            self._cells.pop(identity, None)

    # The end of the trace

    def refuse_writes(self, but: Sequence[Any], learn: Callable[[list[Place]], None] | None = None) -> None:
        """Restores the variables that the trace rebound, and refuses the trace if there are any.

        Args:
            but: Values that variables may be bound to from now on.
            learn: Takes the variables that were rebound, and begins the trace again if runs can do that.

        Raises:
            StagingError: If the trace rebound a variable (AG122).
        """
        rebound = []
        places: list[Place] = []
        for variables, name, value in self._globals.values():
            if not any(variables.get(name, _UNBOUND) is known for known in (value, *but)):
                rebound.append((name, f"the global variable `{name}`"))
                places.append(GlobalVariable(variables, name))
                if value is _UNBOUND:
                    del variables[name]
                else:
                    variables[name] = value
        for cell, name, value in self._cells.values():
            if not any(content_of(cell) is known for known in (value, *but)):
                rebound.append((name, f"the variable `{name}` of an enclosing function"))
                places.append(Cell(cell, name))
                set_content(cell, value)
        if places and learn is not None:
            learn(places)
        if rebound:
            name, what = rebound[0]
            found = (place for code in self._entered if (place := _assignment(code, name)) is not None)
            raise StagingError(
                f"this assigns {what}, which would happen only while tracing",
                code="AG122",
                location=next(found, None),
                help="return the value instead",
            )
        self._look_at_imports()
        self.settle()
        self._look_at_fields()
        self.contents.settle()

    def guards(self) -> list[tuple[dict[str, Any], str, Any]]:
        """The variables of the function's and other modules whose rebinding makes the graph stale."""
        return [
            guard
            for guard in {**self._of_modules, **self._globals}.values()
            if guard[2] is not _UNBOUND and not _stays(guard[2])
        ]

    def class_guards(self) -> list[tuple[type, dict[str, Any], str, Any]]:
        """The variables and methods of classes whose rebinding makes the graph stale."""
        return [(kind, _variables_of(kind), name, value) for kind, name, value in self._of_classes.values()]

    def shadows(self) -> list[tuple[dict[str, Any], str]]:
        """Built-in names such as `len` that no global shadows; a global that does makes the graph stale."""
        return [
            (variables, name)
            for variables, name, value in self._globals.values()
            if value is _UNBOUND and name in _BUILTINS and name in self._global_names
        ]

    def absent(self) -> list[tuple[dict[str, Any], str]]:
        """Names missing from classes and globals whose definition would make the graph stale."""
        return [*self._absent.values(), *self.shadows()]

    def cell_guards(self) -> list[tuple[CellType, str, Any]]:
        """The cells whose rebinding makes the graph stale."""
        return [guard for guard in self._cells.values() if guard[2] is not EMPTY]


_PLAIN = (str, bytes, int, float, complex, bool, type(None), np.generic, np.ndarray, range, slice, type)
"""Types without state, or whose state is checked in another way."""


def _call(function: Any) -> object:
    """Calls a function without arguments."""
    return function()


def _stays(value: object) -> bool:
    """Whether a variable bound to this value needs no guard: the value is a library's module or class."""
    if isinstance(value, ModuleType):
        return not is_user_module(value)
    return isinstance(value, type) and not is_user_class(value)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
