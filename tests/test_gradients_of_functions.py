"""Derivatives of every function of NumPy that graphs have, by its floats, against differences of NumPy.

Forward mode against differences, reverse against forward, second derivatives against differences of the
gradient, `vmap` of the function and of its gradient against rows alone, and one graph for arrays of any size.
The table in docs/gradients-of-numpy.md is what is found here: `AG_BLESS=1` writes it.
"""

from __future__ import annotations

import functools
import os
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from gradient_checks import (
    ROWS,
    Point,
    check_forward,
    check_open_sizes,
    check_reverse,
    check_second_order,
    check_single,
    check_vmap,
    check_vmap_of_grad,
    leaves_of,
    point_at,
    quietly,
    refusal_of,
)
from numpy_cases import Case, is_there
from numpy_tables import CASES
from numpy_tables_complex import COMPLEX_CASES
from test_numpy_properties import BINARY, UNARY

DOCUMENT = Path(__file__).parent.parent / "docs" / "gradients-of-numpy.md"
ATTEMPTS = 12

SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "any": ((3, 4),),
    "rows": ((3, 4),),
    "cube": ((2, 2, 3),),
    "vector": ((5,),),
    "matrix": ((3, 4),),
    "square": ((3, 3),),
    "squares": ((3, 3), (3, 3)),
    "stack": ((2, 3, 3),),
    "stacks": ((2, 3, 3), (2, 3, 3)),
    "chain": ((2, 3), (3, 4)),
    "two": ((3, 4), (4,)),
    "alike": ((3, 4), (3, 4)),
    "vectors": ((4,), (4,)),
    "three": ((2, 3), (2, 3)),
}
"""The shapes of the arguments, by what the tables call them, without how tame they are."""

RANGES: list[Callable[[np.random.Generator, tuple[int, ...]], Any]] = [
    lambda draws, shape: draws.normal(size=shape),
    lambda draws, shape: draws.uniform(0.1, 0.9, size=shape),
    lambda draws, shape: draws.uniform(1.1, 3.0, size=shape),
    lambda draws, shape: 3 * draws.normal(size=shape),
]
"""Where points are drawn: functions are not defined everywhere."""


def kind_of(inputs: str) -> str:
    words = [word for word in inputs.split() if word not in ("tame", "full", "complex")]
    kind = words[0] if words else "any"
    return {"axis": "any", "number": "any", "float": "any"}.get(kind, kind)


def arguments(case: Case, draws: np.random.Generator, attempt: int) -> tuple[Any, ...]:
    draw = RANGES[attempt % len(RANGES)]
    kind = kind_of(case.inputs)
    if kind == "masked":
        return draw(draws, (2, 3)), np.array([[True, False, True], [False, False, True]])
    if kind == "indexed":
        return draw(draws, (5,)), np.array([0, -2, 4])
    if kind == "table":
        return draw(draws, (2, 3)), np.sort(draws.normal(size=4)), draws.normal(size=4)
    return tuple(np.asarray(draw(draws, shape)) for shape in SHAPES[kind])


def cases_of_ufuncs() -> list[Case]:
    """A case for each function of arrays element by element, and for products."""
    one = [Case(ufunc.__name__, "any", of_one(ufunc)) for ufunc in UNARY]
    two = [Case(ufunc.__name__, "two", of_two(ufunc)) for ufunc in BINARY]
    products = [
        Case("matmul", "squares", lambda x, y: np.matmul(x, y[0])),
        Case("vecdot", "squares", lambda x, y: np.vecdot(x, y)),
        Case("matvec", "squares", lambda x, y: np.matvec(x, y)),
        Case("vecmat", "squares", lambda x, y: np.vecmat(x, y)),
    ]
    return one + two + [case for case in products if is_there(case.name)]


def of_one(ufunc: Any) -> Any:
    return lambda x: ufunc(x)


def of_two(ufunc: Any) -> Any:
    return lambda x, y: ufunc(x, y)


def definite(x: Any) -> Any:
    return x @ np.swapaxes(x, -1, -2) + 2.0 * np.eye(3)


