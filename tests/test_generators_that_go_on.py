"""A generator whose items several places take: CPython's items, or refused where Python itself takes them."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome_or_refusal
from generator_step_programs import INPUTS, KEPT, REFUSED, REMEDIES, TAKEN, X, items, kept_outside


@pytest.mark.parametrize("program", (*TAKEN, *REMEDIES), ids=lambda one: one.__name__)
def test_programs(program: Any) -> None:
    staged = ag.function(program)
    for xs in (*INPUTS, X * 2):
        got, is_refused = outcome_or_refusal(staged, (xs,))
        want, _ = outcome_or_refusal(program, (xs,))
        if is_refused and want[0] == "IndexError":
            continue  # The size is known, and so is the error.
        assert not is_refused, got
        assert got == want


@pytest.mark.parametrize("program", REFUSED, ids=lambda one: one.__name__)
def test_what_python_takes_is_refused(program: Any) -> None:
    with pytest.raises(ag.StagingError, match=REFUSED[program]) as refusal:
        ag.function(program)(X)
    assert "-->" in str(refusal.value) and "help: " in str(refusal.value)


def test_a_generator_that_is_kept_outside_is_never_silently_empty() -> None:
    """What a list of the caller gets is Python's own generator, or the call is refused."""
    KEPT.clear()
    try:
        ag.function(kept_outside)(X)
    except ag.AutographError as error:
        assert error.location is not None and not KEPT
    else:
        assert [list(one) for one in KEPT] == [list(items(X))]


def test_gradients_and_rows() -> None:
    def loss(xs: Any) -> Any:
        g = (x * x for x in xs if x > 0)
        first = next(g, 1.0)
        return first * sum(a * b for a, b in zip(g, (x * 3 for x in xs if x > 0.2)))

    step = 1e-6
    want = [(loss(X + step * unit) - loss(X - step * unit)) / (2 * step) for unit in np.eye(len(X))]
    np.testing.assert_allclose(ag.grad(loss)(X), want, atol=1e-6)
    rows = np.stack([X, X[::-1], X * 2])
    np.testing.assert_allclose(ag.vmap(loss)(rows), [loss(row) for row in rows])


def test_a_long_generator_is_a_loop_of_the_graph() -> None:
    @ag.function
    def pairs(xs: Any) -> Any:
        g = (x * 2 for x in xs if x > 0)
        total = 0.0
        while True:
            first, second = next(g, None), next(g, None)
            if first is None or second is None:
                break
            total += first * second
        return total

    short, long = np.arange(200.0) - 100, np.arange(900.0) - 100
    for xs in (short, long):
        assert pairs(xs) == pairs.__wrapped__(xs)
    sizes = [len(pairs.concrete_function(xs).graph.text()) for xs in (short, long)]
    assert sizes[1] < sizes[0] * 1.05
