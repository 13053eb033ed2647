"""``and`` and ``or`` of operands whose types do not join: only the truth of the result is known.

    while stack and stack[-1] > x:     # a list or a bool, used as a test only
        stack.pop()
    while errors and epochs < 100:     # an int or a bool
        epochs += 1

Any other use of the result is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from autograph._src.backends.protocol import backend_of
from autograph._src.staging.control.branches import stage_choice
from autograph._src.staging.kinds.value_kind import join, kind_of
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.node_sequences import NodeSequence
from autograph._src.staging.objects.nodes import StagedNode
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.patterns import register_mapping, register_sequence
from autograph._src.staging.tensors.python_scalars import negate, truth
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.frames import variable_of
from autograph._src.staging.trace.running_operator import ARITHMETIC
from autograph._src.staging.trace.state import NO_VARIABLES, State
from autograph.errors import StagingError


class TruthOnly:
    """The result of a staged ``and`` or ``or`` of which only the truth is known.

    Attributes:
        holds: A staged bool.
    """

    kind = "choice between values of two types"

    __slots__ = ("holds",)

    def __init__(self, holds: Tensor) -> None:
        self.holds = holds

    def ag_truth(self) -> Tensor:
        """``bool(self)``."""
        return self.holds

    def refuse(self, *_: object) -> NoReturn:
        """Raises the error for any use other than a test."""
        name = variable_of(self)
        what = "this value" if name is None else f"`{name}`"
        raise staging_error(
            "AG131",
            f"{what} is of one type or of another, depending on a staged `and` or `or`",
            "use it as a test only, or give both sides one type",
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.refuse()

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __iter__ = __len__ = refuse
    __getitem__ = __setitem__ = __delitem__ = __contains__ = __str__ = __repr__ = __format__ = refuse
    __int__ = __float__ = __complex__ = __index__ = __round__ = __abs__ = refuse
    __neg__ = __pos__ = __invert__ = __array__ = __array_ufunc__ = __array_function__ = refuse


class TruthOfSequence(TruthOnly):
    """Matches sequence patterns such as ``[x, y]``, so that they call ``__len__`` and get the error."""

    __slots__ = ()


class TruthOfMapping(TruthOnly):
    """Matches mapping patterns such as ``{"x": x}`` for the same reason; used if an operand is a dict."""

    __slots__ = ()


register_sequence(TruthOfSequence)
register_mapping(TruthOfMapping)

for _name in ARITHMETIC:
    for _form in ("", "r", "i"):
        setattr(TruthOnly, f"__{_form}{_name}__", TruthOnly.refuse)


def _sort(value: object) -> type | None:
    """The class of a value that never joins with a number; ``None`` for other values."""
    if isinstance(value, (TracedList, TruthOnly)):
        return TracedList
    return type(value) if isinstance(value, (StagedNode, NodeSequence)) else None


def _is_of_two_types(left: object, right: object) -> bool:
    """Whether no kind joins the two values."""
    if isinstance(right, TruthOnly) or _sort(left) is not _sort(right):
        return True
    try:
        join("this", kind_of(left), kind_of(right), ("here", "there"))
    except StagingError:
        return True
    return False


def truth_of(value: object) -> Tensor:
    """``bool(value)`` as a staged bool, also for lists."""
    if type(value) is TracedList:
        return lift(bool(list.__len__(value)))
    return truth(value) if backend_of(value) is not None else lift(bool(value))


def stage_and_or(
    left: object,
    rest: Callable[[], Any],
    is_and: bool,
    value: object = None,
    state: State = NO_VARIABLES,
) -> object:
    """``left and rest()`` or ``left or rest()``; a :class:`TruthOnly` if the operands do not join.

    Args:
        left: The left operand.
        rest: Evaluates the right operand.
        is_and: Whether the operator is ``and``.
        value: The result if the right operand is not evaluated; by default ``left``.
        state: The variables that the right operand binds.
    """
    known = left if value is None else value
    test = truth_of(left)
    is_test: list[bool] = [isinstance(left, TruthOnly)]
    sides = [known]

    def second() -> Any:
        other = rest()
        sides.append(other)
        is_test[0] = is_test[0] or _is_of_two_types(known, other)
        return truth_of(other) if is_test[0] else other

    def first() -> Any:
        return not is_and if is_test[0] else known

    runs = test if is_and else negate(test)
    what = f"a staged `{'and' if is_and else 'or'}`"
    result = stage_choice(runs.read(), second, first, what, state=state)
    if not is_test[0]:
        return result
    may_be_dict = any(isinstance(side, (dict, TruthOfMapping)) for side in sides)
    return (TruthOfMapping if may_be_dict else TruthOfSequence)(truth(result))
