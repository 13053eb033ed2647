"""Every staged function of NumPy gives what NumPy gives; its result shares memory as NumPy's does.

Of the arrays that `make cross` tries, a half is tried here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from autograph._src.numpy.calls import calls
from autograph._src.numpy.elementwise import ufuncs
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy_cases import INPUTS, Case, identities, judge, named
from numpy_tables import CASES
from numpy_tables_complex import COMPLEX_CASES
from test_numpy_properties import UFUNCS
from whole import drawn

TRIED = settings(max_examples=drawn(4, whole=8), deadline=None, derandomize=True)
TRIED_LESS = settings(max_examples=drawn(2, whole=3), deadline=None, derandomize=True)


@pytest.mark.parametrize("case", CASES, ids=identities(CASES))
@given(data=st.data())
@TRIED
def test_results(case: Case, data: Any) -> None:
    judge(case.function, *data.draw(INPUTS[case.inputs]))


def reads_after_write(function: Any) -> Any:
    def program(x: Any, *others: Any) -> Any:
        y = function(x, *others)
        x[...] = 1
        return y

    return program


def writes_result(function: Any) -> Any:
    def program(x: Any, *others: Any) -> Any:
        y = function(x, *others)
        y[...] = 1
        return x

    return program


@pytest.mark.parametrize("case", CASES, ids=identities(CASES))
@given(data=st.data())
@TRIED_LESS
def test_results_after_writes(case: Case, data: Any) -> None:
    """A write into the argument is seen in the result as NumPy's arrays show it, or is refused."""
    judge(reads_after_write(case.function), *data.draw(INPUTS[case.inputs]), may_refuse=True)


@pytest.mark.parametrize("case", CASES, ids=identities(CASES))
@given(data=st.data())
@TRIED_LESS
def test_arguments_after_writes(case: Case, data: Any) -> None:
    """A write into the result is seen in the argument as NumPy's arrays show it, or is refused."""
    judge(writes_result(case.function), *data.draw(INPUTS[case.inputs]), may_refuse=True)


def of_unknown_size(function: Any) -> Any:
    def program(n: Any, *arrays: Any) -> Any:
        return function(*[x[:n] if getattr(x, "ndim", 0) else x for x in arrays])

    return program


@pytest.mark.parametrize("case", CASES, ids=identities(CASES))
@given(data=st.data())
@TRIED_LESS
def test_sizes_of_the_run(case: Case, data: Any) -> None:
    """An array whose first size depends on data gives what NumPy gives, or is refused."""
    arrays = data.draw(INPUTS[case.inputs])
    judge(of_unknown_size(case.function), np.int64(9), *arrays, may_refuse=True)


def tried_functions() -> set[Any]:
    return {case.tried for case in [*CASES, *COMPLEX_CASES]} | set(UFUNCS) | set(tried_elsewhere())


_FILES = (
    ("test_numpy_linalg.py", np.linalg, "np.linalg"),
    ("test_eigenvalues.py", np.linalg, "np.linalg"),
    ("test_eigenvalues.py", np, "np"),
    ("test_numpy_random.py", np.random, "np.random"),
)


def tried_elsewhere() -> Iterator[Any]:
    """What files of their own try: decompositions up to signs, random draws by their statistics."""
    for file, module, prefix in _FILES:
        text = Path(__file__).with_name(file).read_text()
        for name in module.__all__:
            function = getattr(module, name)
            is_staged = callable(function) and function in {**calls.OVERLOADS, **calls.CREATORS}
            if is_staged and f"{prefix}.{name}(" in text:
                yield function


def test_every_staged_function_is_tried() -> None:
    tables = [*calls.OVERLOADS, *calls.CREATORS, *ufuncs.UNARY, *ufuncs.BINARY, *ufuncs.COMPOSED]
    tried = tried_functions()
    untried = sorted(str(getattr(one, "__name__", one)) for one in tables if one not in tried)
    assert not untried


def source_names(function: Any) -> set[str]:
    """The names in a function, or in the one that `changed` calls."""
    names = set(function.__code__.co_names)
    for cell in function.__closure__ or ():
        names |= set(cell.cell_contents.__code__.co_names)
    return names


@pytest.mark.parametrize("case", [*CASES, *COMPLEX_CASES], ids=identities([*CASES, *COMPLEX_CASES]))
def test_cases_call_what_they_name(case: Case) -> None:
    assert case.name.rsplit(".", 1)[-1] in source_names(case.function)
    assert callable(named(case.name))