LINEAR_ALGEBRA = [
    Case("linalg.solve", "squares", lambda x, y: np.linalg.solve(x, y)),
    Case("linalg.solve", "squares", lambda x, y: np.linalg.solve(x, y[0])),
    Case("linalg.solve", "stacks", lambda x, y: np.linalg.solve(x, y)),
    Case("linalg.inv", "square", lambda x: np.linalg.inv(x)),
    Case("linalg.inv", "stack", lambda x: np.linalg.inv(x)),
    Case("linalg.det", "square", lambda x: np.linalg.det(x)),
    Case("linalg.det", "stack", lambda x: np.linalg.det(x)),
    Case("linalg.slogdet", "square", lambda x: np.linalg.slogdet(x)[1]),
    Case("linalg.cholesky", "square", lambda x: np.linalg.cholesky(definite(x))),
    Case("linalg.cholesky", "stack", lambda x: np.linalg.cholesky(definite(x), upper=True)),
    Case("linalg.eigvalsh", "square", lambda x: np.linalg.eigvalsh(x + x.T)),
    Case("linalg.eigvalsh", "stack", lambda x: np.linalg.eigvalsh(x, "U")),
    Case("linalg.eigh", "square", lambda x: np.linalg.eigh(x + x.T).eigenvalues),
    Case("linalg.eigh", "square", lambda x: np.linalg.eigh(x)[1] ** 2),
    Case("linalg.matrix_power", "square", lambda x: np.linalg.matrix_power(x, -2)),
    Case("linalg.matrix_power", "stack", lambda x: np.linalg.matrix_power(x, 6)),
    Case("linalg.qr", "square", lambda x: np.linalg.qr(x)),
    Case("linalg.qr", "rows", lambda x: np.linalg.qr(x.T)),
    Case("linalg.qr", "rows", lambda x: np.linalg.qr(x, "r")),
    Case("linalg.svd", "rows", lambda x: np.linalg.svd(x, compute_uv=False)),
    Case("linalg.svd", "rows", lambda x: np.linalg.svd(x, False)[0] ** 2),
    Case("linalg.svd", "square", lambda x: np.linalg.svd(x)[2] ** 2),
    Case("linalg.svdvals", "stack", lambda x: np.linalg.svdvals(x)),
    Case("linalg.pinv", "rows", lambda x: np.linalg.pinv(x)),
    Case("linalg.cond", "square", lambda x: np.linalg.cond(x)),
    Case("linalg.cond", "square", lambda x: np.linalg.cond(x, 1)),
    Case("linalg.lstsq", "rows", lambda x: np.linalg.lstsq(x.T, np.arange(4.0))[0]),
    Case("linalg.norm", "rows", lambda x: np.linalg.norm(x, 2)),
    Case("linalg.norm", "rows", lambda x: np.linalg.norm(x, "nuc")),
    Case("linalg.tensorsolve", "square", lambda x: np.linalg.tensorsolve(x + np.eye(3), x[0])),
    Case("linalg.tensorinv", "square", lambda x: np.linalg.tensorinv(x + np.eye(3), 1)),
]

TRIED = [*CASES, *COMPLEX_CASES, *cases_of_ufuncs(), *LINEAR_ALGEBRA]


def keys_of(found: list[Case]) -> dict[str, Case]:
    """Cases by name and by which way to call it they are."""
    counts: dict[str, int] = defaultdict(int)
    named = {}
    for case in found:
        counts[case.name] += 1
        named[f"{case.name}#{counts[case.name]}"] = case
    return named


NAMED = keys_of(TRIED)


