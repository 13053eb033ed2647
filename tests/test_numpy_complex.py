"""Every function that takes or gives complex values gives what NumPy gives; see `test_numpy_functions`."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy_cases import INPUTS, Case, identities, judge
from numpy_tables_complex import COMPLEX_CASES
from test_numpy_functions import of_unknown_size, reads_after_write, writes_result
from whole import drawn

TRIED = settings(max_examples=drawn(4, whole=8), deadline=None, derandomize=True)
TRIED_LESS = settings(max_examples=drawn(2, whole=3), deadline=None, derandomize=True)
cases = pytest.mark.parametrize("case", COMPLEX_CASES, ids=identities(COMPLEX_CASES))


@cases
@given(data=st.data())
@TRIED
def test_results(case: Case, data: Any) -> None:
    judge(case.function, *data.draw(INPUTS[case.inputs]))


@cases
@pytest.mark.parametrize("program", [reads_after_write, writes_result])
@given(data=st.data())
@TRIED_LESS
def test_views(case: Case, program: Any, data: Any) -> None:
    judge(program(case.function), *data.draw(INPUTS[case.inputs]), may_refuse=True)


@cases
@given(data=st.data())
@TRIED_LESS
def test_sizes_of_the_run(case: Case, data: Any) -> None:
    arrays = data.draw(INPUTS[case.inputs])
    judge(of_unknown_size(case.function), np.int64(9), *arrays, may_refuse=True)


@pytest.mark.parametrize(
    "function",
    [lambda x: np.pad(x, 1, constant_values=1j), lambda x: np.insert(x, 0, np.array([1j]))],
)
def test_a_real_array_takes_no_complex_elements(function: Any) -> None:
    """NumPy warns and discards their imaginary part."""
    with pytest.raises(ag.StagingError) as caught:
        ag.function(function)(np.ones(2))
    assert caught.value.code == "AG128"
