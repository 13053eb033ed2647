"""Loops with many `continue` and `break` one after the other: texts that grow as their number does."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from autograph import ConversionError, tangent

STEPS = 6


def defined(title: str, body: list[str]) -> Callable[..., Any]:
    """The function of `x` with this body, whose source is found."""
    text = "\n".join(["import numpy as np", "def f(x):", *(f"    {line}" for line in body), ""])
    name = f"<many jumps {title}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, name, "exec"), scope)
    found: Callable[..., Any] = scope["f"]
    return found


def looped(parts: list[list[str]], before: list[str], after: list[str], head: str) -> list[str]:
    return [*before, head, *(f"    {line}" for part in parts for line in part), *after]


def leaves(k: int) -> str:
    """A test that holds in one iteration, for every seventh part: each leaves at a place of its own."""
    return f"i * 7 == {k}"


def continued(k: int) -> list[str]:
    return [f"if {leaves(k)}:", "    x = x * 1.5", "    continue", f"x = x + np.sin(x) * {k}.0 / 800.0"]


def broken(k: int) -> list[str]:
    return [f"if i == 4 and {k} == 11:", "    x = x * 1.5", "    break", f"x = x + np.sin(x) * {k}.0 / 800.0"]


def both(k: int) -> list[str]:
    return broken(k) if k % 3 == 0 else continued(k)


def in_branches(k: int) -> list[str]:
    """Jumps in branches in branches, and what follows them in their blocks."""
    return [
        f"if i % 2 == {k} % 2:",
        f"    if {leaves(k)}:",
        "        x = x * 1.25",
        "        continue",
        "    x = x * 1.0625",
        "else:",
        f"    if i == 5 and {k} == 20:",
        "        break",
        "    elif x > 1000.0:",
        "        continue",
        f"x = x + np.cos(x) * {k}.0 / 800.0",
    ]


def by_value(k: int) -> list[str]:
    return [f"if x > {1.4 + k / 41.0!r} + i:", "    x = x * 0.75", "    continue", "x = x * 1.03125 + 0.01"]


def read_later(k: int) -> list[str]:
    """Variables that a part binds, and the next one and what follows the loop read."""
    read = [f"x = x + a{k - 1} * 0.125"] if k else []
    return [f"if {leaves(k)}:", "    continue", *read, f"a{k} = np.sin(x) * {k + 1}.0 / 40.0"]


def appended(k: int) -> list[str]:
    return [*continued(k), "ys.append(x * x)"]


def stored(k: int) -> list[str]:
    return [*continued(k), f"a[{k} % 5] = a[{k + 1} % 5] * x"]


def with_loops(k: int) -> list[str]:
    """Loops with jumps of their own."""
    return [
        *continued(k),
        "for j in range(3):",
        f"    if j == {k} % 3:",
        "        continue",
        f"    if j > {k} % 4:",
        "        break",
        "    x = x * 1.01",
    ]


def returned(k: int) -> list[str]:
    return [f"if i == 3 and {k} == 30:", "    return x * x", *both(k)]


def only_jumps(k: int) -> list[str]:
    return [f"if {leaves(k)}: continue", f"x = x + {k}.0 / 800.0 * x"]


FOR = f"for i in range({STEPS}):"
PARTS: dict[str, tuple[Callable[[int], list[str]], list[str], list[str]]] = {
    "continue": (continued, [], ["return x"]),
    "break": (broken, [], ["return x"]),
    "both": (both, [], ["return x"]),
    "in branches": (in_branches, [], ["return x"]),
    "by value": (by_value, [], ["return x"]),
    "only jumps": (only_jumps, [], ["return x"]),
    "read later": (
        read_later,
        [f"a{k} = 0.5" for k in range(40)],
        ["return x + a3 * a17 + a39"],
    ),
    "appended": (appended, ["ys = [x]"], ["return np.sum(np.array(ys)) + len(ys)"]),
    "stored": (stored, ["a = np.ones(5)"], ["return np.sum(a) * x"]),
    "with loops": (with_loops, [], ["return x"]),
    "returned": (returned, [], ["return x"]),
}


def program(title: str, head: str = FOR, count: int = 40) -> Callable[..., Any]:
    part, before, after = PARTS[title]
    first = ["i = -1"] if head.startswith("while") else []
    step = [["i = i + 1"]] if first else []
    body = looped([*step, *(part(k) for k in range(count))], [*first, *before], after, head)
    return defined(f"{title} {head} {count}", body)


def difference(f: Callable[..., Any], x: float) -> float:
    return float((f(x + 1e-6) - f(x - 1e-6)) / 2e-6)


HEADS = (FOR, f"while i < {STEPS - 1}:")


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("title", PARTS)
def test_derivatives_are_those_of_the_program(title: str, head: str) -> None:
    f = program(title, head)
    for x in (0.3, 0.9, 2.1):
        expected = difference(f, x)
        assert abs(expected) > 1e-2
        gradient = tangent.grad(f, preserve_result=True)
        found, value = gradient(x)
        assert value == f(x)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
        assert gradient(x) == (found, value)
        np.testing.assert_allclose(tangent.jvp(f)(x, 1.0), found, rtol=1e-12)
        np.testing.assert_allclose(tangent.autodiff(f, motion="split")(x), found, rtol=1e-12)
        np.testing.assert_allclose(tangent.grad(f, optimized=False)(x), found, rtol=1e-12)


@pytest.mark.parametrize("title", ["continue", "both", "in branches"])
def test_second_derivatives(title: str) -> None:
    f = program(title)
    first = tangent.grad(f)
    expected = difference(first, 0.3)
    np.testing.assert_allclose(tangent.grad(first)(0.3), expected, rtol=1e-4)
    np.testing.assert_allclose(tangent.grad(tangent.jvp(f))(0.3, 1.0), expected, rtol=1e-4)


@pytest.mark.parametrize("title", ["continue", "break", "in branches", "appended"])
def test_functions_that_are_called(title: str) -> None:
    f = program(title)
    caller = defined(f"caller {title}", ["y = x * 2.0", "return g(y) * x"])
    caller.__globals__["g"] = f
    np.testing.assert_allclose(tangent.grad(caller)(0.3), difference(caller, 0.3), rtol=1e-5)


@pytest.mark.parametrize("title", sorted(PARTS.keys() - {"read later"}))
def test_the_text_grows_as_the_jumps_do(title: str) -> None:
    """It grew with their square, and Python takes a hundred blocks in each other and no more."""
    fifty, whole = (tangent.to_source(tangent.grad(program(title, count=count))) for count in (50, 200))
    assert len(whole) < 4.4 * len(fifty)
    deepest = [max(len(line) - len(line.lstrip()) for line in text.splitlines()) for text in (fifty, whole)]
    assert deepest[0] == deepest[1] < 40


def test_few_jumps_are_branches() -> None:
    text = tangent.to_source(tangent.grad(program("continue", count=5)))
    assert "has_left" not in text


def test_a_try_around_a_jump_is_left_as_it_is() -> None:
    parts = [
        ["try:", *(f"    {line}" for line in continued(k)[:3]), "finally:", f"    n = n + {k}"]
        if k == 2
        else continued(k)
        for k in range(30)
    ]
    f = defined("try", ["n = 0", *looped(parts, [], ["return x * n"], FOR)])
    np.testing.assert_allclose(tangent.grad(f)(0.3), difference(f, 0.3), rtol=1e-5)


def test_many_jumps_in_a_try_are_refused_with_their_place() -> None:
    parts = [
        ["try:", *(f"    {line}" for line in continued(k)[:3]), "finally:", f"    n = n + {k}"]
        for k in range(120)
    ]
    f = defined("many tries", ["n = 0", *looped(parts, [], ["return x * n"], FOR)])
    with pytest.raises(ConversionError) as caught:
        tangent.grad(f)
    assert caught.value.code == "AG021"
    assert caught.value.location is not None


def test_a_row_that_is_written_beside_many_jumps() -> None:
    """Which name sees the write is known, or it is refused; never anything else."""
    parts = [
        [f"if i * 7 == {k}:", "    row[0] = row[0] * x", "    continue", f"row[1] = row[1] + x * {k}.0"]
        for k in range(30)
    ]
    body = looped([["row = m[i]"], *parts], [f"m = np.ones(({STEPS}, 2)) * x"], ["return np.sum(m * m)"], FOR)
    f = defined("rows", body)
    try:
        gradient = tangent.grad(f)
    except ConversionError as error:
        assert error.code == "AG023"
        assert error.location is not None
    else:
        np.testing.assert_allclose(gradient(0.3), difference(f, 0.3), rtol=1e-5)
