"""The variables that a recorded block may change.

Those that the operators hand over; those of other functions that a closure in reach of the block
assigns; and the global ones. In

    y = 0
    def bump():
        nonlocal y
        y += 1
        return y
    z = bump() if x > 3 else 5

the conditional expression has no state of its own, and its body changes `y`.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Callable
from types import CellType, CodeType, FunctionType
from typing import Any

UNBOUND = object()

GENERATED = ("if_body", "branches", "loop_body", "loop_test")
"""Functions that conversion makes: the variables they write are the operators' business."""


class State:
    """Reads and writes all variables that the parts of a statement may change."""

    def __init__(
        self,
        variables: dict[str, Any],
        names: tuple[str, ...],
        get_state: Callable[[], tuple[Any, ...]] | None,
        set_state: Callable[[tuple[Any, ...]], None] | None,
        *parts: Any,
    ) -> None:
        self._variables = variables
        self._names = names
        self._cells = written_cells(tuple(getattr(part, "func", part) for part in parts))
        self._get_state = get_state or tuple
        self._set_state = set_state or (lambda values: None)

    def read(self) -> list[Any]:
        own = [contents(cell) for cell in self._cells]
        return [*own, *(self._variables[name] for name in self._names), *self._get_state()]

    def write(self, values: list[Any]) -> None:
        cells, names = len(self._cells), len(self._names)
        for cell, value in zip(self._cells, values, strict=False):
            if value is UNBOUND:
                del cell.cell_contents
            else:
                cell.cell_contents = value
        self._variables.update(zip(self._names, values[cells:], strict=False))
        self._set_state(tuple(values[cells + names :]))


def contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return UNBOUND


def written_cells(parts: tuple[Any, ...]) -> list[CellType]:
    """The cells that functions in reach of these write to, not counting what the parts write."""
    found: dict[int, CellType] = {}
    seen: set[int] = set()
    pending = [inner for part in parts if isinstance(part, FunctionType) for inner in closures_in(part)]
    while pending:
        function = pending.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        names = written_names(function.__code__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name in names:
                found.setdefault(id(cell), cell)
        pending += closures_in(function)
    return [*found.values()]


def closures_in(function: FunctionType) -> list[FunctionType]:
    """The functions of the user that a function's own variables hold."""
    found = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name.startswith(GENERATED):
            continue
        value = contents(cell)
        parts = value if type(value) is tuple else (value,)
        found += [part for part in parts if type(part) is FunctionType and part.__closure__]
    return found


@functools.lru_cache(maxsize=1000)
def written_names(code: CodeType) -> frozenset[str]:
    """The free variables that a code object, or one inside it, assigns."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("STORE_DEREF", "DELETE_DEREF")}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= written_names(constant)
    return frozenset(names)