@functools.cache
def points_of(key: str) -> list[Point]:
    """Points where a case has a derivative; none if it has no floats to differentiate."""
    case, found = NAMED[key], []
    draws = np.random.default_rng(len(key))
    for attempt in range(ATTEMPTS * ROWS):
        point = point_at(case.function, arguments(case, draws, attempt // ROWS), draws)
        if point is not None and point.is_smooth() and (not found or point.is_like(found[0])):
            found.append(point)
        if len(found) == ROWS:
            break
    return found


CHECKS: dict[str, Callable[[list[Point]], None]] = {
    "forward": lambda points: check_forward(points[0]),
    "reverse": lambda points: check_reverse(points[0]),
    "second order": lambda points: check_second_order(points[0]),
    "vmap": check_vmap,
    "vmap of grad": check_vmap_of_grad,
    "open sizes": lambda points: check_open_sizes(points[0]),
    "float32": lambda points: check_single(points[0]),
}


@functools.cache
def verdicts_of(key: str) -> dict[str, str]:
    """What each check finds: ``yes``, or the code of the refusal."""
    points = points_of(key)
    file = NAMED[key].function.__code__.co_filename
    return {name: refusal_of(functools.partial(check, points), file) for name, check in CHECKS.items()}


DISCARDS = "imaginary parts would be discarded"

REFUSED: dict[str, tuple[str, dict[str, str]]] = {
    "full_like#4": (DISCARDS, dict.fromkeys(CHECKS, "AG128")),
    "pad#12": (DISCARDS, dict.fromkeys(CHECKS, "AG128")),
}
"""What is refused: why, and with which code by which check."""

SMOOTH = [key for key in NAMED if len(points_of(key)) == ROWS]


@pytest.mark.parametrize("key", SMOOTH)
def test_derivatives(key: str) -> None:
    found = {name: verdict for name, verdict in verdicts_of(key).items() if verdict != "yes"}
    assert found == REFUSED.get(key, ("", {}))[1]


NO_ELEMENTS = "its result has no elements"
OF_32_BITS = "its result is of 32 bits"

NO_STEP = "its step is NaN, as it has one element"

WITHOUT_POINT = {
    "tile#1": NO_ELEMENTS,
    "intersect1d#1": NO_ELEMENTS,
    "array#3": OF_32_BITS,
    "full#4": OF_32_BITS,
    "zeros_like#4": OF_32_BITS,
    "astype#3": OF_32_BITS,
    "logspace#4": OF_32_BITS,
    "linspace#6": NO_STEP,
}
"""What gives floats and has no derivative here."""


def gives_floats(key: str) -> bool:
    """Whether NumPy takes floats for a case and gives some."""
    case, draws = NAMED[key], np.random.default_rng(1)
    for attempt in range(len(RANGES)):
        try:
            result = quietly(case.function, *arguments(case, draws, attempt))
        except (TypeError, ValueError, IndexError, np.linalg.LinAlgError):
            continue
        if any(np.asarray(leaf).dtype.kind in "fc" for leaf in leaves_of(result)):
            return True
    return False


def test_whatever_gives_floats_is_tried() -> None:
    left_out = {key for key in NAMED if key not in SMOOTH and gives_floats(key)}
    assert left_out == set(WITHOUT_POINT)


def test_what_is_refused_is_tried() -> None:
    assert set(REFUSED) <= set(SMOOTH)


HEAD = """# Gradients of NumPy's functions

Each function of NumPy that graphs have and that gives floats of floats, as
`tests/test_gradients_of_functions.py` has found it, in all ways to call it that the tests have:

- forward: `ag.jvp` against central differences of NumPy itself;
- reverse: `ag.grad` against `ag.jvp`;
- second order: both modes over `ag.grad`, against differences of it;
- vmap: `ag.vmap` of the function, and of its gradient, against rows alone;
- open sizes: the gradient with sizes left open (`ag.ArraySpec`): of one graph, or of one for each size, with
  a warning, where the function or its derivative needs sizes to trace;
- float32: the gradient by floats of 32 bits.

A code says what is refused (see [errors](errors.md)). Which derivative is taken where there is none is said
in [gradients](gradients.md). `AG_BLESS=1` has the test write this file.

| function | forward | reverse | second order | vmap | vmap of grad | open sizes | float32 |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def table() -> str:
    """A row for each function: ``yes``, or what is refused in how many of the ways to call it."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for key in SMOOTH:
        by_name[NAMED[key].name].append(key)
    rows = [row_of(name, keys) for name, keys in sorted(by_name.items())]
    notes = [
        f"- `{NAMED[key].name}`: {reason} ({', '.join(sorted(set(codes.values())))}).\n"
        for key, (reason, codes) in sorted(REFUSED.items())
    ]
    return HEAD + "".join(rows) + "\nWhat is refused of these, and why:\n\n" + "".join(dict.fromkeys(notes))


def row_of(name: str, keys: list[str]) -> str:
    cells = []
    for check in CHECKS:
        found = [verdicts_of(key)[check] for key in keys]
        codes = [code for code in found if code != "yes"]
        cells.append(
            "yes" if not codes else f"{', '.join(sorted(set(codes)))} ({len(codes)} of {len(found)})"
        )
    return f"| `{name}` | {' | '.join(cells)} |\n"


def test_the_table_in_the_documents() -> None:
    text = table()
    if os.environ.get("AG_BLESS"):
        DOCUMENT.write_text(text)
    assert DOCUMENT.read_text() == text, "AG_BLESS=1 writes it anew"


DRAWS: list[tuple[Callable[..., Any], tuple[float, ...]]] = [
    (lambda x: np.random.default_rng(1).normal(x, 0.5, size=4), (0.3,)),
    (lambda x, y: np.random.default_rng(2).normal(x, y), (0.3, 0.8)),
    (lambda x, y: np.random.default_rng(3).uniform(x, y, size=(2, 2)), (0.3, 1.8)),
    (lambda x, y: np.random.default_rng(4).lognormal(x, y, size=3), (0.1, 0.2)),
    (lambda x: np.random.default_rng(5).exponential(x, size=3), (1.7,)),
    (lambda x: np.random.default_rng(6).rayleigh(x, size=3), (1.7,)),
    (lambda x: np.random.default_rng(7).weibull(x, size=3), (1.7,)),
    (lambda x: x * np.random.default_rng(8).standard_normal(3), (0.7,)),
    (lambda x: np.random.default_rng(9).choice(np.stack([x, x * x, x**3]), 5), (0.7,)),
    (lambda x: np.random.default_rng(10).permutation(np.stack([x, x * x, x**3])), (0.7,)),
    (lambda x: shuffled(np.stack([x, x * x, x**3])), (0.7,)),
    (lambda x: np.sum(np.random.default_rng(12).random(9) < x) * x, (0.7,)),
]
"""What is drawn, and with which parameters: staged draws are a stream of their own, also in differences."""


def shuffled(x: Any) -> Any:
    y = x.copy()
    np.random.default_rng(11).shuffle(y)
    return y


@pytest.mark.parametrize("number", range(len(DRAWS)))
@pytest.mark.parametrize("check", [check_forward, check_reverse, check_second_order])
def test_derivatives_of_draws(check: Callable[[Point], None], number: int) -> None:
    function, parameters = DRAWS[number]
    args = tuple(np.float64(one) for one in parameters)
    point = point_at(ag.function(function), args, np.random.default_rng(number))
    assert point is not None and point.is_smooth()
    check(point)


def test_what_is_not_used_gives_no_nan() -> None:
    """Polynomials of ``32 / x`` for large numbers, and an interval beyond the last point."""
    assert ag.grad(lambda x: np.i0(x))(np.float64(0.0)) == 0.0
    assert np.array_equal(ag.grad(lambda x: np.sum(np.i0(x)))(np.array([0.0, 9.0]))[:1], [0.0])
    keys, heights = np.array([0.0, 1.0, 3.0]), np.array([2.0, 1.0, 5.0])
    slope = ag.grad(lambda x, keys, heights: np.sum(np.interp(x, keys, heights)), (0, 1, 2))
    by_x, by_keys, by_heights = slope(np.array([-1.0, 0.5, 2.0, 4.0]), keys, heights)
    assert by_x.tolist() == [0.0, -1.0, 2.0, 0.0]
    assert by_heights.tolist() == [1.5, 1.0, 1.5] and np.all(np.isfinite(by_keys))


def test_rows_that_differ_fail_at_the_line() -> None:
    def large(x: Any) -> Any:
        y = x * 2.0
        return y[y > 3.0]

    with pytest.raises(ag.GraphRuntimeError, match="vmap: rows have different sizes") as caught:
        ag.vmap(large)(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert caught.value.location.file == __file__
    assert caught.value.location.line == large.__code__.co_firstlineno + 2
