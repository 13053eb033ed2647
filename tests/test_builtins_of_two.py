"""Builtins of two arguments, of which either is staged, beside plain values of every kind.

Of every builtin, each three of a form, a way to make the staged value, a plain value and a kind of the staged
one meet; `make cross` runs each four.
"""

from __future__ import annotations

import copy
import math
from itertools import product
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal
from whole import in_turn

BUILTINS = """
    int float complex bool str bytes bytearray list tuple set range abs round pow divmod sum min
    max len sorted reversed enumerate zip any all isinstance getattr hasattr format chr ord hex bin iter
    next filter map slice callable repr print math.pow math.isclose math.ldexp math.gcd math.comb
    math.hypot math.dist math.fsum operator.add operator.getitem operator.contains operator.lt
    operator.is_ operator.mul operator.concat operator.iconcat operator.indexOf operator.countOf
    float.__mul__ complex.__add__ int.__add__ np.float64.__mul__ np.int64.__getitem__ float.is_integer
    list.index (2.5).__mul__ np.float64(2).__pow__ [3.0].count str.center object.__eq__
""".split()
PLAIN: dict[str, Any] = {
    "none": None,
    "int": 3,
    "negative": -1,
    "float": 1.5,
    "text": "12",
    "bytes": b"12",
    "list": [1.0, 2.0],
    "tuple": (3, 1),
    "empty": [],
    "array": np.arange(3.0),
    "scalar": np.int64(2),
    "class": float,
}
STAGED: dict[str, Any] = {
    "int64": np.int64(8),
    "float": 2.5,
    "float64": np.float64(2.0),
    "flag": np.bool_(True),
    "array": np.arange(2),
    "complex": 1.0 + 2.0j,
}
MADE = {
    "itself": "w = x",
    "optional": "w = None\n    if c:\n        w = x",
    "several": "w = 2\n    if c:\n        w = x",
    "element": "w = [x, x][k]",
}
FORMS = ("{0}(w, p)", "{0}(p, w)", "{0}(p, w, p)", "{0}(p, *[w])", "{0}(w)")


@pytest.mark.parametrize("maker", MADE)
@pytest.mark.parametrize("form", FORMS)
def test_builtins_of_two(maker: str, form: str, tmp_path: Path) -> None:
    made = MADE[maker].replace("\n", "\n    ")
    text = "import math\nimport operator\nimport numpy as np\n\n\n" + "".join(
        f"def make{number}(p):\n    def f(x, c, k):\n        {made}\n        return {form.format(name)}\n"
        f"    return f\n\n\n"
        for number, name in enumerate(BUILTINS)
    )
    module = module_of(text, tmp_path, f"builtins_{maker}_{FORMS.index(form)}")
    paths = (np.bool_(True), np.bool_(False)) if maker in ("optional", "several") else (np.bool_(True),)
    shift = list(MADE).index(maker) + FORMS.index(form)
    among = len(MADE) if "p" in form else 1
    plain = PLAIN if "p" in form else {"none": None}
    different = []
    same = 0
    for number, name in enumerate(BUILTINS):
        for (place, (beside, p)), (column, (kind, x)) in product(
            enumerate(plain.items()), enumerate(STAGED.items())
        ):
            if not in_turn(number, shift, place, column, among=among):
                continue
            function = getattr(module, f"make{number}")(copy.copy(p))
            staged = ag.function(getattr(module, f"make{number}")(copy.copy(p)))
            for c in paths:
                arguments = (x, c, np.int64(0))
                want = outcome(function, arguments)
                got, is_refusal = outcome_or_refusal(staged, arguments)
                same += want == got
                is_known = _is_an_address(want) or _is_rounded(name, want, got)
                if want != got and not is_known and not is_refusal:
                    different.append((name, beside, kind, bool(c), want, got))
    assert not different
    assert same > 20


def _is_an_address(want: Any) -> bool:
    """Whether the text of a result, such as an iterator, is an address."""
    return " at 0x" in repr(want)


def _is_rounded(name: str, want: Any, got: Any) -> bool:
    """Whether a result has another last digit, as powers and lengths may have (docs/differences.md)."""
    if name == "math.hypot" and want[0] is got[0] is float:
        return want[3:] == got[3:] and math.isclose(float(want[2]), float(got[2]), rel_tol=4e-16)
    return name in ("pow", "np.float64(2).__pow__") and "complex" in want[1]
