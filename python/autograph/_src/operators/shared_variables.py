"""The variables that a block shares with its function, reached through the block's cells.

A block of a converted function is a function of its own, which declares what it shares:

    def loop_body():
        nonlocal n, x          # so its closure has the cells of both
        x = x / 2
        n += 1
    ag__.while_stmt(lambda: x > 1, loop_body, ('n', 'x'))

Reading and assigning them from outside needs no more of the converted text, which CPython has to
compile. Variables that the user declared ``global`` have no cell; they are in the block's globals.
"""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any

from autograph._src.backends.protocol import GetState, SetState
from autograph._src.operators.undefined import Undefined, ldg

SharedVariables = tuple[GetState | None, SetState | None, tuple[str, ...]]
"""What back-ends get: how to read and to assign the variables, and their names."""


def shared_variables(block: FunctionType, names: tuple[str, ...]) -> SharedVariables:
    """How a back-end reads and assigns the variables that a block shares with its function.

    Args:
        block: The block's function.
        names: The variables. Each is declared in the block.

    Returns:
        A function that gives their values, one that assigns them, and the names; no functions where
        there is no variable. A variable without a value gives an ``Undefined``.
    """
    if not names:
        return None, None, names
    cells: dict[str, CellType] = dict(zip(block.__code__.co_freevars, block.__closure__ or (), strict=True))
    variables = block.__globals__

    def read(name: str) -> Any:
        cell = cells.get(name)
        if cell is None:
            return ldg(variables, name)
        try:
            return cell.cell_contents
        except ValueError:
            return Undefined(name)

    def get_state() -> tuple[Any, ...]:
        return tuple(map(read, names))

    def set_state(values: tuple[Any, ...]) -> None:
        for name, value in zip(names, values, strict=True):
            if name in cells:
                cells[name].cell_contents = value
            else:
                variables[name] = value

    return get_state, set_state, names
