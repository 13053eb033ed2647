"""Inner functions that write variables of enclosing functions: each such variable is a place to write."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from autograph._src.backends.protocol import active_backend
from autograph._src.closure_cells import EMPTY, cells_of, content_of, set_content
from autograph._src.operators.places import GlobalVariable, Place
from autograph._src.operators.undefined import Undefined

F = TypeVar("F", bound=FunctionType)

_RESUMES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Flags of functions that are not converted and that write whenever they are resumed, at unknown times."""

_written: WeakKeyDictionary[CodeType, frozenset[str]] = WeakKeyDictionary()
_written_globals: WeakKeyDictionary[CodeType, frozenset[str]] = WeakKeyDictionary()


_steps: WeakKeyDictionary[CodeType, bool] = WeakKeyDictionary()
"""Functions that take the steps of a generator: a call may bind a variable that none has bound before."""


def binds_late(function: FunctionType) -> None:
    """Notes a function whose variables of around may be unbound before a statement that calls it."""
    _steps[function.__code__] = True


class Cell(Place):
    """A variable that a function shares with its inner functions."""

    is_variable = True

    def __init__(self, owner: CellType, name: str) -> None:
        self.owner = owner
        self.name = name

    def identity(self) -> tuple[int, str]:
        """The identity of the closure cell."""
        return (id(self.owner), "")

    def read(self) -> Any:
        """The variable's value."""
        value = content_of(self.owner)
        return Undefined(self.name) if value is EMPTY else value

    def write(self, value: object) -> None:
        """Rebinds the variable."""
        set_content(self.owner, EMPTY if isinstance(value, Undefined) else value)


class LateCell(Cell):
    """A variable that a staged block may leave bound on some paths only."""

    may_be_unbound = True


def written_names(code: CodeType) -> frozenset[str]:
    """The free variables that a code object or a function inside it writes."""
    known = _written.get(code)
    if known is None:
        names = _stored(code, "DEREF").union(*map(written_names, _inside(code)))
        known = _written[code] = names.intersection(code.co_freevars)
    return known


def written_globals(code: CodeType) -> frozenset[str]:
    """The global variables that a code object or a function inside it writes."""
    known = _written_globals.get(code)
    if known is None:
        names = _stored(code, "GLOBAL").union(*map(written_globals, _inside(code)))
        known = _written_globals[code] = names
    return known


def _stored(code: CodeType, kind: str) -> frozenset[str]:
    """The variables of a kind that a code object itself binds or deletes."""
    operations = (f"STORE_{kind}", f"DELETE_{kind}")
    return frozenset(one.argval for one in dis.get_instructions(code) if one.opname in operations)


def _inside(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def written_cells(function: FunctionType) -> Iterator[tuple[str, CellType]]:
    """The variables of enclosing functions that a call of this function may write."""
    names = written_names(function.__code__)
    if names:
        for name, cell in cells_of(function).items():
            if name in names:
                yield name, cell


def writes_nonlocal(function: F) -> F:
    """Decorates an inner function with ``nonlocal`` variables: notes that this call has made their cells."""
    backend = active_backend()
    if backend is not None and isinstance(function, FunctionType):
        resumes = bool(function.__code__.co_flags & _RESUMES)
        for _, cell in written_cells(function):
            backend.created(cell)
            if resumes:
                backend.watch(cell)
    return function


def note_written_variables(will_write: Callable[[Place], None], function: FunctionType) -> None:
    """Tells a back-end which variables of enclosing functions and of its module a call may write."""
    for place in written_variables(function):
        will_write(place)


def written_variables(function: FunctionType) -> list[Place]:
    """The variables of enclosing functions and of its module that a call of a function may write."""
    written = sorted(written_globals(function.__code__))
    kind = LateCell if function.__code__ in _steps else Cell
    return [
        *(kind(cell, name) for name, cell in written_cells(function)),
        *(GlobalVariable(function.__globals__, name) for name in written),
    ]


def is_like(one: FunctionType, other: FunctionType) -> bool:
    """Whether two converted functions are of one function with the same variables around it."""
    cells = zip(one.__closure__ or (), other.__closure__ or (), strict=True)
    return (
        one.__code__ is other.__code__
        and one.__globals__ is other.__globals__
        and all(left is right or _are_operators(left, right) for left, right in cells)
    )


def _are_operators(one: CellType, other: CellType) -> bool:
    return content_of(one) is content_of(other) and isinstance(content_of(one), ModuleType)
