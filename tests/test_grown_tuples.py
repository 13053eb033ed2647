"""Tuples whose length depends on data: as CPython, or refused at a place; never a list."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of
from grown_tuple_programs import MADE, REFUSED_WAYS, USES, text
from whole import in_turn

ARGUMENTS = [
    (np.array([1.0, -2.0, 3.0]), np.int64(3)),
    (np.array([-2.0, -1.0]), np.int64(2)),
    (np.array([4.0, 5.0, 6.0, 7.0, -1.0, 8.0]), np.int64(4)),
]
"""The second call finds nothing to add, and the third more than the first."""


def told(value: Any) -> Any:
    """A value with the type of each part."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype, value.shape, value.tolist()
    if isinstance(value, (list, tuple)):
        return type(value), [told(one) for one in value]
    if isinstance(value, dict):
        return dict, [(key, told(one)) for key, one in value.items()]
    return type(value), repr(value)


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What a call gives, prints or raises; ``"refused"`` with the message of a refusal at a place."""
    given, printed = (arguments[0].copy(), arguments[1]), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = told(function(*given))
    except ag.AutographError as error:
        assert error.location is not None, error
        return "refused", str(error)
    except Exception as error:
        return type(error), str(error).partition(" after ")[0]  # Where an array is not one of numbers.
    return result, printed.getvalue(), told(given[0])


@pytest.mark.parametrize("made", MADE)
def test_programs(made, tmp_path):
    seen = set()
    for number, use in enumerate(USES):
        if number and not in_turn(list(MADE).index(made), number, among=3):
            continue
        module = module_of(text(made, use), tmp_path, f"grown_tuple_{number}")
        staged = ag.function(module.program)
        for arguments in ARGUMENTS:
            expected, found = outcome(module.program, arguments), outcome(staged, arguments)
            if found[0] != "refused":
                assert found == expected, (made, use)
            seen.add((use, found[0] == "refused"))
    assert ("return t", made in REFUSED_WAYS) in seen


PLAIN_USES = [use for use in USES[: USES.index("return (1,) < t, t >= (0,)")] if "a, b" not in use]


def test_what_is_taken_of_floats(tmp_path):
    """Nothing that is said to be taken is refused."""
    for number, use in enumerate(PLAIN_USES):
        module = module_of(text("of floats", use), tmp_path, f"taken_{number}")
        staged = ag.function(module.program)
        for arguments in (ARGUMENTS[0], ARGUMENTS[2]):
            assert outcome(staged, arguments) == outcome(module.program, arguments), use


@pytest.mark.parametrize(
    "use, words",
    [
        ("t[0] = 1", "'tuple' object does not support item assignment"),
        ("del t[0]", "'tuple' object doesn't support item deletion"),
        ("return hash(t)", "given to `hash`"),
        ("return t + x[0]", "and a NumPy number"),
        ("return (1,) < t", "which hold other values than Python's numbers"),
        ("return t is t[:]", "whether two tuples are one object is not known"),
        ("print(*t)", "the elements of a tuple whose length depends on data"),
        ("return max(t, t)", "given to `max`"),
    ],
)
def test_refusals(use, words, tmp_path):
    module = module_of(text("of floats", use), tmp_path, "refused_tuple")
    with pytest.raises(ag.AutographError) as caught:
        ag.function(module.program)(*ARGUMENTS[0])
    assert words in str(caught.value)
    assert caught.value.location.line == text("of floats", use).count("\n")


def grown(x):
    t = ()
    for v in x:
        if v > 0:
            t += (v * v,)
    return t


def summed(x):
    return sum(grown(x))


def test_gradients():
    x = ARGUMENTS[2][0]
    expected = np.where(x > 0, 2 * x, 0.0)
    for gradient in (ag.grad(summed), ag.grad(ag.function(summed)), ag.function(ag.grad(summed))):
        np.testing.assert_array_equal(gradient(x), expected)
    np.testing.assert_array_equal(ag.vmap(summed)(np.stack([x, x])), [summed(x)] * 2)
    derivatives = (
        lambda: ag.jvp(grown, (x,), (x,)),
        lambda: ag.vjp(grown, x)[1](x),
        lambda: ag.grad(grown)(x),
    )
    for derivative in derivatives:
        with pytest.raises(ag.AutographError, match="tuple"):
            derivative()
