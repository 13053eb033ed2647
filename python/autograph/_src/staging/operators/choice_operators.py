"""Operators of choices: once for each constant, in a branch of its own.

    best = "none"
    for v in values:                        # staged
        if best == "none" or v > best:      # `v > "none"` raises in its branch, which no run takes
            best = v

This module adds the methods to ``StagedChoice``.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.choosable import is_choosable
from autograph._src.staging.kinds.unions import MOST_WAYS, each, over_alternatives
from autograph._src.staging.operators.none_operands import sample_of
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.running_operator import ARITHMETIC, is_comparison, is_in_place


def applied(operation: Callable[[Any, Any], Any], left: object, right: object) -> object:
    """``left op right`` with at least one choice."""
    choices = [one for one in (left, right) if type(one) is StagedChoice]
    if operation in _JOINS and math.prod(one.ag_count() for one in choices) > MOST_WAYS:
        fields = [as_field(one) for one in (left, right)]
        if any(one is not other for one, other in zip(fields, (left, right), strict=True)):
            return operation(*fields)
    return over_alternatives(partial(_of_one, operation), (left, right), {})


_JOINS = (operator.__add__, operator.__iadd__)


def as_field(value: object) -> object:
    """A choice among constant strings as a field of a string, which needs no branch."""
    is_text = type(value) is StagedChoice and all(type(one.value) is str for one in value.ag_entries)
    return StagedString(((value, None, ""),)) if is_text else value


def _of_one(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> object:
    """The operator of one constant; beside a staged number, Python is asked what it raises."""
    pair = (left, right)
    is_constant = any(is_choosable(one) for one in pair)
    if is_constant and any(map(_is_of_run, pair)):
        try:
            operation(*("" if isinstance(one, StagedString) else sample_of(one) for one in pair))
        except (TypeError, ValueError) as error:
            raise type(error)(*error.args) from None
    return operation(left, right)


def _is_of_run(value: object) -> bool:
    """Whether a value is a number or a string of the run, of which Python has a sample."""
    return isinstance(value, StagedString) or (isinstance(value, Tensor) and value.form is not Form.ARRAY)


def _binary(name: str) -> tuple[Any, Any, Any]:
    operation, updating = getattr(operator, f"__{name}__"), getattr(operator, f"__i{name}__")

    def forward(self: StagedChoice, other: object) -> object:
        return applied(updating if is_in_place() else operation, self, other)

    def backward(self: StagedChoice, other: object) -> object:
        return applied(updating if is_in_place() else operation, other, self)

    return forward, backward, forward


def _unary(operation: Callable[[Any], Any]) -> Callable[[StagedChoice], object]:
    return lambda self: each(self, operation)


_ORDER = {"lt": ("<", "gt"), "le": ("<=", "ge"), "gt": (">", "lt"), "ge": (">=", "le")}


def _ordered(name: str) -> Callable[[StagedChoice, object], object]:
    symbol, mirrored = _ORDER[name]

    def compared(self: StagedChoice, other: object) -> object:
        if is_comparison(_ORDER[mirrored][0]) and not is_comparison(symbol):
            # For `1 < s` Python calls `s > 1`, but the message names `<`.
            return applied(getattr(operator, mirrored), other, self)
        return applied(getattr(operator, name), self, other)

    return compared


for _name in ARITHMETIC:
    for _method, _function in zip(("", "r", "i"), _binary(_name), strict=True):
        setattr(StagedChoice, f"__{_method}{_name}__", _function)
for _name in _ORDER:
    setattr(StagedChoice, f"__{_name}__", _ordered(_name))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(StagedChoice, f"__{_name}__", _unary(getattr(operator, _name)))
