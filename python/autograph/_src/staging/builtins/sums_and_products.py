"""``math.prod`` and ``math.fsum`` over staged numbers: their algorithms in Python, which is converted.

math.prod(len(group) for group in groups if group)
math.fsum(weights)                                      # exactly rounded, in whatever order
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from autograph._src.operators.calls import WALKERS, converted_call
from autograph._src.operators.generator_loops import Walk
from autograph._src.policy import request_own
from autograph._src.staging.builtins.staged_builtins import CONSUMERS, TABLE
from autograph._src.staging.builtins.walk_builtins import listed
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.slopes import with_slope
from autograph._src.staging.tensors.tensor import Tensor


def _product(items: Iterable[Any], start: Any = 1) -> object:
    result = start
    for item in items:
        result = result * item
    return result


def _exact_sum(items: Iterable[Any]) -> tuple[float, float]:
    """The sum of floats, rounded once, and as it comes.

    The partial sums have no common bits, so that they hold the exact sum: J. R. Shewchuk, "Adaptive
    precision floating-point arithmetic and fast robust geometric predicates", 1997.
    """
    partials: list[float] = []
    special, infinite, plain = 0.0, 0.0, 0.0
    for item in items:
        value = math.ldexp(item, 0)  # As a float, or the error of `fsum` for what is no number.
        plain += value
        if math.isfinite(value):
            rest = _exact_parts(partials, value)
            if not math.isfinite(rest):
                raise OverflowError("intermediate overflow in fsum")
            if rest != 0.0:
                partials.append(rest)
        else:
            special += value
            if math.isinf(value):
                infinite += value
    if special != 0.0:
        if math.isnan(infinite):
            raise ValueError("-inf + inf in fsum")
        return special, plain
    return _rounded(partials), plain


def _exact_parts(partials: list[float], value: float) -> float:
    """Adds a number to the partial sums: leaves what each addition loses, and gives their largest one."""
    kept = 0
    for position in range(len(partials)):
        other = partials[position]
        if abs(value) < abs(other):
            large, small = other, value
        else:
            large, small = value, other
        value = large + small
        lost = small - (value - large)
        if lost != 0.0:
            partials[kept] = lost
            kept += 1
    while len(partials) > kept:
        partials.pop()
    return value


def _rounded(partials: list[float]) -> float:
    """The sum of partial sums in ascending order, to the nearest float, ties to even."""
    total, lost, left = 0.0, 0.0, len(partials)
    if left > 0:
        left -= 1
        total = partials[left]
    while left > 0 and lost == 0.0:
        left -= 1
        before, other = total, partials[left]
        total = before + other
        lost = other - (total - before)
    # Half of the last place was lost, and there is more: the tie is none.
    if left > 0 and lost != 0.0 and (lost < 0.0) == (partials[left - 1] < 0.0):
        further = total + lost * 2.0
        if lost * 2.0 == further - total:
            total = further
    return total


for _algorithm in (_product, _exact_sum, _exact_parts, _rounded):
    request_own(_algorithm)


def _prod(iterable: object, /, *, start: object = 1) -> object:
    return converted_call(_product, iterable, start)


def _fsum(iterable: object, /) -> object:
    exact, plain = converted_call(_exact_sum, iterable)
    # What is lost and added again has no derivative; the plain sum has that of the exact one.
    return with_slope(exact, lift(plain)) if isinstance(exact, Tensor) else exact


def _prod_of_walk(walk: Walk, *, start: object = 1) -> object:
    return _prod(listed(walk), start=start)


TABLE[math.prod], CONSUMERS[math.prod] = _prod, _prod_of_walk
TABLE[math.fsum], CONSUMERS[math.fsum] = _fsum, lambda walk: _fsum(listed(walk))
WALKERS.update((math.prod, math.fsum))
