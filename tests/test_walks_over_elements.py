"""``x.flat``, ``np.nditer``, ``np.ndenumerate``, ``np.vectorize``, ``np.r_`` and ``np.c_`` as NumPy has them.

Each program is staged and run on arrays of several types and sizes, small ones (whose loops are unrolled) and
large ones, twice with other values.
"""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from numpy_cases import judge


def signed_sum(x: Any) -> Any:
    total = 0.0
    for value in x.flat:
        total = total + value if value > 0 else total - 2 * value
    return total


def replaced(x: Any) -> Any:
    y = np.copy(x)
    y.flat[-1] = 7
    y.flat[::2] = 3
    return y, y.flat[-1], y.flat[1:3], len(y.flat), y.flat.copy()


def replaced_through_transpose(x: Any) -> Any:
    y = np.copy(x)
    y.T.flat[1] = 9
    return y


def at_each_index(x: Any, k: Any) -> Any:
    return x.flat[k % x.size] + x.flat[0]


def by_places(x: Any) -> Any:
    made = np.zeros(x.shape)
    for place, value in np.ndenumerate(x):
        made[place] = value * place[0] - place[-1]
    return made


def largest_place(x: Any) -> Any:
    best, at = -1e9, (0, 0)
    for (row, column), value in np.ndenumerate(x):
        if value > best:
            best, at = float(value), (row, column)
    return best, at


def in_c_order(x: Any) -> Any:
    total = 0.0
    for value in np.nditer(x, order="C"):
        total = total * 0.5 + value
    return total


def doubled_row(x: Any) -> Any:
    total = 0.0
    for value in np.nditer(x.ravel().copy()):
        total += value * 2
    return total


@np.vectorize
def relu(value: Any) -> Any:
    return value if value > 0 else value * 0


@np.vectorize
def sum_and_difference(one: Any, other: Any) -> Any:
    return one + other, one - other


def halvings(n: Any) -> Any:
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


OF_STATED_TYPE = np.vectorize(lambda value: 1 if value > 0 else 0.5, otypes=[float])
STEPS = np.vectorize(halvings, otypes=[np.int64])

PROGRAMS: dict[str, Any] = {
    "flat": signed_sum,
    "flat writes": replaced,
    "flat of a transpose": replaced_through_transpose,
    "flat at an index": lambda x: at_each_index(x, int(np.abs(x[0, 0]))),
    "ndenumerate": by_places,
    "ndenumerate with indices": largest_place,
    "nditer": in_c_order,
    "nditer of a row": doubled_row,
    "vectorize": lambda x: relu(x),
    "vectorize two": lambda x: sum_and_difference(x, x[0]),
    "vectorize by keyword": lambda x: sum_and_difference(one=x, other=2),
    "vectorize of stated type": lambda x: OF_STATED_TYPE(x),
    "vectorize a loop": lambda x: STEPS(np.abs(x).astype(np.int64)),
    "vectorize a number": lambda x: relu(x[0, 0]),
    "vectorize a part": lambda x: OF_STATED_TYPE(x[x > 0]),
    "r_": lambda x: (np.r_[x[0], 0, x[0, 0], x[:, 0]], np.r_[0:3, x[0]], np.r_[x, x]),
    "r_ of ranges": lambda x: np.r_[x[0, 0], -1:1:5j, 1:9:3],
    "c_": lambda x: (np.c_[x[0], x[0] * 2], np.c_[x, x[:, :1]], np.c_[x[0, 0], 2]),
}
DTYPES = ["float64", "float32", "int64", "int32", "uint8", "bool"]
SIZES = [(2, 3), (1, 2), (25, 14)]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_results(name: str, dtype: str, size: tuple[int, int]) -> None:
    for seed in (0, 1):
        numbers = np.random.default_rng(seed).integers(-4, 9, size)
        x = (numbers if dtype != "uint8" else np.abs(numbers)).astype(dtype)
        judge(PROGRAMS[name], x, may_refuse=dtype == "bool" or (dtype == "float32" and "vectorize" in name))


@pytest.mark.parametrize("name", ["flat", "ndenumerate", "nditer", "vectorize of stated type", "c_"])
def test_nothing(name: str) -> None:
    judge(PROGRAMS[name] if name != "c_" else lambda x: np.c_[x, x], np.zeros((0, 3)))


def test_the_first_result_decides() -> None:
    """NumPy makes an array of the dtype of the first result: what depends on data is refused."""
    mixed = np.vectorize(lambda value: value if value > 0 else 0)
    with pytest.raises(ag.StagingError) as caught:
        ag.function(lambda x: mixed(x))(np.ones(2))
    assert caught.value.code == "AG131"
    assert "an array of the dtype of its first result, here float64 or int64, depending on data" in str(
        caught.value
    )
    assert "say the results' dtypes: `otypes=`" in str(caught.value)
    with pytest.raises(ValueError, match="cannot call `vectorize` on size 0 inputs unless `otypes` is set"):
        ag.function(lambda x: relu(x))(np.zeros(0))


@pytest.mark.parametrize(
    ("program", "code", "words"),
    [
        (lambda x: list(np.nditer(x)), "AG120", "`np.nditer` goes over an array as it lies in memory"),
        (
            lambda x: list(np.nditer(x, ["multi_index"])),
            "AG120",
            "`np.nditer` of several arrays, or with flags",
        ),
        (lambda x: np.r_["-1", x, x], "AG120", "`np.r_` with directions in a string"),
        (lambda x: x.flat.coords, "AG120", "`coords` of `flat` of a staged array"),
        (lambda x: np.vectorize(relu.pyfunc, excluded=[0])(x), "AG108", "`excluded=` of `np.vectorize`"),
        (lambda x: np.power.reduce(x), "AG107", "`np.power.reduce` of a staged value is not supported yet"),
    ],
)
def test_refusals(program: Any, code: str, words: str) -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(program)(np.ones((2, 3)))
    assert caught.value.code == code
    assert words in str(caught.value)


def test_gradients_go_through_elements() -> None:
    x = np.array([[1.0, -2.0], [3.0, 0.5]])
    np.testing.assert_array_equal(ag.grad(signed_sum)(x), np.where(x > 0, 1.0, -2.0))
    np.testing.assert_array_equal(ag.grad(lambda x: np.sum(relu(x)))(x), (x > 0) * 1.0)
    np.testing.assert_array_equal(ag.grad(lambda x: np.sum(np.c_[x[0], 3 * x[1]]))(x), [[1, 1], [3, 3]])
