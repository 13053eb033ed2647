"""Every NumPy function that is staged, of narrow arrays: right, or refused; the refusal is the default."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.numpy.calls.registry import CREATORS, OVERLOADS, name_of
from autograph._src.numpy.elementwise import ufuncs
from autograph._src.numpy.narrow import narrow_dispatch, narrow_ufuncs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from narrow_cases import NARROW, border, is_same, outcome
from numpy_cases import INPUTS, Case, identities
from numpy_tables import CASES
from whole import drawn

UNFIT = {"polyfit", "interp", "searchsorted"}
"""What has no one answer for these arrays: points that are not sorted, or too few."""

TRIED = settings(
    max_examples=drawn(4, whole=20), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def narrowed(value: Any, dtype: str, factor: int) -> Any:
    """An array of a narrow dtype; a large factor spreads whole numbers over its range."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
        return value
    with np.errstate(all="ignore"):
        if dtype == "float16":
            return value.astype(dtype)
        return (np.nan_to_num(value.astype(float)).astype(np.int64) * factor).astype(dtype)


@pytest.mark.parametrize("case", CASES, ids=identities(CASES))
@given(data=st.data())
@TRIED
def test_functions(case: Case, data: Any) -> None:
    """As NumPy's, the arguments afterwards too; or refused with a code and a place."""
    if case.name in UNFIT:
        return
    args, dtype = data.draw(INPUTS[case.inputs]), data.draw(st.sampled_from(NARROW))
    is_one, factor = data.draw(st.booleans()), data.draw(st.sampled_from([1, 0x123456789ABCDEF]))
    factor = 1 if case.name == "bincount" else factor  # It makes an array as long as the largest number.
    given = tuple(one if is_one and place else narrowed(one, dtype, factor) for place, one in enumerate(args))
    kind, want, after = outcome(case.function, given)
    found, got, changed = outcome(ag.function(case.function), given)
    if found == "refuses":
        assert got.code.startswith("AG1") and got.code != "AG101", got
        return
    assert found == kind, (want, got)
    if kind == "gives":
        assert is_same(want, got, near=True), (given, want, got)
    assert is_same(after, changed), (after, changed)


def known_functions() -> set[Any]:
    """The functions that a table of narrow values names."""
    tables = (narrow_dispatch.MOVES, narrow_dispatch.PRODUCTS, narrow_dispatch.CONVERTED, narrow_dispatch.OWN)
    return {function for table in tables for function in table} | narrow_dispatch.GENERIC


def test_a_function_that_no_table_names_is_refused() -> None:
    """By its dispatch alone, before any of its code runs."""
    others = [one for one in (*OVERLOADS, *CREATORS) if one not in known_functions() and callable(one)]
    assert len(others) > 50

    for function in others:

        @ag.function
        @ag.do_not_convert
        def refusal(x: Any, function: Any = function) -> Any:
            return narrow_dispatch.narrow_version(function, (x,), {})

        with pytest.raises(ag.StagingError, match="is not staged for") as found:
            refusal(border("int16"))
        assert found.value.code == "AG103" and found.value.location is not None, name_of(function)
        assert "`.astype(np.int32)`" in str(found.value)


UNKNOWN = [
    ufunc
    for ufunc in (*ufuncs.UNARY, *ufuncs.BINARY, *ufuncs.COMPOSED)
    if isinstance(ufunc, np.ufunc)
    and ufunc.signature is None
    and ufunc not in narrow_ufuncs.OF_INTEGERS | narrow_ufuncs.OF_FLOATS
]


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("ufunc", UNKNOWN, ids=lambda ufunc: ufunc.__name__)
def test_a_ufunc_that_no_table_names(ufunc: np.ufunc, dtype: str) -> None:
    """Right where NumPy computes in a dtype of the graph, refused where in a narrow one."""
    args = (border(dtype),) * ufunc.nin
    kind, want, _ = outcome(ufunc, args)
    found, got, _ = outcome(ag.function(lambda *args: ufunc(*args)), args)
    if found == "refuses":
        assert got.code in ("AG103", "AG107", "AG109"), got
    else:
        assert found == kind and (kind == "raises" or is_same(want, got, near=True)), (want, got)
