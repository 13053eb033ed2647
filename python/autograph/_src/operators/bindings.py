"""Operands that bind variables of the function by ``:=`` and may not run.

    a > 0 and (x := f(a)) > 1       # `x` is bound only if `a > 0`

Each is a function with the variables that it binds for others, which a staged operator joins as those of
a branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from autograph._src.operators.shared_variables import SharedVariables, shared_variables

Thunk = Callable[[], Any]


class Binding:
    """An operand, or several, with the variables that they bind.

    Attributes:
        run: Evaluates it.
        blocks: Functions and the variables that each shares with the function around.
    """

    __slots__ = ("blocks", "run")

    def __init__(self, run: Thunk, blocks: tuple[tuple[FunctionType, tuple[str, ...]], ...]) -> None:
        self.run = run
        self.blocks = blocks

    def __call__(self) -> Any:
        """The operand's value."""
        return self.run()


def binding(operand: FunctionType, names: tuple[str, ...]) -> Binding:
    """What converted code makes of an operand that binds variables."""
    return Binding(operand, ((operand, names),))


def with_bindings(run: Thunk, operands: Iterable[Any]) -> Thunk:
    """A thunk that evaluates some of these operands, and binds what they bind."""
    blocks = [block for one in operands if type(one) is Binding for block in one.blocks]
    return Binding(run, tuple(blocks)) if blocks else run


def bound_by(*operands: Thunk) -> SharedVariables:
    """The variables that operands may bind, as back-ends get those of a block."""
    blocks: dict[str, FunctionType] = {}
    for operand in operands:
        for block, names in operand.blocks if isinstance(operand, Binding) else ():
            for name in names:
                blocks.setdefault(name, block)
    if not blocks:
        return None, None, ()
    variables = [shared_variables(block, (name,)) for name, block in blocks.items()]

    def get_state() -> tuple[Any, ...]:
        return tuple(value for get, _, _ in variables if get is not None for value in get())

    def set_state(values: tuple[Any, ...]) -> None:
        for (_, assign, _), value in zip(variables, values, strict=True):
            if assign is not None:
                assign((value,))

    return get_state, set_state, tuple(blocks)
