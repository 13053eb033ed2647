"""Converting functions for the first time: parse, convert, CPython's compile, positions.

A 10-line and a 94-line function (nested loops, break, continue, return), and generated ones of three
shapes: straight-line statements, `if`s in a row, `if`s in a row that assign a variable each. Times
are the thread's own, the median of many; the part of CPython's `compile` of the converted text is
shown, and how time and lines grow.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType
from typing import Any

from autograph._src import load, source
from measure import milliseconds

FUNCTIONS = Path(__file__).parent / "functions"
MOST_LINES = 4.0
"""How many times the lines of a function its converted text may have."""
LINEAR = 1.2
"""Time may grow by this power of the size: CPython's own `compile` has about 1.1."""


@dataclass(frozen=True)
class Conversion:
    """The figures of one function; times in seconds."""

    name: str
    total: float
    compiling: float
    lines: int
    lines_converted: int
    limit: float | None

    def __str__(self) -> str:
        times = self.lines_converted / self.lines
        text = (
            f"converting {self.name}: {milliseconds(self.total)}, of it compile()"
            f" {100 * self.compiling / self.total:.0f} %; {self.lines} lines to {self.lines_converted},"
            f" {times:.2f} times (limit {MOST_LINES:g}, {verdict(times <= MOST_LINES)})"
        )
        if self.limit is None:
            return text
        return f"{text}; time limit {milliseconds(self.limit)}, {verdict(self.total <= self.limit)}"


@dataclass(frozen=True)
class Growth:
    """How the time grows between two sizes: as the size to this power."""

    name: str
    smaller: Conversion
    larger: Conversion

    def exponent(self, part: Callable[[Conversion], float]) -> float:
        """The power of the size that a part of the time is."""
        times = part(self.larger) / part(self.smaller)
        return math.log(times) / math.log(self.larger.lines / self.smaller.lines)

    def __str__(self) -> str:
        total = self.exponent(lambda figure: figure.total)
        own = self.exponent(lambda figure: figure.total - figure.compiling)
        return (
            f"growth of {self.name}, {self.smaller.lines} to {self.larger.lines} lines:"
            f" size to the {total:.2f}, without compile() {own:.2f}"
            f" (limit {LINEAR:g}, {verdict(total <= LINEAR)})"
        )


def verdict(is_reached: bool) -> str:
    """How a limit was met."""
    return "reached" if is_reached else "MISSED"


def straight_line(count: int) -> str:
    """One statement after another."""
    steps = [f"    v{i} = v{i - 1} * {i} + g(x, v{i // 2})\n" for i in range(1, count)]
    return f"def f(x):\n    v0 = x\n{''.join(steps)}    return v{count - 1}\n"


def branches(count: int) -> str:
    """An `if` after another, all with the same state."""
    steps = [f"    if x > {i}:\n        y += {i}\n        t{i} = y\n" for i in range(count)]
    return f"def f(x):\n    y = 0\n{''.join(steps)}    return y\n"


def branches_with_variables(count: int) -> str:
    """An `if` after another, each with a state of its own that is read later."""
    steps = [f"    if x > {i}:\n        v{i} = x\n    else:\n        v{i} = {i}\n" for i in range(count)]
    reads = "".join(f"    x += v{i}\n" for i in range(count))
    return f"def f(x):\n{''.join(steps)}{reads}    return x\n"


SHAPES: list[tuple[str, Callable[[int], str], dict[int, float | None]]] = [
    ("straight-line statements", straight_line, {100: None, 1_000: 0.05, 10_000: None}),
    ("ifs in a row", branches, {33: None, 333: None, 3_333: None}),
    ("ifs with a variable each", branches_with_variables, {16: None, 166: None, 1_000: None}),
]


def run() -> list[Any]:
    figures: list[Any] = []
    for name, file, limit in (
        ("10 lines", FUNCTIONS / "small_10.py", 0.0005),
        ("94 lines", FUNCTIONS / "numerical_94.py", 0.01),
    ):
        figures.append(measured(name, file, limit, rounds=200))
    with TemporaryDirectory() as folder:
        for shape, write, sizes in SHAPES:
            previous: Conversion | None = None
            for count, limit in sizes.items():
                file = Path(folder) / f"{write.__name__}_{count}.py"
                file.write_text(write(count))
                rounds = max(3, 10_000 // count)
                figure = measured(f"{count:,} {shape}", file, limit, rounds)
                figures.append(figure)
                if previous is not None:
                    figures.append(Growth(shape, previous, figure))
                previous = figure
    return figures


def measured(name: str, file: Path, limit: float | None, rounds: int) -> Conversion:
    """The figures of the largest function of a file."""
    text = file.read_text()
    scope: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), scope)
    functions = [value for value in scope.values() if isinstance(value, FunctionType)]
    function = max(functions, key=lambda f: len(f.__code__.co_code))

    def convert_anew() -> None:
        load._conversions.clear()
        load._made.clear()
        source._parsed.clear()
        load.conversion_of(function)

    total = thread_time(convert_anew, rounds)
    converted = load.conversion_of(function).text
    compiling = thread_time(lambda: compile(converted, "text", "exec", dont_inherit=True), rounds)
    return Conversion(name, total, compiling, text.count("\n"), converted.count("\n"), limit)


def thread_time(action: Callable[[], Any], rounds: int) -> float:
    """The median time that the thread spends: other programs of the machine do not count."""
    action()
    times = []
    for _ in range(rounds):
        started = time.thread_time()
        action()
        times.append(time.thread_time() - started)
    return statistics.median(times)
