"""Operands that bind variables with ``:=`` and that may not run.

    a > 0 and (x := f(a)) > 1       # `x` is bound only if `a > 0`

Converted code makes each operand a function and lists the variables that it binds. A staged operator then
joins these variables as it joins those of a branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from autograph._src.operators.shared_variables import SharedVariables, shared_variables

Thunk = Callable[[], Any]


class Binding:
    """One or several operands with the variables that they bind.

    Attributes:
        run: Evaluates the operands.
        blocks: Pairs of an operand's function and the variables that it shares with the enclosing function.
    """

    __slots__ = ("blocks", "run")

    def __init__(self, run: Thunk, blocks: tuple[tuple[FunctionType, tuple[str, ...]], ...]) -> None:
        self.run = run
        self.blocks = blocks

    def __call__(self) -> Any:
        """The operand's value."""
        return self.run()


def binding(operand: FunctionType, names: tuple[str, ...]) -> Binding:
    """Makes the operand function of converted code into a :class:`Binding` of these variables."""
    return Binding(operand, ((operand, names),))


def with_bindings(run: Thunk, operands: Iterable[Any]) -> Thunk:
    """A thunk that evaluates some of these operands, together with the variables that they all bind."""
    blocks = [block for one in operands if type(one) is Binding for block in one.blocks]
    return Binding(run, tuple(blocks)) if blocks else run


def bound_by(*operands: Thunk) -> SharedVariables:
    """The variables that operands may bind with ``:=``, for a back-end that records the operands.

    Args:
        *operands: The functions that :meth:`Backend.and_`, :meth:`Backend.or_` or :meth:`Backend.if_exp` got.

    Returns:
        ``(get_state, set_state, names)``, with the meaning that they have in :meth:`Backend.if_stmt`.

    Example:
        >>> from autograph.backends import bound_by
        >>> bound_by(lambda: 1)
        (None, None, ())
    """
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
