"""Calls with complex arguments and results that need no Python return what the first call returns."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest

ARRAYS: dict[str, Any] = {
    "a vector": np.arange(5) + 1j * np.arange(5)[::-1],
    "a matrix": (np.arange(6.0) - 1j).reshape(2, 3),
    "of single precision": (np.arange(4) + 0.5j).astype(np.complex64),
    "read backwards": (np.arange(6) + 2j)[::-2],
    "transposed": (np.arange(6.0) + 1j).reshape(2, 3).T,
    "in Fortran's order": np.asfortranarray((np.arange(6.0) + 1j).reshape(2, 3)),
    "of one element": np.array([3 - 4j]),
    "without axes": np.array(3 - 4j),
    "of no element": np.zeros((0, 3), complex),
    "of signed zeros": np.array([complex(0.0, -0.0), complex(-0.0, 0.0), complex(np.nan, np.inf)]),
}
NUMBERS: dict[str, Any] = {
    "a Python number": complex(-0.0, 2.0),
    "a NumPy number": np.complex128(1 - 0j),
    "of single precision, a number": np.complex64(2 + 1j),
}
FUNCTIONS: dict[str, Any] = {
    "negative": lambda z: -z,
    "product": lambda z: z * z,
    "parts": lambda z: (z.real, z.imag + 1),
    "itself": lambda z: (z, z + 1),
    "tree": lambda z: {"twice": [z * 2, (z.real + 1,)], "sum": np.sum(z)},
    "chosen": lambda z: np.ravel(z)[np.ravel(z).real > 1],
}


def same(got: Any, want: Any) -> None:
    assert type(got) is type(want)
    if isinstance(want, dict):
        assert list(got) == list(want)
        got, want = list(got.values()), list(want.values())
    if isinstance(want, (list, tuple)):
        for one, other in zip(got, want, strict=True):
            same(one, other)
        return
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(got, want)
    for part in ("real", "imag"):
        np.testing.assert_array_equal(np.signbit(getattr(got, part)), np.signbit(getattr(want, part)))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", [*ARRAYS, *NUMBERS])
def test_later_calls(kind: str, name: str) -> None:
    value = (ARRAYS | NUMBERS)[kind]
    staged = ag.function(FUNCTIONS[name])
    first = staged(value)
    for _ in range(2):
        same(staged(value), first)
    with np.errstate(invalid="ignore"):
        changed = value * 2
    same(staged(changed), ag.function(FUNCTIONS[name])(changed))


def test_arguments_of_other_types_are_not_mixed() -> None:
    staged = ag.function(lambda z: z + 1)
    values = [
        np.ones(3, complex),
        np.ones(3, np.complex64),
        np.ones(3),
        1j,
        np.complex64(1),
        1.5,
        np.ones(4, complex),
    ]
    for _ in range(3):
        for value in values:
            same(staged(value), value + 1)


def test_arguments_that_are_written() -> None:
    def fill(z: Any) -> Any:
        z[0] = 5j
        return z * 2

    staged = ag.function(fill)
    for _ in range(3):
        given = np.arange(3) + 1j
        got = staged(given)
        np.testing.assert_array_equal(given, [5j, 1 + 1j, 2 + 1j])
        np.testing.assert_array_equal(got, given * 2)


def test_an_argument_that_is_returned_is_the_same_object() -> None:
    staged = ag.function(lambda z: (z, z.real))
    for _ in range(3):
        given = np.arange(3) + 1j
        assert staged(given)[0] is given


def test_later_calls_need_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    staged = ag.function(lambda z: np.fft.fft(z) * 1j)
    z = np.arange(8) + 1j
    want = staged(z)

    def refuse(*_: object) -> None:
        raise AssertionError("Python was called")

    monkeypatch.setattr(type(staged), "_call", refuse)
    same(staged(z), want)
