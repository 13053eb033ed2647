"""A derivative in the hands of Python's own tools: breakpoints, steps, tracebacks, counted lines, source."""

from __future__ import annotations

import inspect
import io
import pdb
import sys
import trace
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from autograph import tangent


def layer(x: Any, w: Any) -> Any:
    h = np.tanh(x * w)
    for _ in range(2):
        if np.sum(h) > 0:
            h = h * 0.5
    return h


def loss(x: Any, w: Any) -> Any:
    y = layer(x, w)
    return np.sum(y * y)


ARGUMENTS = np.array([0.5, -0.25, 1.0]), np.array([1.0, 2.0, 3.0])


def test_pdb_stops_at_a_line_of_the_backward_pass() -> None:
    derivative = tangent.grad(loss, wrt="w")
    derivative(*ARGUMENTS)  # Makes a text for these shapes, which the debugger does not run.
    lines = tangent.to_source(derivative).split("\n")
    place = next(number for number, line in enumerate(lines, 1) if "layer_backward" in line)
    commands = f"b {place}\nc\np y.shape\nl\ns\nw\nc\n"
    output = io.StringIO()
    # No `.pdbrc`, and the tracer that stands there, such as that of a coverage tool, comes back.
    debugger = pdb.Pdb(stdin=io.StringIO(commands), stdout=output, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    before = sys.gettrace()
    try:
        found = debugger.runcall(derivative, *ARGUMENTS)
    finally:
        sys.settrace(before)
    assert np.array_equal(found, derivative(*ARGUMENTS))
    shown = output.getvalue()
    assert "(3,)" in shown
    assert lines[place - 1].strip() in shown
    assert "layer_backward" in shown.partition("--Call--")[2]


def test_pdb_stops_in_the_first_call() -> None:
    """The first step is in the derivative, and not in what looks at the shapes of arguments."""
    derivative = tangent.autodiff(loss, wrt="w", check_dims=False)
    output = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("s\nw\nc\n"), stdout=output, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    before = sys.gettrace()
    try:
        debugger.runcall(derivative, *ARGUMENTS)
    finally:
        sys.settrace(before)
    assert output.getvalue().startswith("> <tangent ")
    assert "forms" not in output.getvalue()


def test_steps_go_through_lines_that_are_shown() -> None:
    """Each line that runs is one of the source, and is there to read."""
    derivative = tangent.grad(loss, wrt=("x", "w"))
    seen: dict[str, set[int]] = {}

    def see(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line" and frame.f_code.co_filename.startswith("<tangent "):
            seen.setdefault(frame.f_code.co_name, set()).add(frame.f_lineno)
        return see

    before = sys.gettrace()
    sys.settrace(see)
    try:
        derivative(*ARGUMENTS)
    finally:
        sys.settrace(before)
    assert set(seen) == {"dloss", "layer_forward", "layer_backward"}
    lines = tangent.to_source(derivative).split("\n")
    ran = {number for numbers in seen.values() for number in numbers}
    for number in ran:
        assert lines[number - 1].strip() and not lines[number - 1].strip().startswith("#")
    statements = [
        line for line in lines if line.strip() and not line.strip().startswith(("#", "def ", "else"))
    ]
    assert len(ran) == len(statements)


def test_lines_are_counted_as_those_of_any_module() -> None:
    derivative = tangent.grad(loss, wrt="w")
    counter = trace.Trace(count=1, trace=0)
    before = sys.gettrace()
    try:
        counter.runfunc(derivative, *ARGUMENTS)
    finally:
        sys.settrace(before)
    file = inspect.getsourcefile(derivative)
    counts = {line: count for (name, line), count in counter.results().counts.items() if name == file}
    lines = tangent.to_source(derivative).split("\n")
    backward = [number for number, line in enumerate(lines, 1) if "* 0.5" in line and " b" in line]
    assert backward
    for number in backward:
        assert counts[number] in (1, 2)


def test_a_traceback_shows_lines_of_the_derivative_and_of_the_function() -> None:
    derivative = tangent.grad(loss, wrt="w")
    with pytest.raises(ValueError) as refused:
        derivative(np.ones(3), np.ones(2))
    shown = "".join(traceback.format_exception(refused.value))
    assert "layer_forward" in shown
    assert "product = x * w" in shown or "x * w" in shown
    made = derivative.__tangent__
    own = Path(__file__).read_text().split("\n")
    place = tangent.to_source(derivative).split("\n").index("    # Grad of: return np.sum(y * y)")
    file, line = made.lines[place + 2]
    assert Path(file).samefile(__file__)
    assert own[line - 1].strip() == "return np.sum(y * y)"


def test_source_and_signature_are_found() -> None:
    derivative = tangent.grad(loss, wrt="w")
    source = inspect.getsource(derivative)
    assert tangent.to_source(derivative).startswith(source.rstrip())
    assert str(inspect.signature(derivative)) == "(x: 'Any', w: 'Any', by_1=1.0)"
    assert inspect.getdoc(derivative)
