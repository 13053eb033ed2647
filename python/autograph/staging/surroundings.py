"""What a traced function reads around itself: global variables and closure cells.

A graph holds for as long as they are bound to what they were bound to while tracing; a trace that
rebinds one would do so once instead of at every call, and is refused.
"""

from __future__ import annotations

import dis
from collections.abc import Sequence
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from autograph.errors import Location, StagingError
from autograph.staging.frames import location_of
from autograph.staging.outside import LockedArrays
from autograph.staging.watch import Watch

_UNBOUND = object()
_names: dict[CodeType, tuple[str, ...]] = {}


def _names_of(code: CodeType) -> tuple[str, ...]:
    """The global names that a code object and those inside it may read or write."""
    known = _names.get(code)
    if known is None:
        names = dict.fromkeys(code.co_names)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                names.update(dict.fromkeys(_names_of(constant)))
        known = _names[code] = tuple(names)
    return known


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _UNBOUND


def values_around(function: FunctionType) -> list[Any]:
    """The values of the global variables and closure cells that a function may read."""
    variables = function.__globals__
    values = [variables[name] for name in _names_of(function.__code__) if name in variables]
    cells = map(_content, function.__closure__ or ())
    return values + [value for value in cells if value is not _UNBOUND]


def _assignment(code: CodeType, name: str) -> Location | None:
    """Where a code object, or one inside it, assigns a variable that is not its own."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in _ASSIGNS and instruction.argval == name:
            return location_of(code, instruction.offset)
    inside = (_assignment(one, name) for one in code.co_consts if isinstance(one, CodeType))
    return next((place for place in inside if place is not None), None)


_ASSIGNS = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF", "DELETE_DEREF")


class Surroundings:
    """The variables around the functions that a trace ran, with the values they had."""

    def __init__(self, locked: LockedArrays | None = None) -> None:
        self._globals: dict[tuple[int, str], tuple[dict[str, Any], str, Any]] = {}
        self._cells: dict[int, tuple[CellType, str, Any]] = {}
        self._of_classes: dict[tuple[int, str], tuple[type, str, Any]] = {}
        self._entered: dict[CodeType, None] = {}
        self.locked = LockedArrays() if locked is None else locked
        self.watch = Watch(self.locked.lock)

    def enter(self, function: FunctionType) -> None:
        """Notes the variables of a function that is about to run."""
        self._entered[function.__code__] = None
        variables = function.__globals__
        for name in _names_of(function.__code__):
            key = (id(variables), name)
            if key not in self._globals:
                value = variables.get(name, _UNBOUND)
                self._globals[key] = (variables, name, value)
                self.watch.add(None if value is _UNBOUND else value)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if id(cell) not in self._cells:
                value = _content(cell)
                self._cells[id(cell)] = (cell, name, value)
                self.watch.add(None if value is _UNBOUND else value)

    def guard_class(self, kind: type, name: str) -> None:
        """Notes what a class has by a name, which the graph holds for as long as that is so."""
        for base in kind.__mro__:
            if name in base.__dict__:
                self._of_classes[(id(base), name)] = (base, name, base.__dict__[name])
                return

    def refuse_writes(self, but: Sequence[Any]) -> None:
        """Restores the variables that the trace rebound.

        Args:
            but: Values that variables may be bound to from now on.

        Raises:
            StagingError: If there are any.
        """
        rebound = []
        for variables, name, value in self._globals.values():
            if not any(variables.get(name, _UNBOUND) is known for known in (value, *but)):
                rebound.append((name, f"the global variable `{name}`"))
                if value is _UNBOUND:
                    del variables[name]
                else:
                    variables[name] = value
        for cell, name, value in self._cells.values():
            if not any(_content(cell) is known for known in (value, *but)):
                rebound.append((name, f"the variable `{name}` of an enclosing function"))
                if value is _UNBOUND:
                    del cell.cell_contents
                else:
                    cell.cell_contents = value
        if rebound:
            name, what = rebound[0]
            places = (place for code in self._entered if (place := _assignment(code, name)) is not None)
            raise StagingError(
                f"this assigns {what}, which would happen only while tracing",
                code="AG122",
                location=next(places, None),
                help="return the value instead",
            )

    def guards(self) -> list[tuple[dict[str, Any], str, Any]]:
        """The global variables whose rebinding makes the graph stale."""
        stable = (ModuleType, type)
        return [
            (variables, name, value)
            for variables, name, value in self._globals.values()
            if value is not _UNBOUND and not isinstance(value, stable)
        ]

    def class_guards(self) -> list[tuple[type, str, Any]]:
        """The variables and methods of classes whose rebinding makes the graph stale."""
        return list(self._of_classes.values())

    def cell_guards(self) -> list[tuple[CellType, str, Any]]:
        """The cells whose rebinding makes the graph stale."""
        return [guard for guard in self._cells.values() if guard[2] is not _UNBOUND]
