"""Where generated code says that it is: lines and columns of its text, and lines of the user's file."""

from __future__ import annotations

import inspect
import traceback
from typing import Any

import numpy as np
import pytest
from autograph import tangent
from autograph._src.tangent.api import derivative_of


def inner(x: Any, w: Any) -> Any:
    doubled = x * 2.0
    return np.dot(doubled, w)


def outer(x: Any, w: Any) -> Any:
    return np.sum(inner(x, w) ** 2)


def worded(
    x: Any,
    word: str = """one
    def two(x):
three""",
    *,
    factor: float = 2.0,
) -> Any:
    return x * len(word) * factor


def test_an_exception_stands_where_its_text_does() -> None:
    derivative = tangent.grad(outer, wrt=("x", "w"))
    with pytest.raises(ValueError, match="not aligned") as raised:
        derivative(np.ones(3), np.ones(4))
    lines = tangent.to_source(derivative).split("\n")
    frames = [one for one in traceback.extract_tb(raised.tb) if one.filename.startswith("<tangent")]
    assert [frame.name for frame in frames] == ["douter", "inner_forward"]
    for frame, code in zip(frames, ["inner_forward(x, w)", "np.dot(doubled, w)"], strict=True):
        assert frame.lineno is not None
        line = lines[frame.lineno - 1]
        assert line.strip() == frame.line
        assert line[frame.colno : frame.end_colno] == code


def test_each_function_has_its_first_line() -> None:
    derivative = tangent.grad(outer)
    text = tangent.to_source(derivative)
    assert inspect.getsource(derivative) == text.split("\n\n\n")[0] + "\n"


def test_each_line_is_of_a_line_of_the_users_file() -> None:
    made = derivative_of(tangent.grad(outer, wrt=("x", "w")))
    mine = inspect.getsource(inspect.getmodule(outer) or outer).split("\n")
    found = {
        line.strip(): mine[made.lines[number][1] - 1].strip()
        for number, line in enumerate(made.text.split("\n"), 1)
        if number in made.lines
    }
    assert found["def inner_forward(x: Any, w: Any):"] == "def inner(x: Any, w: Any) -> Any:"
    assert found["def inner_backward(saved, by):"] == "def inner(x: Any, w: Any) -> Any:"
    assert found["bx = bdoubled * 2.0"] == "doubled = x * 2.0"
    assert found["bw = tangent.dot_right(by, doubled, np.shape(w))"] == "return np.dot(doubled, w)"


def test_a_default_may_go_on_in_other_lines() -> None:
    derivative = tangent.grad(worded)
    assert derivative(1.0) == worded(1.0)
    assert derivative(1.0, "abc", factor=4.0) == 12.0
    assert str(inspect.signature(derivative)).startswith("(x: 'Any', word: 'str' = 'one")
