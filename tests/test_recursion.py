"""Recursion in compiled graphs: how deep it goes, how it ends, what it leaves behind."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import autograph as ag
import numpy as np
import pytest


def total(n: Any) -> Any:
    return 0 if n == 0 else n + total(n - 1)


def test_a_million_levels() -> None:
    assert ag.function(total)(np.int64(1_000_000)) == 500_000_500_000


def test_many_levels_in_the_interpreter() -> None:
    concrete = ag.function(total).concrete_function(np.int64(3))
    assert concrete.interpret([np.int64(200_000)]) == 20_000_100_000


def test_without_an_end_it_raises_what_python_raises() -> None:
    staged = ag.function(total)
    assert staged(np.int64(3)) == 6
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded") as caught:
        staged(np.int64(-1))
    assert isinstance(caught.value, ag.GraphRuntimeError)
    assert caught.value.location is not None
    assert caught.value.location.line == total.__code__.co_firstlineno + 1
    # The stack of the run that failed is gone, and the next run has one.
    assert staged(np.int64(100_000)) == 5_000_050_000


def test_an_error_from_deep_down_is_located() -> None:
    def down(n: Any) -> Any:
        if n == 0:
            raise ValueError("at the bottom")
        return 1 + down(n - 1)

    with pytest.raises(ValueError, match="at the bottom"):
        ag.function(lambda n: down(n))(np.int64(200_000))


def test_print_from_deep_down(capsys: pytest.CaptureFixture[str]) -> None:
    def down(n: Any) -> Any:
        if n == 0:
            print("bottom", n)
            return 0
        return 1 + down(n - 1)

    assert ag.function(lambda n: down(n))(np.int64(300_000)) == 300_000
    assert capsys.readouterr().out == "bottom 0\n"


class Unprintable:
    def __format__(self, spec: str) -> str:
        raise KeyError("no text")


def test_an_error_of_python_from_deep_down() -> None:
    odd = Unprintable()

    def down(n: Any) -> Any:
        if n == 0:
            print(f"{n} {odd}")
            return 0
        return 1 + down(n - 1)

    with pytest.raises(KeyError, match="no text"):
        ag.function(lambda n: down(n))(np.int64(1000))


def fibonacci(n: Any) -> Any:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@pytest.mark.usefixtures("interrupts")
def test_interruption() -> None:
    staged = ag.function(fibonacci)
    assert staged(np.int64(10)) == 55
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        staged(np.int64(90))
    assert time.perf_counter() - start < 5
    assert staged(np.int64(10)) == 55


def test_arrays_of_each_level() -> None:
    def waves(x: Any, n: Any) -> Any:
        if n == 0:
            return x
        y = np.sin(x) + n
        return waves(y, n - 1) + y

    x = np.linspace(0, 1, 20_000)
    staged = ag.function(lambda x, n: waves(x, n))
    np.testing.assert_allclose(staged(x, np.int64(40)), waves(x, np.int64(40)))


def test_threads() -> None:
    staged = ag.function(total)
    staged(np.int64(3))
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(staged(np.int64(50_000)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1_250_025_000] * 4


def test_one_trace_for_each_kind_of_argument() -> None:
    staged = ag.function(total)
    assert staged(np.int32(4)) == 10
    assert staged(np.float32(4)) == np.float32(10)
    assert type(staged(np.float32(4))) is np.float32
    assert staged.signatures() == ["(n: i32)", "(n: f32)"]


def test_the_graph_shows_the_function() -> None:
    text = ag.function(total).concrete_function(np.int64(3)).graph.text()
    assert text.count("function total(") == 2
    assert text.count(" callee=0") == 2


def test_arguments_that_may_be_one_object_are_not_said_to_be_two() -> None:
    def are_one(n, left, right):
        return left is right if n == 0 else are_one(n - 1, left, right)

    def of_arrays(n, x):
        doubled = x * 2
        return are_one(n, doubled, doubled)

    def of_lists(n, x):
        positive = [item for item in x if item > 0]
        return are_one(n, positive, positive)

    with pytest.raises(ag.StagingError) as caught:
        ag.function(of_arrays)(np.int64(3), np.ones(2))
    assert caught.value.code == "AG120"
    assert ag.function(of_lists)(np.int64(3), np.ones(2)) is True
