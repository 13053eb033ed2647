"""Calls of NumPy functions with arguments of any kind at any place, one of which is staged.

What NumPy computes is computed, and what it raises is raised: no option is taken that NumPy does not take. A
part of the calls is drawn at random; `make cross` draws three times as many.
"""

from __future__ import annotations

import copy
import random
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.numpy.calls.calls import CREATORS, OVERLOADS
from autograph._src.numpy.elementwise.ufuncs import BINARY, COMPOSED, UNARY
from crossing.numpy_calls import public_name
from generated_programs import is_refused, module_of
from whole import drawn

PLAIN: dict[str, Any] = {
    "none": None,
    "int": 2,
    "negative": -1,
    "float": 1.5,
    "text": "12",
    "list": [3.0, 1.0, 2.0],
    "tuple": (2, 1),
    "empty": [],
    "array": np.arange(3.0),
    "ints": np.array([2, 0, 1]),
    "matrix": np.array([[2.0, 1.0], [1.0, 3.0]]),
    "scalar": np.int64(1),
    "bools": np.array([True, False, True]),
    "class": float,
    "complexes": np.array([1j, 2.0, 0]),
    "beyond a byte": 300,
    "beyond a single": 1e300,
    "bytes": np.array([3, 2, 1], np.uint8),
    "byte": np.uint8(3),
    "singles": np.array([0.5, 2.5, 1.0], np.float32),
}
STAGED: dict[str, Any] = {
    "int64": np.int64(2),
    "float": 2.5,
    "flag": np.bool_(True),
    "ints": np.array([0, 2, 1]),
    "array": np.array([0.5, 2.5, 1.0]),
    "matrix": np.array([[1.0, 2.0], [0.0, 1.0]]),
    "bytes": np.array([1, 2, 3], np.uint8),
    "complex": 1.0 + 2.0j,
    "nothing": np.zeros(0),
    "byte": np.uint8(200),
    "int32": np.int32(1),
    "singles": np.array([1.5, 2.0, 1.0], np.float32),
    "no bytes": np.zeros(0, np.uint8),
}
BESIDE = np.array([1.0, 2.0, 0.5])
FORMS = (
    *("{0}(w)", "{0}(w, w)", "{0}(p, w)", "{0}(w, p)", "{0}(w, q)", "{0}(q, w)", "{0}(w, axis=p)"),
    *("{0}(p, q, w)", "{0}(q, p, w)", "{0}(p, w, q)", "{0}(w, p, q)"),
    *("{0}(p, int(w))", "{0}(int(w), p)", "{0}(w, p, int(w))", "{0}([w, p])", "{0}([w], [p])"),
)
OF_NO_ONE_VALUE = {
    *("np.empty", "np.empty_like"),  # what happens to be in memory
    *("np.linalg.svd", "np.linalg.eigh"),  # vectors of either sign
    "np.linalg.cond",  # of a matrix that is singular but for rounding
    *("np.searchsorted", "np.interp"),  # of values that are not in order
    *("np.unique_values", "np.fft.fftfreq", "np.fft.rfftfreq", "np.choose", "np.trim_zeros"),
}
"""The order of a hash, a device that is no device, which of two faults is named first, no axes to trim."""
PARTS = 8
CALLS = drawn(500, whole=1500)


@pytest.mark.parametrize("part", range(PARTS))
def test_calls(part: int, tmp_path: Path) -> None:
    draws = random.Random(part)
    functions = {public_name(one) for one in (*OVERLOADS, *CREATORS, *UNARY, *BINARY, *COMPOSED)}
    names = sorted(functions - OF_NO_ONE_VALUE - {""})
    cases = [(draws.choice(names), draws.choice(FORMS)) for _ in range(CALLS)]
    text = "import numpy as np\n\n\n" + "".join(
        f"def make{number}(p, q):\n    def f(w):\n        return {form.format(name)}\n    return f\n\n\n"
        for number, (name, form) in enumerate(cases)
    )
    module = module_of(text, tmp_path, f"options_{part}")
    kinds = list(product(PLAIN, STAGED))
    different = []
    same = 0
    for number, (name, form) in enumerate(cases):
        beside, kind = draws.choice(kinds)
        make = getattr(module, f"make{number}")
        plain, staged = (make(copy.deepcopy(PLAIN[beside]), BESIDE.copy()) for _ in range(2))
        want, got = _seen(plain, STAGED[kind]), _seen(ag.function(staged), STAGED[kind])
        # A function of singles is one of singles, also where `out=` is of doubles.
        is_same = _are_same(want, got, 1e-5 if "singles" in (beside, kind) else 1e-9)
        same += is_same
        if not is_same and not is_refused(ag.function(staged), (STAGED[kind],)):
            different.append((name, form, beside, kind, want, got))
    assert not different
    assert same > CALLS // 5


