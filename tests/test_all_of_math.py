"""Every function of `math` and `cmath` over values of the run, with CPython's results and exceptions."""

from __future__ import annotations

import cmath
import itertools
import math

import autograph as ag
import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

OF_TWO = {"atan2", "copysign", "fmod", "isclose", "nextafter", "pow", "remainder"}
OF_INTS = {"comb": "m, k", "factorial": "m", "gcd": "m, k, 4", "isqrt": "m", "lcm": "m, k, 4", "perm": "m, k"}
OTHERS = {
    "dist": ["[a, b], [b, a]"],
    "fsum": ["[a, b, 0.1]", "v"],
    "hypot": ["a, b", "*v[:2]", "k"],
    "ldexp": ["a, k"],
    "log": ["a", "a, b", "k, 3"],
    "prod": ["[a, b, 0.1]", "v", "[m, k]"],
}
OF_COMPLEX = {
    "isclose": ["z, z + 1e-12", "z, a", "a, b", "z, w, rel_tol=b, abs_tol=1.0", "z, w, abs_tol=10"],
    "log": ["z", "a", "z, 2", "z, w", "2, z", "z, a"],
    "rect": ["a, b", "a, k"],
}


def _arguments(name):
    if name in OF_INTS:
        return [OF_INTS[name]]
    return OTHERS.get(name) or (["a, b"] if name in OF_TWO else ["a"])


USES = [
    *(
        f"math.{name}({one})"
        for name in sorted(vars(math))
        if callable(vars(math)[name])
        for one in _arguments(name)
    ),
    *(
        f"cmath.{name}({one})"
        for name in sorted(vars(cmath))
        if callable(vars(cmath)[name])
        for one in OF_COMPLEX.get(name, ["z", "a"])
    ),
]
USES = [use for use in USES if ".__" not in use]
CALLS = [
    (0.7, 0.3, 6, 3, 0.5 + 0.2j, 1 - 1j, np.array([0.1, 0.2, 0.3])),
    (np.float64(0.7), np.float64(-0.3), np.int64(7), np.int64(2), 0.5 - 0.2j, 2j, np.array([1e16, 1, -1e16])),
    (-2.0, 0.0, -1, 0, 0j, complex(math.inf), np.array([2.0, -0.5])),
    (math.nan, math.inf, 20, 25, complex(math.nan), 1 + 0j, np.array([math.inf, 1.0])),
    (1, 2, 3, 1, 1 + 0j, -0.0 - 0j, np.array([1.0, 2.0])),
]


def _is_near(one, other):
    if isinstance(one, tuple):
        return type(other) is tuple and all(map(_is_near, one, other))
    return type(one) is type(other) and (
        repr(one) == repr(other) or np.allclose(one, other, rtol=1e-14, atol=0, equal_nan=True)
    )


def _outcome(function, arguments):
    try:
        return function(*arguments)
    except Exception as error:
        assert not isinstance(error, ag.StagingError), error
        return (
            type(error).__name__ if not isinstance(error, TypeError) else "TypeError",
            str(error).splitlines()[0],
        )


@pytest.mark.filterwarnings("ignore")
def test_every_function(tmp_path):
    text = "import cmath\nimport math\n\n\n"
    for number, use in enumerate(USES):
        text += f"def f{number}(a, b, m, k, z, w, v):\n    return {use}\n\n\n"
    module, different = module_of(text, tmp_path, "all_of_math"), []
    for number, use in enumerate(USES):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for arguments in CALLS:
            want, got = _outcome(function, arguments), _outcome(staged, arguments)
            if not _is_near(want, got):
                different.append((use, arguments, want, got))
    assert different == []


ITEMS = {
    "a list": "[x, n, 2.5]",
    "a tuple": "(n, x)",
    "nothing": "[]",
    "an array": "v",
    "ints": "v.astype(np.int64) % 4",
    "a list of the run": "[t for t in v if t > x]",
    "a grown list": "grown(v, x)",
    "a generator": "(t * 2 for t in v)",
    "a generator with a test": "(t for t in v if t > 0)",
    "lengths": "(len(g) for g in [v, v[1:]] if len(g) > 0)",
    "two loops": "(t * i for t in v for i in range(n))",
    "mapped": "map(abs, v)",
    "filtered": "filter(lambda t: t > x, v)",
    "a range": "range(1, n + 1)",
    "values": "{'a': x, 'b': n}.values()",
    "values of the run": "{i: x for i in range(n)}.values()",
    "a set of the run": "{i % 3 for i in range(n)}",
    "bools": "[x > 0, n > 1, True]",
    "the items of a generator": "items(v, x)",
    "narrow numbers": "np.float32(x) * np.ones(3, np.float32)",
    "texts": "['a', 'b']",
    "rows": "[v, v * 2]",
}
FORMS = {
    "prod": "math.prod({})",
    "prod from": "math.prod({}, start=x)",
    "fsum": "math.fsum({})",
    "of a loop": "[math.prod({}) for _ in range(n)]",
    "in a test": "1 if math.fsum({}) > 1 else 0",
}
PREAMBLE = """
import math
import numpy as np


def grown(v, x):
    out = []
    for t in v:
        if t > x:
            out.append(t)
    return out


def items(v, x):
    for t in v:
        if t < x:
            yield t


"""
ARRAYS = (
    [1.5, -2.0, 0.25],
    [],
    [1e16, 1.0, -1e16, 3.0],
    np.linspace(-3, 3, 50),
    [np.inf, -np.inf],
    [2.0, np.nan],
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMS)
def test_products_and_exact_sums(form, tmp_path):
    text, calls = PREAMBLE, {}
    for number, items in enumerate(ITEMS.values()):
        text += f"def f{number}(v, x, n):\n    return {FORMS[form].format(items)}\n\n\n"
        calls[f"f{number}"] = [
            (np.array(array), x, n)
            for (a, array), (b, (x, n)) in itertools.product(
                enumerate(ARRAYS), enumerate(((0.5, 3), (-1.0, 0)))
            )
            if in_turn(number, a, b, among=2)
        ]
    same, different, refused = compared(module_of(text, tmp_path, "products"), calls)
    assert different == []
    assert same > len(refused)


def test_an_exact_sum_is_rounded_once():
    draws, staged = np.random.default_rng(1), ag.function(math_fsum)
    for _ in range(200):
        size = int(draws.integers(1, 40))
        v = draws.normal(size=size) * 2.0 ** draws.integers(-60, 60, size)
        v = np.concatenate([v, -v[::-1], [2.0**-60, 1.0, 2.0**-53]])
        assert staged(v) == math.fsum(v)


def math_fsum(v):
    return math.fsum(v)


def test_derivatives():
    v = np.array([1.0, 1e16, -1e16])
    assert ag.grad(math_fsum)(v).tolist() == [1.0, 1.0, 1.0]
    assert ag.grad(lambda v: math.prod(v))(np.array([2.0, 3.0, 4.0])).tolist() == [12.0, 8.0, 6.0]
    assert ag.grad(lambda v: math.prod(v))(np.array([0.0, 3.0, 4.0])).tolist() == [12.0, 0.0, 0.0]
