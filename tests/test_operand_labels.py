"""Shapes that do not fit: a refusal names each operand as the program wrote it, with its shape.

The message is NumPy's to the letter; the names stand beside the marked place.
"""

from __future__ import annotations

import linecache
from typing import Any

import autograph as ag
import numpy as np
import pytest

SHAPES = {"x": (32, 10), "w": (12, 4), "v": (3,), "u": (4,), "a": (2, 3), "b": (3, 2), "m": (3, 3), "s": ()}

VECTORS = "`v` is (3,), `u` is (4,): 3 and 4 do not fit"

BINARY = """
    v + u|v - u|v * u|v / u|v // u|v % u|v ** u|v < u|v <= u|v > u|v >= u|v == u|v != u
    np.add(v, u)|np.subtract(v, u)|np.multiply(v, u)|np.divide(v, u)|np.maximum(v, u)|np.minimum(v, u)
    np.fmax(v, u)|np.hypot(v, u)|np.arctan2(v, u)|np.logaddexp(v, u)|np.copysign(v, u)|np.power(v, u)
    np.less(v, u)|np.equal(v, u)|np.fmod(v, u)|np.divmod(v, u)|np.true_divide(v, u)
"""

LABELS = {
    **{one.strip(): VECTORS for line in BINARY.split("\n") for one in line.split("|") if one.strip()},
    "x @ w": "`x` is (32, 10), `w` is (12, 4): 10 and 12 do not fit",
    "np.matmul(x, w)": "`x` is (32, 10), `w` is (12, 4): 10 and 12 do not fit",
    "np.dot(x, w)": "`x` is (32, 10), `w` is (12, 4): 10 and 12 do not fit",
    "np.dot(x, b=w)": "`x` is (32, 10), `w` is (12, 4): 10 and 12 do not fit",
    "x.dot(w)": "`x` is (32, 10), `w` is (12, 4): 10 and 12 do not fit",
    "(x * 2).dot(w + 1)": "`x * 2` is (32, 10), `w + 1` is (12, 4): 10 and 12 do not fit",
    "np.stack([x] * 2) @ np.stack([x.T] * 3)": "`np.stack([x] * 2)` is (2, 32, 10), "
    "`np.stack([x.T] * 3)` is (3, 10, 32): 2 and 3 do not fit",
    "v @ s": "`v` is (3,), `s` is ()",
    "np.inner(x, w)": "`x` is (32, 10), `w` is (12, 4): 10 and 4 do not fit",
    "np.ones(5) + v": "`np.ones(5)` is (5,), `v` is (3,): 5 and 3 do not fit",
    "v + np.ones(5)": "`v` is (3,), `np.ones(5)` is (5,): 3 and 5 do not fit",
    "np.ones((5, 7)) @ x": "`np.ones((5, 7))` is (5, 7), `x` is (32, 10): 7 and 32 do not fit",
    "np.einsum('ij,jk->ik', x, w)": "`x` is (32, 10), `w` is (12, 4): 10 and 12 do not fit",
    "np.einsum('i,i', v, u)": VECTORS,
    "np.concatenate([a, b])": "`a` is (2, 3), `b` is (3, 2): 3 and 2 do not fit",
    "np.concatenate((a, b), axis=1)": "`a` is (2, 3), `b` is (3, 2): 2 and 3 do not fit",
    "np.concatenate((a, b), axis=-1)": "`a` is (2, 3), `b` is (3, 2): 2 and 3 do not fit",
    "np.concatenate([a, v])": "`a` is (2, 3), `v` is (3,)",
    "np.stack([a, b])": "`a` is (2, 3), `b` is (3, 2): 2 and 3 do not fit",
    "np.stack(parts(a, b))": "`parts(a, b)[0]` is (2, 3), `parts(a, b)[1]` is (3, 2): 2 and 3 do not fit",
    "np.vstack([a, w])": "`a` is (2, 3), `w` is (12, 4)",
    "np.where(v > 0, v, u)": "`v > 0` is (3,), `v` is (3,), `u` is (4,): 3 and 4 do not fit",
    "np.where(a > 0, b, 1.0)": "`a > 0` is (2, 3), `b` is (3, 2): 3 and 2 do not fit",
    "np.clip(v, u, 9.0)": VECTORS,
    "np.linalg.solve(m, u)": "`m` is (3, 3), `u` is (4,): 3 and 4 do not fit",
    "np.linalg.solve(a, v)": "`a` is (2, 3), `v` is (3,): 2 and 3 do not fit",
    "np.convolve(a, v)": "`a` is (2, 3), `v` is (3,)",
    "np.vdot(v, u)": "`v` is (3,), `u` is (4,)",
    "v[1:]\\\n        * u": "`v[1:]` is (2,), `u` is (4,): 2 and 4 do not fit",
    "v * (\n        u + 1\n    )": "`v` is (3,), `u + 1` is (4,): 3 and 4 do not fit",
    "sum([v, u])": None,
    "v < u < v": None,
    "np.add(*[v, u])": None,
}
"""For each expression, what stands beside it; ``None`` where the operands are not written there."""


