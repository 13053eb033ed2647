"""Signatures of specialisations, why another was traced, and warnings of those that never end."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest

RATE = 0.5


class Point(NamedTuple):
    x: Any
    y: Any


@dataclass
class Settings:
    rate: float
    name: str


def test_signatures() -> None:
    @ag.function
    def f(x, *rest, settings, flag=True, **more):
        return x

    f(
        np.ones((3, 4), np.float32),
        (np.int64(1), 2),
        Point(np.uint8(1), None),
        settings=Settings(0.1, "a"),
        table={"b": [False, b"c"]},
    )
    assert f.signatures() == [
        "(x: f32[3, 4], rest[0][0]: i64, rest[0][1]: 2, rest[1].x: u8, rest[1].y: None,"
        " settings.rate: float, settings.name: 'a', flag: True, table['b'][0]: False, table['b'][1]: b'c')"
    ]


def test_specialisations_can_be_reached_and_shown() -> None:
    def scaled(x, rate, n):
        return x * rate * n

    f = ag.function(scaled)
    f(np.ones((3, 4)), 0.1, 5)
    (one,) = f.concrete_functions()
    assert one is f.concrete_function(np.ones((3, 4)), 0.7, 5)
    assert str(one.signature) == "(x: f64[3, 4], rate: float, n: 5)"
    assert repr(one) == "<specialisation scaled(x: f64[3, 4], rate: float, n: 5)>"
    f(np.ones((3, 4)), 0.1, 6)
    assert f.signatures()[-1] == "(x: f64[3, 4], rate: float, n: int)"


class Model:
    def __init__(self) -> None:
        self.factor = 2.0


def test_reasons_of_retraces(monkeypatch: pytest.MonkeyPatch) -> None:
    offset = 1.0
    model = Model()

    @ag.function
    def f(x, mode):
        return x * RATE + offset * model.factor

    f(np.ones(3), "a")
    assert f.retraces == []
    f(np.ones(3), "a")
    f(np.ones(4), "a")
    f(np.ones(4), "b")
    monkeypatch.setitem(globals(), "RATE", 0.25)
    f(np.ones(4), "b")
    offset = 2.0
    f(np.ones(4), "b")
    model.factor = 3.0
    f(np.ones(4), "b")
    f([np.ones(4)][0], mode=None)
    f(np.ones(4), [])
    assert f.retraces == [
        "argument `x` was f64[3], is f64[4]",
        "argument `mode` was 'a', is 'b'",
        "global `RATE` changed",
        "variable `offset` of an enclosing function changed",
        "`Model.factor` changed",
        "argument `mode` was 'b', is None",
        "the arguments were (x: f64[4], mode: None), are (x: f64[4])",
    ]


def test_retraces_for_other_objects_and_shared_arrays() -> None:
    @ag.function
    def f(x, y, model):
        return x + y * model.factor

    one, other, x = Model(), Model(), np.ones(2)
    f(x, x.copy(), one)
    f(x, x.copy(), other)
    f(x, x, other)
    line = "an argument is another object, or other arguments are one and the same array"
    assert f.retraces == [line, line]


def test_a_scalar_that_keeps_retracing_is_warned_about_once() -> None:
    @ag.function
    def grow(x, mode):
        return x + len(mode)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for number in range(8):
            grow(np.float64(1.0), "ab" * number)
    (one,) = caught
    assert str(one.message) == (
        "grow has been traced for 5 values of the argument `mode`: '', 'ab', 'abab', 'ababab', 'abababab';"
        " each value is a graph of its own."
        " Pass it as a NumPy scalar or a float if the program can compute with it"
    )
    assert one.category is UserWarning and one.filename == __file__


class Foreign:
    """An array of another library: it has DLPack's protocol and nothing else of NumPy's."""

    def __init__(self, array: Any, device: int = 1) -> None:
        self.array = array
        self.device = device

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device, 0)


class Interfaced:
    """An object with NumPy's own protocol, set on the instance."""

    def __init__(self, array: Any) -> None:
        self.kept = array
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize("kind", [Foreign, Interfaced])
def test_arrays_of_other_libraries(kind: Any) -> None:
    @ag.function
    def f(x, y):
        return x * 2 + y

    memory, y = np.arange(3.0), np.ones(3)
    foreign = kind(memory)
    for _ in range(3):
        got = f(foreign, y)
        assert type(got) is np.ndarray and got.tolist() == [1.0, 3.0, 5.0]
    memory[0] = 5.0
    assert f(foreign, y).tolist() == [11.0, 3.0, 5.0]
    assert f(kind(np.zeros(3)), y).tolist() == [1.0, 1.0, 1.0]
    assert f([kind(memory)][0], kind(memory)).tolist() == [15.0, 3.0, 6.0]
    assert f.signatures() == ["(x: f64[3], y: f64[3])"]


def test_arrays_of_other_libraries_are_not_copied() -> None:
    @ag.function
    def same(x):
        return x

    @ag.function
    def write(x):
        x[0] = 7.0
        return x.sum()

    memory = np.arange(3.0)
    assert np.shares_memory(same(Foreign(memory)), memory)
    interfaced = Interfaced(memory)
    assert write(interfaced) == 10.0 and memory[0] == 7.0


def test_an_array_on_another_device_is_refused() -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(lambda x: x + 1)(Foreign(np.ones(2), device=2))
    assert str(caught.value) == (
        "a Foreign that is not in the processor's memory cannot be staged (DLPack device 2) [AG105]\n"
        "help: copy it to the CPU first"
    )
