"""A part of the random programs of `tests/fuzzer`: `make fuzz` runs many more, `make cross` all of these."""

from __future__ import annotations

import doctest
import importlib
import os
from collections import Counter
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from autograph._src import operators
from autograph._src.concrete import ConcreteFunction
from fuzzer import command, numeric, pure, rowwise, smooth, source_derivatives
from fuzzer.verdicts import Failure
from fuzzer.wide_integers import leaves_64_bits
from whole import drawn

JOBS = os.cpu_count() or 1


def verdicts_of(profile: str, count: int) -> Counter[str]:
    tally = command.run_all([profile], 0, count, JOBS)
    assert not tally.failures, tally.failures[0][1]
    return tally.verdicts


def share(verdicts: Counter[str], way: str) -> float:
    return verdicts[f"{way}: same"] / sum(n for name, n in verdicts.items() if name.startswith(way))


def test_rich_programs_convert_to_the_same() -> None:
    verdicts = verdicts_of("rich", drawn(1000, whole=2000))
    assert not [name for name in verdicts if "refused" in name]
    assert share(verdicts, "converted") > 0.998 and share(verdicts, "watched") > 0.998


def test_programs_recorded_whole_mean_the_same() -> None:
    verdicts = verdicts_of("traced", drawn(750, whole=1500))
    assert share(verdicts, "watched") > 0.998
    assert share(verdicts, "traced") > 0.95


def test_numeric_programs_mean_the_same_when_staged() -> None:
    verdicts = verdicts_of("numeric", drawn(240, whole=800))
    assert share(verdicts, "converted") == 1.0
    assert share(verdicts, "native") > 0.8
    assert share(verdicts, "native") == share(verdicts, "interpreted")


def test_derivatives_of_programs_are_differences_of_them() -> None:
    verdicts = verdicts_of("smooth", drawn(160, whole=400))
    assert share(verdicts, "forward") > 0.85 and share(verdicts, "reverse") > 0.85
    assert share(verdicts, "second") > 0.85 and share(verdicts, "rows") > 0.8
    assert share_of_smooth(verdicts) > 0.9


def test_rows_have_the_derivatives_that_they_have_alone() -> None:
    verdicts = verdicts_of("rowwise", drawn(100, whole=300))
    assert all(share(verdicts, way) > 0.75 for way in rowwise.WAYS)
    assert not [name for name in verdicts if "AG145" in name]


def test_derivatives_as_source_do_what_programs_do() -> None:
    verdicts = verdicts_of("tangent", 200)
    assert share(verdicts, "reverse") > 0.35 and share(verdicts, "forward") > 0.35
    assert all(verdicts[f"{way}: same"] >= 3 for way in source_derivatives.WAYS)


def test_programs_of_the_crossing_mean_the_same() -> None:
    verdicts = verdicts_of("crossed", drawn(120, whole=200))
    assert share(verdicts, "crossed") > 0.2


def share_of_smooth(verdicts: Counter[str]) -> float:
    return verdicts["plain: smooth"] / sum(n for name, n in verdicts.items() if name.startswith("plain"))


def first_failure(attempt: Any, count: int = 200) -> Failure:
    for seed in range(count):
        failure, _ = attempt(seed)
        if failure is not None:
            return failure
    raise AssertionError("no program shows the fault")


def test_an_operand_evaluated_twice_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    right = operators.compare

    def wrong(left: Any, operation: str, operand: Any, *chain: Any) -> Any:
        operand()
        return right(left, operation, operand, *chain)

    monkeypatch.setattr(operators, "compare", wrong)
    small = pure.shrunk(first_failure(pure.try_rich))
    assert len(small.text.splitlines()) <= 4 and "note" in small.text
    assert small.part == "effects"
    report = pure.report(small)
    compile(report, "report", "exec")
    assert report.startswith(f"# way: {small.way}; differs: effects; call: f(")


def test_a_branch_that_does_not_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(test: Any, branches: Any, *_: Any) -> None:
        if test:
            branches(test)

    monkeypatch.setattr(operators, "if_else_stmt", wrong)
    assert first_failure(pure.try_rich).way == "converted"


def test_a_wrong_kernel_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    call = ConcreteFunction.__call__

    def wrong(self: Any, leaves: Any) -> Any:
        result = call(self, leaves)
        return result + 1 if type(result) is np.int64 else result

    monkeypatch.setattr(ConcreteFunction, "__call__", wrong)
    small = numeric.shrunk(first_failure(numeric.try_numeric))
    assert small.way == "native" and small.part == "result"
    assert len(small.text.splitlines()) <= 4
    compile(numeric.report(small), "report", "exec")


