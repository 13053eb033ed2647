"""`a op= b` that fails: CPython's and NumPy's own words."""

from __future__ import annotations

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome, outcome_or_refusal


class Plain:
    """An object without operators."""

    def __init__(self, value):
        self.value = value


class Tested(Plain):
    def __add__(self, other):
        return self.value if self.value > 0 else other.value


def _updated_tuple(x, n):
    kept = []
    for i in range(n + 1):
        kept.append((x, i))
    w = kept[n]
    w %= Plain(n)
    return w


def _spelled(x, n):
    w = (x, Tested(x) + Tested(x + n))
    w ^= Plain(n)
    return w


@pytest.mark.parametrize("function", [_updated_tuple, _spelled])
def test_the_error_names_the_operator(function):
    for arguments in ((1.5, np.int64(2)), (np.float64(2.0), np.int64(0))):
        assert outcome(ag.function(function), arguments)[:2] == outcome(function, arguments)[:2]


@pytest.mark.parametrize("sizes", [(1, 3), (2, 2), (3, 2), (2,), (3,), (2, 1)])
def test_products_in_place(sizes):
    def f(x, w):
        y = x
        x @= w
        return y

    for x in (np.array([1.0, 2.0]), np.arange(4.0).reshape(2, 2)):
        w = np.ones(sizes)
        want = outcome(f, (x.copy(), w))
        got, is_refusal = outcome_or_refusal(ag.function(f), (x.copy(), w))
        assert got[:1] == want[:1] or is_refusal
        if w.ndim == 2 and len(w) != x.shape[-1]:
            assert want[1][0] in str(got[1][0])
