"""The calls that the rules of `np.polynomial` and of windows are tried with."""

from __future__ import annotations

from typing import Any

import numpy as np
from tangent_rules import Call, const

DRAWS = np.random.default_rng(11)

SERIES = (
    ("chebyshev", "cheb"),
    ("hermite", "herm"),
    ("hermite_e", "herme"),
    ("laguerre", "lag"),
    ("legendre", "leg"),
    ("polynomial", "poly"),
)


def some(*shape: int) -> Any:
    return DRAWS.uniform(-1.5, 1.5, shape)


def calls_of(value: Any, basis: Any, derivative: Any) -> list[Call]:
    """Calls of the functions of one series."""
    return [
        *(Call(value, (some(3), some(4))), Call(value, (0.7, some(3))), Call(value, (some(2, 3), some(1)))),
        *(Call(value, (some(3), some(2))), Call(value, (some(2, 3), some(4, 2)))),
        Call(value, (some(2), some(3, 2)), {"tensor": False}),
        Call(value, (0.5, some(3, 2), const(False))),
        *(Call(value, (some(4, 2), some(3, 2)), {"tensor": False}), Call(value, (some(2), some(3), False))),
        *(Call(basis, (some(3), 3)), Call(basis, (some(2, 2), 1)), Call(basis, (some(3), 0))),
        *(Call(derivative, (some(5),)), Call(derivative, (some(5), 2)), Call(derivative, (some(2), 3))),
        *(Call(derivative, (some(4, 2), 1, const(0.5))), Call(derivative, (some(2, 4),), {"axis": 1})),
        *(Call(derivative, (some(3), 0)), Call(derivative, (some(1),))),
    ]


def all_calls() -> list[Call]:
    found = []
    for module, start in SERIES:
        functions = (getattr(getattr(np.polynomial, module), start + end) for end in ("val", "vander", "der"))
        found.extend(calls_of(*functions))
    return found


windows = np.lib.stride_tricks.sliding_window_view

SERIES_CALLS = [
    *all_calls(),
    *(Call(windows, (some(5), 3)), Call(windows, (some(4), 1)), Call(windows, (some(4), 4))),
    *(Call(windows, (some(3, 4), (2, 2))), Call(windows, (some(3, 4), 2), {"axis": 1})),
    *(Call(windows, (some(3, 4), (2, 3), (1, 0))), Call(windows, (some(3, 4), (2, 2), (0, 0)))),
]
