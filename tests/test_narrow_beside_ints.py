"""Python ints that only the run knows, beside numbers of narrow dtypes: converted or raised as by NumPy."""

from __future__ import annotations

import operator
from typing import Any

import autograph as ag
import numpy as np
import pytest
from narrow_cases import FORMS, NARROW, border, in_form, is_same, outcome


def set_item(x: Any, n: Any) -> Any:
    x[0] = n
    return x


USES = {
    "add": operator.add,
    "sub": operator.sub,
    "on the left": lambda x, n: n - x,
    "mul": operator.mul,
    "less": operator.lt,
    "equal": operator.eq,
    "and": operator.and_,
    "shift": operator.lshift,
    "floordiv": operator.floordiv,
    "in place": operator.iadd,
    "item": set_item,
    "full": lambda x, n: np.full(2, n, x.dtype),
    "maximum": lambda x, n: np.maximum(x, n),
    "where": lambda x, n: np.where(x > 0, x, n),
    "class": lambda x, n: x.dtype.type(n),
    "array": lambda x, n: np.array([n, 1], x.dtype),
    "initial": lambda x, n: np.sum(x, initial=n),
}

INTS = (3, -1, 200, 40000, 70000, 2**33, -(2**40), 2**62, True)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("dtype", NARROW)
def test_as_numpy(dtype: str, use: str) -> None:
    apply = USES[use]
    for form in FORMS:
        if form != "array" and use in ("in place", "item"):
            continue
        x = in_form(border(dtype), form)
        staged = ag.function(lambda x, n: apply(x, n), dynamic=["n"])
        for n in INTS:
            kind, want, after = outcome(apply, (x, n))
            found, got, changed = outcome(staged, (x, n))
            if found == "refuses":
                assert dtype == "float16" and got.code in ("AG103", "AG109"), (form, n, want, got)
                continue
            assert found == kind, (form, n, want, got)
            if kind == "gives":
                assert is_same(want, got) and is_same(after, changed), (form, n, want, got)
            else:
                assert (type(want), str(want)) == (type(got), str(got)), (form, n)
