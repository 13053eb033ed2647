"""Arrays of other layouts, classes and dtypes as arguments: as NumPy takes them, or refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from narrow_cases import NARROW, border, difference


def doubled(gain: Any, config: Any) -> Any:
    return config["data"] * 2 + gain


@pytest.mark.parametrize("dtype", [*NARROW, "int32", "float64", "complex64"])
def test_bytes_in_the_other_order(dtype: str) -> None:
    if np.dtype(dtype).itemsize == 1:
        return
    data = border(dtype).astype(np.dtype(dtype).newbyteorder(">"))
    with pytest.raises(ag.StagingError, match="which is not staged") as found:
        ag.function(doubled)(1, {"data": data})
    assert found.value.code == "AG103" and found.value.location is not None
    assert "argument `config['data']`" in str(found.value)
    if data.dtype.kind != "c":
        assert ag.function(doubled)(1, {"data": data.astype(data.dtype.newbyteorder("="))}).dtype == dtype


@pytest.mark.parametrize("data", [np.array(["2024-02-28"], "M8[D]"), np.timedelta64(3, "h"), np.array(["a"])])
def test_dates_and_texts(data: Any) -> None:
    with pytest.raises(ag.StagingError, match=r"argument `config\['data'\]` of `\w+` is of dtype") as found:
        ag.function(doubled)(1, {"data": data})
    assert found.value.code == "AG103"
    if data.dtype.kind in "mM":
        assert ag.function(doubled)(1, {"data": data.astype(np.int64)}) == data.astype(np.int64) * 2 + 1


@pytest.mark.parametrize("dtype", ["int16", "uint8", "float64"])
def test_arrays_of_a_file(dtype: str, tmp_path: Path) -> None:
    """The remedy is an array of the same memory: what a call writes is in the file."""
    samples = np.memmap(tmp_path / "samples.bin", dtype, "w+", shape=(4,))

    def written(x: Any) -> Any:
        x[1] = 7
        return x * 2

    with pytest.raises(ag.StagingError, match=r"argument `x` of `\w+` is a memmap of dtype") as found:
        ag.function(written)(samples)
    assert found.value.code == "AG105" and "`np.asarray(x)`" in str(found.value)
    result = ag.function(written)(np.asarray(samples))
    assert samples.tolist() == [0, 7, 0, 0] and result.tolist() == [0, 14, 0, 0]


@pytest.mark.parametrize("dtype", [*NARROW, "uint8", "float64"])
def test_strided_arrays_that_are_written(dtype: str) -> None:
    def written(x: Any) -> Any:
        x[0] = 1
        x[1:] += x[:1]
        return x.sum()

    for data in (
        np.repeat(border(dtype), 3)[::3],
        border(dtype)[::-1],
        np.asfortranarray(border(dtype).reshape(2, 3)),
    ):
        assert difference(written, (data,), may_refuse=dtype == "float16") is None


def test_objects_that_are_arrays_elsewhere() -> None:
    """An object with `__array__` is an array where NumPy gets it, alone and beside a staged one."""

    class Samples:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.arange(3.0)

    assert ag.function(lambda x: np.sum(x))(Samples()) == 3.0
    product = ag.function(lambda x, y: np.multiply(y, x))(Samples(), np.full(3, 2.0))
    np.testing.assert_array_equal(product, [0.0, 2.0, 4.0], strict=True)


def test_variables_have_dtypes_of_the_graph() -> None:
    for dtype in NARROW:
        with pytest.raises(ag.StagingError, match=f"a variable of dtype {dtype} is not staged"):
            ag.Variable(np.zeros(2, dtype))


def test_callbacks_get_the_declared_dtype() -> None:
    seen = []

    @ag.py_function(result=ag.ArraySpec((), np.float64))
    def noted(array: Any, number: Any) -> float:
        seen.append((array.dtype.name, type(number)))
        return float(array[0])

    for dtype in NARROW:
        assert ag.function(lambda x: noted(x, x[2]))(border(dtype)) == float(border(dtype)[0])
    assert seen == [(dtype, np.dtype(dtype).type) for dtype in NARROW]
