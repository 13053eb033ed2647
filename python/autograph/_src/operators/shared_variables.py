"""Access to the variables that a block shares with its function, through the block's closure cells.

Conversion makes a block, such as a loop body, an inner function that declares the shared variables:

    def loop_body():
        nonlocal n, x          # so its closure has the cells of both
        x = x / 2
        n += 1
    ag__.while_stmt(lambda: x > 1, loop_body, ('n', 'x'))

The cells suffice to read and assign the variables from outside, so the converted text needs no getter and
setter functions, which CPython would have to compile. Variables that the user declared ``global`` have no
cell; they are found in the block's globals.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from autograph._src.backends.protocol import GetState, SetState
from autograph._src.closure_cells import EMPTY, cells_of, content_of
from autograph._src.operators.undefined import Undefined, ldg

SharedVariables = tuple[GetState | None, SetState | None, tuple[str, ...]]
"""Functions for back-ends that read and assign the variables, and the names of the variables."""


def shared_variables(block: FunctionType, names: tuple[str, ...]) -> SharedVariables:
    """Functions by which a back-end reads and assigns the variables that a block shares with its function.

    Args:
        block: The block's function.
        names: The variables, each declared in the block.

    Returns:
        A function that returns their values, a function that assigns them, and the names. Both functions
        are ``None`` if there are no variables. An unbound variable has an ``Undefined`` as its value.
    """
    if not names:
        return None, None, names
    cells = cells_of(block)
    variables = block.__globals__

    def read(name: str) -> Any:
        cell = cells.get(name)
        if cell is None:
            return ldg(variables, name)
        value = content_of(cell)
        return Undefined(name) if value is EMPTY else value

    def get_state() -> tuple[Any, ...]:
        return tuple(map(read, names))

    get_state.ag_cells = cells  # type: ignore[attr-defined]

    def set_state(values: tuple[Any, ...]) -> None:
        for name, value in zip(names, values, strict=True):
            if name in cells:
                cells[name].cell_contents = value
            else:
                variables[name] = value

    return get_state, set_state, names