def test_a_wrong_derivative_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    right = ag.vjp

    def wrong(function: Any, *args: Any) -> Any:
        value, pull = right(function, *args)
        return value, lambda cotangent: tuple(one * 1.001 for one in pull(cotangent))

    monkeypatch.setattr(ag, "vjp", wrong)
    small = smooth.shrunk(first_failure(smooth.try_smooth))
    assert small.way == "reverse" and small.part == "derivative"
    assert len(small.text.splitlines()) <= 4
    compile(smooth.report(small), "report", "exec")


def test_a_wrong_derivative_as_source_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    right = tangent.autodiff

    def wrong(function: Any, *args: Any, **options: Any) -> Any:
        derivative = right(function, *args, **options)
        return lambda *given: tuple(one * 1.001 for one in derivative(*given)[:3]) + derivative(*given)[3:]

    monkeypatch.setattr(tangent, "autodiff", wrong)
    failure = first_failure(source_derivatives.try_tangent)
    assert failure.way == "reverse" and failure.part in ("printed", "log", "form", "derivative", "value")
    compile(source_derivatives.report(failure), "report", "exec")


def test_a_derivative_that_prints_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = tangent.jvp

    def wrong(function: Any, *args: Any, **options: Any) -> Any:
        derivative = right(function, *args, **options)
        return lambda *given: print("again") or derivative(*given)

    monkeypatch.setattr(tangent, "jvp", wrong)
    small = source_derivatives.shrunk(first_failure(source_derivatives.try_tangent))
    assert small.way == "forward" and small.part == "printed"
    assert len(small.text.splitlines()) <= 4


def test_an_argument_that_is_written_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = ag.jvp

    def wrong(function: Any, primals: Any, tangents: Any) -> Any:
        found = right(function, primals, tangents)
        primals[2][0] += 1.0
        return found

    monkeypatch.setattr(ag, "jvp", wrong)
    assert first_failure(smooth.try_smooth).part == "array"


def test_a_refusal_without_a_place_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: Any) -> None:
        raise ag.StagingError("no", code="AG120")

    monkeypatch.setattr(operators, "if_stmt", wrong)
    assert first_failure(pure.try_rich).part == "refusal"


def test_ints_beyond_64_bits_are_seen() -> None:
    text = "def f(n):\n    b = 3\n    for _ in range(n):\n        b += b\n    return (b - abs(-b)) % 7\n"
    assert not leaves_64_bits(text, (60,)) and leaves_64_bits(text, (62,))
    assert leaves_64_bits("def f(n):\n    return n * 2 - n\n", (2**62,))
    assert not leaves_64_bits("def f(n):\n    return n + 1 < [] * 2\n", (5,))


def test_a_wrong_overflow_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(a, b, x):\n    while b < 100:\n        b = b * 2\n    return b\n"
    monkeypatch.setitem(numeric.WAYS, "native", _overflowing)
    found, _ = numeric.try_text(text, "<overflow>", [0], ["native"])
    assert found is not None and found.part == "error"


def _overflowing(function: Any) -> Any:
    def call(*_: Any) -> Any:
        raise ag.GraphRuntimeError("too large", code="AG203")

    return call


def test_a_program_that_leaves_64_bits_on_its_way_is_refused() -> None:
    loop = "while x[0] < 70:\n        b = b * 2\n        x[0] += 1"
    text = f"def f(a, b, x):\n    b = 3\n    {loop}\n    return b % 5\n"
    found, verdicts = numeric.try_text(text, "<wide>", [0], numeric.WAYS)
    assert found is None and "native: refused AG203" in verdicts and "converted: same" in verdicts


def test_the_same_seed_writes_the_same_program() -> None:
    from fuzzer.crossed import case_of
    from fuzzer.effect_writer import EffectWriter
    from fuzzer.numeric_writer import NumericWriter
    from fuzzer.smooth_writer import SmoothWriter
    from fuzzer.writer import Writer

    assert EffectWriter(5).program() == EffectWriter(5).program() != EffectWriter(6).program()
    assert case_of(5) == case_of(5) != case_of(6)
    assert Writer(5, True).program() == Writer(5, True).program() != Writer(6, True).program()
    assert SmoothWriter(5).program() == SmoothWriter(5).program() != SmoothWriter(6).program()
    assert NumericWriter(5).program() == NumericWriter(5).program() != NumericWriter(6).program()


@pytest.mark.parametrize(
    "name", ["program", "shrink", "writer", "numeric_writer", "smooth_writer", "effect_writer", "outcome"]
)
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(f"fuzzer.{name}")
    results = doctest.testmod(module)
    assert results.failed == 0 and results.attempted > 0
