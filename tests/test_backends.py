"""Back-ends: the toy of `docs/backends.md`, several at once, and what is refused."""

from __future__ import annotations

import builtins
import doctest
import linecache
import math
import operator
import re
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph as ag
import autograph.backends
import numpy as np
import pytest
from autograph.backends import Backend, Recorder, activated, register

PAGE = Path(__file__).parent.parent / "docs" / "backends.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
TOY_TEXT = next(block for block in BLOCKS if "class Toy" in block)
JAX_TEXT = next(block for block in BLOCKS if "class JaxRecorder" in block)


@pytest.fixture(scope="module")
def toy() -> Any:
    """The names that the page's back-end defines."""
    scope: dict[str, Any] = {"__name__": "toy_of_the_page"}
    exec(compile(TOY_TEXT, "docs/backends.md", "exec"), scope)
    return scope


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def newton(x, tolerance):
    while abs_difference(x * x, 2.0) > tolerance:
        x = x - (x * x - 2.0) / (2.0 * x)
    return x


def abs_difference(a, b):
    if a > b:
        return a - b
    return b - a


def largest(items, start):
    best, seen = start, 0
    for item in items:
        seen += 1
        if item > best:
            best = item
        elif item == best:
            best = best * 2
    return best, seen


def nested_loops(n, m):
    total = 0
    i = 0
    while i < n:
        j = 0
        while j < m:
            total += i * j
            j += 1
        i += 1
        total, i = total - 1, i
    return total, i


def plain_loop(x):
    for power in range(1, 4):
        if x > power:
            x = x - power
    return -x


def swap(a, b, n):
    while n > 0:
        a, b, n = b, a + b, n - 1
    return a, b


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (collatz, (27,)),
    (collatz, (1,)),
    (newton, (1.0, 1e-12)),
    (largest, ([3, 1, 8, 8, 2], 3)),
    (largest, ([], 7)),
    (nested_loops, (3, 4)),
    (plain_loop, (5,)),
    (plain_loop, (0,)),
    (swap, (0, 1, 20)),
]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_the_toy_means_what_python_means(toy: Any, function: Any, arguments: Any) -> None:
    want = function(*arguments)
    got = toy["stage"](function, *arguments)
    assert got == want and type(got) is type(want)


def test_the_toy_is_small_and_the_page_runs(toy: Any) -> None:
    lines = [line for line in TOY_TEXT.splitlines() if line.strip()]
    assert len(lines) <= 92
    for number in (1, 2):
        example = BLOCKS[BLOCKS.index(TOY_TEXT) + number]
        path = f"docs/backends.md:example {number}"
        linecache.cache[path] = (len(example), None, example.splitlines(keepends=True), path)
        exec(compile(example, path, "exec"), dict(toy))


def test_every_method_of_a_recorder_is_on_the_page() -> None:
    public = [name for name, value in vars(Recorder).items() if callable(value) and not name.startswith("_")]
    text = PAGE.read_text()
    # What only the native graph has, and what is for the author to call.
    others = {"region", "refusal", "declare", "broadcast", "function_param", "name"}
    missing = [name for name in public if f"`{name}(" not in text and f"`{name}`" not in text]
    assert set(missing) == others


def test_every_method_of_the_protocol_is_on_the_page() -> None:
    public = [name for name in vars(Backend) if not name.startswith("__") and name != "name"]
    text = PAGE.read_text()
    missing = [name for name in public if f"`{name}(" not in text and name != "is_active"]
    assert not missing


def refused_by(run: Callable[[], Any]) -> ag.StagingError:
    with pytest.raises(ag.StagingError) as caught:
        run()
    error = caught.value
    assert error.code == "AG120" and error.location is not None
    assert error.location.file == __file__
    return error


def formats(x):
    return f"value {x}"


def needs_value(x):
    return [0, 1, 2][x]


def needs_truth(x):
    return math.sqrt(x)


def sets_attribute(x):
    x.total = 3
    return x


def deletes_item(x):
    del x[0]
    return x


def numpy_function(x):
    return np.exp(x)


def converts(x):
    return int(x)


def collects(items):
    found = []
    for item in items:
        found.append(item)
    return found


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@pytest.mark.parametrize(
    ("function", "argument", "message"),
    [
        (formats, 3, "the toy back-end does not stage f-strings"),
        (needs_truth, 3, "the toy back-end does not stage a use that needs the value now"),
        (needs_value, 1, "the toy back-end does not stage reading an item"),
        (sets_attribute, 1, "the toy back-end does not stage writing an attribute"),
        (deletes_item, [1], "the toy back-end does not stage deleting an item"),
        (numpy_function, 1.0, "the toy back-end does not stage `numpy.exp`"),
        (converts, 1.0, "the toy back-end does not stage `int`"),
        (collects, [1], "the toy back-end does not record lists whose length depends on data"),
        (factorial, 5, "the toy back-end does not record a recursion that a staged value ends"),
    ],
)
def test_what_the_toy_lacks_is_refused_where_it_stands(
    toy: Any, function: Any, argument: Any, message: str
) -> None:
    error = refused_by(lambda: toy["stage"](function, argument))
    assert error.message == message
    assert error.location is not None and error.location.function == function.__name__
    assert error.location.line > function.__code__.co_firstlineno or function is factorial


