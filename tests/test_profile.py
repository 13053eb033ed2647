"""`f.profile(…)`: the result of an ordinary call, and what each line spends, counted exactly."""

from __future__ import annotations

import itertools
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.profiles.profile import MOST_EVENTS
from generated_programs import module_of


def lines_of(profile: ag.Profile[Any], *, is_gradient: bool = False) -> dict[int, ag.ProfileLine]:
    return {line.line: line for line in profile.lines if line.is_gradient == is_gradient}


def check(profile: ag.Profile[Any]) -> None:
    """What holds of every profile."""
    assert profile.seconds >= sum(line.seconds for line in profile.lines) - 1e-12
    assert profile.outside >= 0.0 and profile.measuring >= 0.0
    assert sum(line.share for line in profile.lines) <= 1.0 + 1e-9
    seconds = [line.seconds for line in profile.lines]
    assert seconds == sorted(seconds, reverse=True)
    for line in profile.lines:
        assert line.text, line
        assert line.calls > 0 and line.seconds >= 0.0
        assert min(line.flops, line.bytes_read, line.bytes_written) >= 0
        assert line.line not in line.shared_with or line.is_gradient or len(profile.lines) > 1
    assert len({(line.file, line.line, line.is_gradient) for line in profile.lines}) == len(profile.lines)
    json.dumps(profile.to_chrome_trace())
    assert len(repr(profile).splitlines()) >= 2 + bool(profile.lines)


# Executions and operations, judged by CPython's own count of lines.


def executed_lines(function: Callable[..., Any], *args: Any) -> Counter[int]:
    """How often CPython begins each line of a file, while it runs a function."""
    counts: Counter[int] = Counter()
    file = function.__code__.co_filename

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            counts[frame.f_lineno] += 1
        return trace

    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(None)
    return counts