def parts(*arrays: Any) -> Any:
    return list(arrays)


def called(source: str, name: str) -> tuple[Any, Any]:
    """The function of a source, as `linecache` knows it, and arrays for it."""
    file = f"<operand labels {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"np": np, "parts": parts}
    exec(compile(source, file, "exec"), scope)
    return scope["f"], [np.ones(shape) for shape in SHAPES.values()]


def refusal(body: str) -> tuple[ag.StagingError, Exception]:
    """The refusal of a body, and what plain NumPy raises."""
    function, args = called(f"def f({', '.join(SHAPES)}):\n{body}", body)
    with pytest.raises(ValueError) as plain:
        function(*args)
    with pytest.raises(ag.StagingError) as caught:
        ag.function(function)(*args)
    return caught.value, plain.value


@pytest.mark.parametrize("expression", LABELS)
def test_operands_are_named(expression: str) -> None:
    error, plain = refusal(f"    return {expression}\n")
    assert error.label == LABELS[expression]
    assert isinstance(plain, ValueError) and isinstance(error, ValueError)
    assert error.label is None or error.label in str(error)


@pytest.mark.parametrize("operator", "+ - * / // % **".split())
def test_operands_in_place_are_named(operator: str) -> None:
    error, _ = refusal(f"    v {operator}= u\n    return v\n")
    assert error.label == VECTORS


def test_the_message_is_numpys() -> None:
    for expression in ("v + u", "x @ w", "np.dot(x, w)", "np.stack([a, b])"):
        error, plain = refusal(f"    return {expression}\n")
        assert error.message.strip() == str(plain).strip()


def test_a_long_operand_is_cut() -> None:
    error, _ = refusal(f"    return ({' + '.join(['v'] * 30)}) * u\n")
    assert error.label is not None and "…` is (3,), `u` is (4,)" in error.label and len(error.label) < 100


def test_operands_of_a_callee_have_the_names_of_the_callee() -> None:
    body = "    def product(left, right):\n        return left @ right\n    return product(x, w)\n"
    error, _ = refusal(body)
    assert error.label == "`left` is (32, 10), `right` is (12, 4): 10 and 12 do not fit"


def test_sizes_of_the_run_fail_as_in_numpy() -> None:
    def f(v: Any, u: Any) -> Any:
        return v[v > 0] * u[u > 0]

    args = np.ones(3), np.ones(4)
    with pytest.raises(ValueError) as plain:
        f(*args)
    with pytest.raises(ValueError) as caught:
        ag.function(f)(*args)
    assert str(caught.value) == str(plain.value) and type(caught.value) is ValueError
    assert ag.errors.place_of(caught.value) is not None
