"""Operators of optionals: where an operand is ``None``, the run raises CPython's error.

    best + 1        # unsupported operand type(s) for +: 'NoneType' and 'int'

This module adds the methods to ``StagedOptional``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.staging.control.branches import stage_choice
from autograph._src.staging.kinds.optionals import StagedOptional, with_value
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.operators.none_operands import has_method, record_failure_unless
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import either
from autograph._src.staging.trace.running_operator import ARITHMETIC, is_comparison, is_in_place


def _binary(name: str) -> Callable[[StagedOptional, Any], Any]:
    def forward(self: StagedOptional, other: object) -> object:
        swapped = _SWAPPED.get(name)
        if swapped is not None and is_comparison(_ORDER[swapped]):
            return applied(swapped, other, self)
        return applied(name, self, other)

    return forward


def _reflected(name: str) -> Callable[[StagedOptional, Any], Any]:
    return lambda self, other: applied(f"i{name}" if is_in_place() else name, other, self)


def _in_place(name: str) -> Callable[[StagedOptional, Any], Any]:
    return lambda self, other: applied(f"i{name}", self, other)


def applied(name: str, left: Any, right: Any) -> object:
    """``left op right`` with one or two optionals; the run raises what the operator raises for ``None``.

    Args:
        name: The name of the function in the module `operator`, such as ``and`` or ``isub``.
        left: The left operand.
        right: The right operand.
    """
    operation = getattr(operator, f"__{name}__")
    first, second = (_operand(one.value) if isinstance(one, StagedOptional) else one for one in (left, right))
    if type(first) is StagedUnion:  # The message may name the type.
        return each(first, lambda one: applied(name, with_value(left, one), right))
    if type(second) is StagedUnion:
        return each(second, lambda one: applied(name, left, with_value(right, one)))
    if isinstance(left, StagedOptional) and isinstance(right, StagedOptional):
        record_failure_unless(either(left.present, right.present), operation, None, None)
    elif has_method(operation, first) or has_method(operation, second):
        is_left = isinstance(left, StagedOptional)
        return stage_choice(
            (left if is_left else right).present.read(),
            lambda: operation(first, second),
            lambda: operation(None, second) if is_left else operation(first, None),
            "an operator of an object",
        )
    if isinstance(left, StagedOptional):
        record_failure_unless(left.present, operation, None, second)
    if isinstance(right, StagedOptional):
        record_failure_unless(right.present, operation, first, None)
    return operation(first, second)


def in_order(left: Any, symbol: str, right: Any) -> object:
    """``left < right`` or ``left > right`` in a builtin such as ``max``, without a compare instruction."""
    if isinstance(left, StagedOptional) or isinstance(right, StagedOptional):
        return applied("lt" if symbol == "<" else "gt", left, right)
    return left < right if symbol == "<" else left > right


def _operand(value: object) -> Any:
    """A number or array as a staged one. What else there is has operators of its own: a list is no array."""
    return lift(value) if isinstance(value, (complex, float, int, np.generic, np.ndarray)) else value


def _unary(symbol: str, operation: Callable[[Any], Any]) -> Callable[[StagedOptional], Any]:
    def apply(self: StagedOptional) -> Any:
        return operation(_operand(self.required(f"bad operand type for {symbol}: 'NoneType'")))

    return apply


_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_UNARY = {"neg": "unary -", "pos": "unary +", "abs": "abs()", "invert": "unary ~"}

for _name in ARITHMETIC:
    setattr(StagedOptional, f"__{_name}__", _binary(_name))
    setattr(StagedOptional, f"__i{_name}__", _in_place(_name))
    setattr(StagedOptional, f"__r{_name}__", _reflected(_name))
for _name in _ORDER:
    setattr(StagedOptional, f"__{_name}__", _binary(_name))
for _name, _symbol in _UNARY.items():
    setattr(StagedOptional, f"__{_name}__", _unary(_symbol, getattr(operator, _name)))