METHODS = sorted(
    {
        name
        for kind in (np.ndarray, np.float64, float, int, complex, list, tuple, str, dict, set)
        for name in dir(kind)
        if not name.startswith("_") and callable(getattr(kind, name))
    }
    - {"dump", "dumps", "tofile", "setflags", "getfield", "setfield", "searchsorted", "choose"}
)
METHOD_FORMS = ("w.{0}()", "w.{0}(p)", "w.{0}(p, q)", "p.{0}(w)", "p.{0}(w, q)", "p.{0}(q, w)")


@pytest.mark.parametrize("part", range(PARTS))
def test_methods(part: int, tmp_path: Path) -> None:
    draws = random.Random(part)
    cases = [(draws.choice(METHODS), draws.choice(METHOD_FORMS)) for _ in range(CALLS)]
    text = "import numpy as np\n\n\n" + "".join(
        f"def make{number}(p, q):\n    def f(w):\n        return {form.format(name)}\n    return f\n\n\n"
        for number, (name, form) in enumerate(cases)
    )
    module = module_of(text, tmp_path, f"methods_{part}")
    plain_values = {**PLAIN, "dict": {1: 2.0}, "set": {1, 2}, "words": "a b"}
    different = []
    same = 0
    for number, (name, form) in enumerate(cases):
        owners = plain_values if form[0] == "p" else STAGED
        having = [one for one, value in owners.items() if hasattr(value, name)] or list(owners)
        beside = draws.choice(having if form[0] == "p" else list(plain_values))
        kind = draws.choice(having if form[0] == "w" else list(STAGED))
        make = getattr(module, f"make{number}")
        beside_plain, beside_staged = (copy.deepcopy(plain_values[beside]) for _ in range(2))
        want = _seen(make(beside_plain, BESIDE.copy()), STAGED[kind])
        staged = make(beside_staged, BESIDE.copy())
        got = _seen(ag.function(staged), STAGED[kind])
        is_same = _are_same((want, repr(beside_plain)), (got, repr(beside_staged)))
        same += is_same
        if not is_same and not is_refused(ag.function(staged), (STAGED[kind],)):
            different.append((name, form, beside, kind, want, got))
    assert not different
    assert same > CALLS // 5


def _seen(function: Any, value: Any) -> tuple[Any, Any]:
    """The result, or the class of the exception, and the argument afterwards."""
    given = copy.deepcopy(value)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(given), given
        except Exception as error:
            return type(error), given


def _are_same(want: Any, got: Any, of_doubles: float = 1e-9) -> bool:
    if type(want) is not type(got):
        return False
    if isinstance(want, (tuple, list)):
        return len(want) == len(got) and all(
            _are_same(one, other, of_doubles) for one, other in zip(want, got, strict=True)
        )
    if isinstance(want, (np.ndarray, np.generic)):
        if want.dtype != got.dtype or want.shape != got.shape:
            return False
        if want.dtype.kind in "fc":
            rtol = of_doubles if want.dtype in ("f8", "c16") else 1e-5
            return bool(np.allclose(want, got, rtol=rtol, atol=1e-12, equal_nan=True))
        return bool(np.array_equal(want, got))
    if isinstance(want, (float, complex)):
        return bool(np.allclose(want, got, rtol=of_doubles, atol=1e-12, equal_nan=True))
    return repr(want) == repr(got)
