"""Methods of arrays with an argument that may be ``None``: ``a.fill(w)``, where `w` is ``None`` or a tuple.

Each method that takes a value is crossed with what the value may be and with the arrays' dtypes, on both
paths.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

VALUES = [
    *("x", "1", "True", "1j", "(x, 2.0)", "(x,)", "[x, 2.0]", "[1]", "(0, 1)", "()"),
    *("np.array([x, 2.0])", "np.array([1])", "np.array(x)", "np.array([1j, x])", "np.array([True, False])"),
]
METHODS = [
    *("r.fill(w)", "r.clip(w, 2)", "r.clip(0, w)", "r.take(w)", "r.dot(w)", "r.put(w, 1)", "r.put(0, w)"),
    *("r.reshape(w)", "r.repeat(w)", "r.searchsorted(w)", "r.round(w)", "r.sum(w)", "r.sum(initial=w)"),
    *("r.sum(where=w)", "r.cumsum(w)", "r.std(ddof=w)", "r.item(w)", "r.sort(w)", "r.transpose(w)"),
    *("r.choose(w)", "r.compress(w)", "r.swapaxes(w, 0)", "r.argsort(w)", "r.partition(w)", "r.squeeze(w)"),
]
NEEDED_WHILE_TRACING = ["r.round(w)", "r.transpose(w)", "r.swapaxes(w, 0)", "r.argsort(w)"]
"""What decides the shape of the result, or its type: all of these are refused."""
DTYPES = ["float64", "int64", "complex128", "bool"]


def outcome(function: Any, condition: np.bool_) -> Any:
    try:
        made = function(np.float64(1.5), condition)
    except ag.AutographError as error:
        return "refused", error.code
    except Exception as error:
        return type(error), str(error)
    return tuple((type(one), getattr(one, "dtype", None), repr(one)) for one in made)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", METHODS)
def test_a_method_takes_what_may_be_none_as_numpy_does(method: str, tmp_path: Path) -> None:
    programs = [
        f"def f{number}(x, c):\n    w = None\n    if c:\n        w = {value}\n"
        f"    r = np.array([0, 1], '{dtype}')\n    y = {method}\n    return r, y\n"
        for number, (value, dtype) in enumerate(itertools.product(VALUES, DTYPES))
    ]
    module = module_of(
        "import numpy as np\n\n\n" + "\n\n".join(programs), tmp_path, f"method_{METHODS.index(method)}"
    )
    answered, different = 0, []
    for number, text in enumerate(programs):
        plain, staged = (function(getattr(module, f"f{number}")) for function in (lambda f: f, ag.function))
        for condition in (np.True_, np.False_):
            expected, given = outcome(plain, condition), outcome(staged, condition)
            answered += given[0] != "refused"
            if given[0] != "refused" and given != expected:
                different.append((text, bool(condition), expected, given))
    assert not different
    assert (answered == 0) == (method in NEEDED_WHILE_TRACING)