class Writer:
    """Writes a program of loops, branches and calls over two floats and a counter."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["import numpy as np", ""]
        self.names = 0
        self.constants = 0

    def constant(self) -> str:
        """A number that no other expression has, so that no two lines compute the same."""
        self.constants += 1
        return f"0.{self.random.randrange(1000, 9000)}{self.constants:03}"

    def program(self) -> str:
        for number, both in enumerate(("a - b", "b - a")):
            self.lines += [f"def helper{number}(a, b):", f"    c = ({both}) * {self.constant()}"]
            self.lines += [f"    return np.sin(c) * {self.constant()} + {self.constant()}", ""]
        self.lines.append("def program(a, b, n):")
        self.block(1, 3)
        self.lines.append("    return a - b")
        return "\n".join(self.lines) + "\n"

    def block(self, depth: int, budget: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, budget)
        self.assign(depth, "a")  # Both vary, so that nothing can leave a loop.
        self.assign(depth, "b")

    def assign(self, depth: int, name: str) -> None:
        other = "b" if name == "a" else "a"
        first, second = self.constant(), self.constant()
        self.lines.append(f"{'    ' * depth}{name} = ({name} * {first} + {other}) * {second}")

    def statement(self, depth: int, budget: int) -> None:
        pad, kind = "    " * depth, self.random.choice(["for", "while", "if", "call", "assign", "unrolled"])
        if budget == 0 or kind == "assign":
            self.assign(depth, self.random.choice("ab"))
        elif kind == "call":
            name, helper = self.random.choice("ab"), self.random.randrange(2)
            self.lines.append(f"{pad}{name} = helper{helper}(a, b) + {self.constant()}")
        elif kind == "if":
            self.lines.append(f"{pad}if (a + b) * {self.constant()} > a:")
            self.block(depth + 1, budget - 1)
            self.lines.append(f"{pad}else:")
            self.block(depth + 1, budget - 1)
        elif kind == "unrolled":
            self.names += 1
            self.lines.append(f"{pad}for k{self.names} in range({self.random.randint(1, 3)}):")
            self.assign(depth + 1, "a")
            self.assign(depth + 1, "b")
        else:
            self.names += 1
            name = f"i{self.names}"
            if kind == "for":
                self.lines.append(f"{pad}for {name} in range(n + {self.random.randint(0, 3)}):")
                self.block(depth + 1, budget - 1)
            else:
                # It depends on numbers that vary, so that no test can leave a loop around it.
                self.lines += [f"{pad}{name} = n - 1 if a < b else n", f"{pad}while {name} > 0:"]
                self.block(depth + 1, budget - 1)
                self.lines.append(f"{pad}    {name} -= 1")


@pytest.mark.parametrize("seed", range(int(os.environ.get("AG_PROFILES", "40"))))
def test_lines_run_as_often_as_in_cpython(seed: int, tmp_path: Path) -> None:
    text = Writer(seed).program()
    module = module_of(text, tmp_path, f"profiled_{seed}")
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=2)
    staged = ag.function(module.program, dynamic="n")
    source = text.splitlines()
    for n in (3, 0, 5):
        want = module.program(a, b, n)
        ran = executed_lines(module.program, a, b, n)
        profile = staged.profile(a, b, n)
        assert profile.result == pytest.approx(want, rel=1e-9, abs=1e-12)
        assert profile.result == staged(a, b, n)
        check(profile)
        found = lines_of(profile)
        for number, count in ran.items():
            line = source[number - 1].strip()
            if line.startswith("for ") or line.startswith("return a"):
                continue
            if " * 0." in line and not line.startswith(("if", "while")):
                assert found[number].calls == count, (number, line, text)
                each = line.count(" * ") + line.count(" + ") + line.count(" - ") + line.count("sin")
                assert found[number].flops == each * count, (number, line, text)
            elif line.startswith(("if", "while")):
                assert found[number].calls == count, (number, line, text)
        assert not set(found) - set(ran), "only lines that ran"


# Bytes and operations of arrays.


@pytest.mark.parametrize("seed", range(30))
def test_operations_of_arrays_are_counted_exactly(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    m, k, n, times = rng.randint(2, 9), rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 4)
    rows = [
        ("x = x + np.float64(0.0) * np.sum(x @ w)", 2 * m * k * n + max(m * n - 1, 0) + 1 + m * k),
        ("x = np.tanh(x) * 0.5", 2 * m * k),
        ("x = np.exp(x * 0.25) - np.max(x)", 2 * m * k + m * k + max(m * k - 1, 0)),
        ("x = x - np.mean(x, axis=0)", m * k + k + (m - 1) * k),
        ("x = np.where(x > 0.0, x, x * 0.5)", m * k),
        ("x = (x @ w) @ w.T * 0.125", 4 * m * k * n + m * k),
        ("x = np.cumsum(x, axis=1) / 4.0", m * (k - 1) + m * k),
        ("x = np.sqrt(np.abs(x)) + x**2", 4 * m * k),
    ]
    chosen = rng.sample(rows, 3)
    body = "".join(f"        {row}\n" for row, _ in chosen)
    text = f"import numpy as np\n\ndef program(x, w, n):\n    for i in range(n):\n{body}    return x\n"
    module = module_of(text, tmp_path, f"arrays_{seed}")
    x, w = np.random.default_rng(seed).random((m, k)), np.random.default_rng(seed + 1).random((k, n))
    for function in (
        ag.function(module.program),
        ag.function(
            module.program,
            input_signature=[
                ag.ArraySpec((None, None)),
                ag.ArraySpec((None, None)),
                ag.ArraySpec((), np.int64),
            ],
        ),
    ):
        profile = function.profile(x, w, np.int64(times))
        check(profile)
        np.testing.assert_allclose(profile.result, module.program(x, w, times), rtol=1e-9)
        found = lines_of(profile)
        for number, (row, flops) in enumerate(chosen):
            line = found[number + 5]
            assert (line.text, line.calls, line.flops) == (row, times, flops * times)


def test_bytes_of_arrays() -> None:
    def program(x: Any, w: Any, i: Any) -> Any:
        y = x @ w
        z = np.tanh(y) + 1.0
        z[i, i] = 2.0
        return z

    profile = ag.function(program).profile(np.ones((16, 32)), np.ones((32, 8)), np.int64(3))
    product, chain, write = (line for _, line in sorted(lines_of(profile).items()))
    assert (product.bytes_read, product.bytes_written) == ((16 * 32 + 32 * 8) * 8, 16 * 8 * 8)
    assert (chain.bytes_read, chain.bytes_written) == (16 * 8 * 8, 16 * 8 * 8)
    assert (write.bytes_read, write.bytes_written) == (0, 8)


def test_sizes_of_the_run_are_those_of_the_run() -> None:
    def program(x: Any) -> Any:
        y = x[x > 0.5]
        return np.exp(y * 2.0)

    staged, x = ag.function(program), np.random.default_rng(0).random(1000)
    profile = staged.profile(x)
    assert profile.flops == 2 * np.count_nonzero(x > 0.5)
    assert staged.profile(np.zeros(1000)).flops == 0


def test_lines_of_one_kernel_share_its_time() -> None:
    def program(x: Any) -> Any:
        y = x * 2.0
        z = np.exp(y)
        return z + 1.0

    first = program.__code__.co_firstlineno
    found = lines_of(ag.function(program).profile(np.ones(10_000)))
    assert {number - first for number in found} == {1, 2, 3}
    assert found[first + 2].shared_with == (first + 1, first + 3)
    assert found[first + 2].seconds > found[first + 1].seconds, "an exponential takes longer than a product"
    alone = ag.function(lambda x: np.exp(x)).profile(np.ones(10_000)).lines[0]
    assert alone.shared_with == ()


# Derivatives and rows.


def test_lines_of_gradients_are_those_of_the_program() -> None:
    def loss(w: Any, x: Any) -> Any:
        h = np.tanh(x @ w)
        return np.sum(h * h)

    first = loss.__code__.co_firstlineno
    staged = ag.function(ag.value_and_grad(loss))
    w, x = np.full((5, 3), 0.1), np.ones((7, 5))
    profile = staged.profile(w, x)
    check(profile)
    np.testing.assert_allclose(profile.result[1], ag.grad(loss)(w, x))
    forward, backward = lines_of(profile), lines_of(profile, is_gradient=True)
    assert set(forward) == {first + 1, first + 2} and first + 1 in backward
    assert "(gradient)" in repr(profile)
    # The product of the adjoint; and those of tanh.
    assert backward[first + 1].flops >= 2 * 7 * 5 * 3


def test_gradient_of_a_loop_and_rows() -> None:
    def repeated(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = np.sin(x) * x
        return x

    first = repeated.__code__.co_firstlineno
    profile = ag.function(ag.value_and_grad(repeated)).profile(0.5, np.int64(37))
    check(profile)
    assert lines_of(profile)[first + 2].calls == 37
    assert lines_of(profile, is_gradient=True)[first + 2].calls == 37
    rows = ag.function(ag.vmap(ag.grad(lambda x: np.sin(x) * x))).profile(np.ones(100))
    check(rows)
    assert any(line.is_gradient for line in rows.lines)


# What a call does besides.


def test_recursion_lists_and_calls() -> None:
    @ag.function
    def fib(n: Any) -> Any:
        if n < 2:
            return n
        return fib(n - 1) + fib(n - 2)

    def calls(n: int) -> int:
        return 1 if n < 2 else 1 + calls(n - 1) + calls(n - 2)

    profile = fib.profile(np.int64(15))
    check(profile)
    assert profile.result == 610
    assert {line.text: line.calls for line in profile.lines}["if n < 2:"] == calls(15)

    @ag.function
    def collected(n: Any) -> Any:
        rows = []
        for i in range(n):
            rows.append(np.full(100, i) * 2.0)
        return np.stack(rows)

    profile = collected.profile(np.int64(9))
    check(profile)
    assert profile.result.shape == (9, 100)
    assert {line.text: line.calls for line in profile.lines}["rows.append(np.full(100, i) * 2.0)"] == 9


def test_effects_happen_once(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[float] = []
    total = ag.Variable(np.zeros(2))

    @ag.py_function(result=float)
    def noted(x: float) -> float:
        seen.append(x)
        return float(x)

    @ag.function
    def program(x: Any, rng: Any) -> Any:
        x += 1.0
        total.assign(total.value + x)
        print("sum", np.sum(x))
        return noted(np.sum(x)) + rng.random()

    x, rng = np.zeros(2), np.random.default_rng(3)
    for number in range(1, 4):
        profile = program.profile(x, rng)
        check(profile)
        assert capsys.readouterr().out == f"sum {2.0 * number}\n"
        assert seen == [2.0 * k for k in range(1, number + 1)]
        np.testing.assert_array_equal(x, np.full(2, float(number)))
    np.testing.assert_array_equal(np.asarray(total.value), np.full(2, 6.0))
    x, rng = np.zeros(2), np.random.default_rng(3)
    assert [program(x, rng) for _ in range(3)][-1] == profile.result, "as ordinary calls draw"


def test_what_a_call_raises_is_raised() -> None:
    @ag.function
    def program(x: Any, i: Any) -> Any:
        x[0] = 7.0
        if i > 90:
            raise ValueError(f"{i} is too much")
        return x[i]

    errors = []
    for i in (5, 91):
        for call in (program, program.profile):
            x = np.zeros(3)
            with pytest.raises((IndexError, ValueError)) as caught:
                call(x, np.int64(i))
            place = ag.errors.place_of(caught.value)
            errors.append((type(caught.value), str(caught.value), place, [*x]))
    assert errors[0] == errors[1] and errors[2] == errors[3] and errors[0] != errors[2]
    assert program.profile(np.zeros(3), np.int64(1)).result == 0.0, "a profile after one that failed"


def test_where_there_is_no_graph_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = ag.function(lambda x: x * 2.0)

    @ag.function
    def outer(x: Any) -> Any:
        return inner.profile(x).result

    with pytest.raises(ag.StagingError, match=r"AG120.*is called while a function is being recorded"):
        outer(1.0)
    with np.errstate(divide="raise"), pytest.raises(ag.StagingError, match="runs as plain Python"):
        inner.profile(1.0)
    monkeypatch.setenv("AUTOGRAPH_DISABLE", "1")
    with pytest.raises(ag.StagingError, match="AUTOGRAPH_DISABLE"):
        inner.profile(1.0)
    monkeypatch.delenv("AUTOGRAPH_DISABLE")
    assert inner.profile(1.0).result == 2.0
    assert not hasattr(ag.convert(lambda x: x), "profile")


def test_a_profile_within_a_profile_of_the_same_graph_is_refused() -> None:
    errors: list[str] = []

    @ag.py_function(result=float)
    def again(x: float) -> float:
        try:
            program.profile(x)
        except RuntimeError as error:
            errors.append(str(error))
        return x

    program = ag.function(lambda x: again(x) + 1.0)
    assert program.profile(2.0).result == 3.0
    assert errors == ["a profile of this function is being made already"]


def test_lines_that_are_gone_have_no_part() -> None:
    profile = ag.function(lambda x: (2.0 + 3.0, x)).profile(1.0)
    assert profile.lines == () and profile.result == (5.0, 1.0)
    assert "while the function was traced" in repr(profile)


def test_ordinary_calls_run_the_code_that_they_ran_before() -> None:
    @ag.function
    def program(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = x @ x
        return x

    x = np.eye(4)
    program(x, np.int64(3))
    (concrete,) = program.concrete_functions()
    executable, report = concrete._executable, concrete._executable.report()
    assert "profiled" not in vars(concrete), "compiled for a profile only"
    program.profile(x, np.int64(3))
    profiled = concrete.profiled
    program.profile(x, np.int64(3))
    assert concrete.profiled is profiled, "once for each specialisation"
    program(x, np.int64(3))
    assert concrete._executable is executable and executable.report() == report


def test_a_method_is_profiled_with_its_object() -> None:
    class Layer:
        def __init__(self) -> None:
            self.w = np.eye(3)

        @ag.function
        def apply(self, x: Any) -> Any:
            return self.w @ x

    profile = Layer.apply.profile(Layer(), np.ones(3))
    np.testing.assert_array_equal(profile.result, np.ones(3))
    assert profile.flops == 18


# The table and the trace.


def test_the_table_reads_well() -> None:
    def program(w: Any, x: Any, n: Any) -> Any:
        for _ in range(n):
            x = np.tanh(w @ x)
        return x

    text = str(ag.function(program).profile(np.eye(64), np.ones(64), np.int64(100)))
    head, columns, *rows = text.splitlines()
    assert head.startswith("program: ") and "outside of the graph" in head and "819 kflop" not in head
    assert columns.split() == ["share", "time", "calls", "bytes", "flops", "GB/s", "GFLOP/s", "line"]
    row = next(row for row in rows if "np.tanh" in row)
    assert "test_profile.py:" in row and row.endswith("x = np.tanh(w @ x)") and " 100 " in row
    place = columns.index("line")
    assert row[place:].startswith("test_profile.py:"), "columns are aligned"


def test_a_trace_is_one_that_viewers_read(tmp_path: Path) -> None:
    @ag.function
    def program(w: Any, x: Any, n: Any) -> Any:
        for _ in range(n):
            x = np.tanh(w @ x)
        return x

    profile = program.profile(np.eye(8), np.ones(8), np.int64(20))
    profile.save(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert trace == json.loads(json.dumps(profile.to_chrome_trace()))
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert all({"name", "cat", "pid", "tid", "ts", "dur", "args"} <= event.keys() for event in events)
    assert all(event["ts"] >= 0.0 and event["dur"] >= 0.0 for event in events)
    call, graph, *steps = events
    assert (call["cat"], graph["cat"]) == ("call", "graph")
    slack = 1e-3
    assert call["ts"] <= graph["ts"] and graph["ts"] + graph["dur"] <= call["ts"] + call["dur"] + slack
    ends = [(event["ts"], event["ts"] + event["dur"]) for event in steps]
    assert all(start >= graph["ts"] - slack for start, _ in ends)
    assert all(end <= graph["ts"] + graph["dur"] + slack for _, end in ends)
    assert all(before[1] <= after[0] + slack for before, after in itertools.pairwise(ends))
    products = [event for event in steps if event["name"].startswith("dot ")]
    assert len(products) == 20
    assert products[0]["args"]["flops"] == 128 and products[0]["args"]["bytes"] == 8 * (64 + 8 + 8)
    assert products[0]["args"]["shapes"] == "f64[8, 8], f64[8] -> f64[8]"
    assert "test_profile.py:" in products[0]["name"]


def test_a_long_trace_is_cut_and_says_so() -> None:
    @ag.function
    def program(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = np.tanh(x)
        return x

    times = MOST_EVENTS + 1234
    profile = program.profile(np.ones(4), np.int64(times))
    assert profile.lines[0].calls == times
    assert profile.left_out >= 1234
    trace = profile.to_chrome_trace()
    assert sum(event.get("cat") == "step" for event in trace["traceEvents"]) == MOST_EVENTS
    assert trace["otherData"] == {"executions left out": profile.left_out}
    assert trace["traceEvents"][-1]["name"] == f"{profile.left_out} more executions are left out"