class Value:
    """Staged by a back-end that stages nothing."""


class Nothing(Backend):
    name = "nothing"


NOTHING = Nothing()
register(NOTHING, Value)

STATEMENTS = {
    "`if`": "if x: y = 1",
    "`while`": "while x: y = 1",
    "`for`": "for y in x: pass",
    "`assert`": "assert x",
    "an `if` expression": "y = 1 if x else 2",
    "`and`": "y = x and 1",
    "`or`": "y = x or 1",
    "`not`": "y = not x",
    "`in`": "y = 1 in x",
    "f-strings": "y = f'{x}'",
    "reading an item": "y = x[0]",
    "writing an item": "x[0] = 1",
    "deleting an item": "del x[0]",
    "writing an attribute": "x.a = 1",
    "deleting an attribute": "del x.a",
    "`len`": "y = len(x)",
    "`print`": "print(x)",
    "`int`": "y = int(x)",
    "`numpy.sqrt`": "y = np.sqrt(x)",
}


@pytest.mark.parametrize("what", STATEMENTS)
def test_the_base_class_refuses(what: str) -> None:
    function = defined(f"def f(x):\n    {STATEMENTS[what]}\n", f"<refuses {what}>")
    with pytest.raises(ag.StagingError) as caught, activated(NOTHING):
        ag.to_graph(function)(Value())
    assert caught.value.message == f"nothing does not stage {what}"
    assert caught.value.location is not None and caught.value.location.line == 2


def defined(text: str, name: str) -> Any:
    text = textwrap.dedent(text)
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


def test_plain_values_run_under_any_back_end() -> None:
    def program(values):
        total = {"sum": 0}
        for value in values:
            if value > 1 and not value == 3:
                total["sum"] += value
        made = [np.zeros(2), np.full(2, 7)]
        return total, f"{len(values)}", np.add(made[0], made[1]).tolist()

    with activated(NOTHING):
        assert ag.to_graph(program)([1, 2, 3, 4]) == ({"sum": 6}, "4", [7.0, 7.0])


staged_collatz = ag.function(collatz)


def test_two_back_ends_interleaved(toy: Any) -> None:
    for number in (27, 6, 9):
        assert toy["stage"](collatz, number) == collatz(number)
        assert staged_collatz(np.int64(number)) == collatz(number)


def calls_native(x, numbers):
    total = staged_sum(numbers)
    while x > 0:
        x = x - total
    return x, total


@ag.function
def staged_sum(numbers):
    total = 0.0
    for number in numbers:
        if number > 1.0:
            total += number
    return total


def test_a_staged_function_inside_the_recording_of_another_back_end(toy: Any) -> None:
    numbers = np.array([1.0, 2.0, 3.0])
    assert toy["stage"](calls_native, 12.5, numbers)[0] == calls_native(12.5, numbers)[0]


def test_a_recording_inside_the_recording_of_the_native_back_end(toy: Any) -> None:
    inner = []

    @ag.do_not_convert
    def record_another():
        inner.append(toy["stage"](collatz, 27))

    @ag.function
    def outer(x):
        record_another()
        while x > 1:
            x = x // 2
        return x

    assert outer(np.int64(9)) == 1
    assert inner == [111]


def test_two_threads_at_once(toy: Any) -> None:
    wrong: list[Any] = []
    ready = threading.Barrier(4)

    def work(index: int) -> None:
        ready.wait()
        for number in range(1, 40):
            if index % 2:
                got = toy["stage"](collatz, number)
            else:
                got = ag.function(collatz)(np.int64(number))
            if got != collatz(number):
                wrong.append((index, number, got))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nothing_global_is_patched(toy: Any) -> None:
    watched = [builtins, np, np.linalg, sys.modules[__name__], operator, threading, list, dict]
    before = [dict(vars(owner)) for owner in watched]
    modules = set(sys.modules)
    toy["stage"](nested_loops, 3, 4)
    staged_sum(np.array([1.0, 2.0]))
    with activated(NOTHING):
        ag.to_graph(collatz)(6)
    for owner, names in zip(watched, before, strict=True):
        after = dict(vars(owner))
        assert after.keys() == names.keys(), owner
        assert all(after[name] is value for name, value in names.items()), owner
    assert set(sys.modules) == modules


def test_examples_in_docstrings() -> None:
    results = doctest.testmod(autograph.backends)
    assert results.failed == 0 and results.attempted > 0
