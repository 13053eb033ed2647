"""Random structured programs: CPython's result, the converted function's, the graph's in both engines.

    python tests/fuzz.py [COUNT [SEED]]

Programs are loops, branches, jumps and arithmetic over integers, floats and a small array, bounded by
fuel. A program whose outcome differs is printed whole. What the package refuses (`ag.StagingError`) is
counted; it is no failure.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import random
import sys
from typing import Any

import autograph as ag
import numpy as np
from programs import assert_same

NAMES = ("a", "b", "c")


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0

    def program(self) -> str:
        self.line(0, "def f(a, b, x):")
        self.line(1, "c = 0")
        self.line(1, "fuel = 0")
        self.block(1, depth=0, in_loop=False)
        self.line(1, f"return {self.returned()}")
        return "\n".join(self.lines) + "\n"

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, indent: int, depth: int, in_loop: bool) -> None:
        for _ in range(self.random.randint(1, 4 - min(depth, 2))):
            self.statement(indent, depth, in_loop)

    def statement(self, indent: int, depth: int, in_loop: bool) -> None:
        kinds = ["assign"] * 4 + ["augment", "item", "print"]
        if depth < 3:
            kinds += ["if", "if", "for", "while", "for_array"]
        if in_loop:
            kinds += ["break", "continue"]
        if depth:
            kinds += ["return"]
        getattr(self, self.random.choice(kinds))(indent, depth, in_loop)

    def assign(self, indent: int, depth: int, in_loop: bool) -> None:
        if self.random.random() < 0.2:
            first, second = self.random.sample(NAMES, 2)
            self.line(indent, f"{first}, {second} = {second}, {self.number()}")
        else:
            self.line(indent, f"{self.random.choice(NAMES)} = {self.number()}")

    def augment(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"{self.random.choice(NAMES)} {self.random.choice(['+=', '-='])} {self.number()}")

    def item(self, indent: int, depth: int, in_loop: bool) -> None:
        target = self.random.choice(["x[1]", "x[2]", "x[c % 4]", "x[:2]"])
        self.line(indent, f"{target} {self.random.choice(['=', '+='])} {self.number()}")

    def print(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"print({self.random.randint(0, 99)}, {self.random.choice(NAMES)})")

    def test(self) -> str:
        one = f"{self.number()} {self.random.choice(['<', '>', '==', '!=', '<='])} {self.number()}"
        shape = self.random.random()
        if shape < 0.15:
            return f"{one} and {self.test()}"
        if shape < 0.3:
            return f"not {self.random.choice(NAMES)} > 2 or {one}"
        if shape < 0.4:
            return f"{self.number()} < {self.number()} < {self.number()}"
        return one

    def number(self) -> str:
        simple = [*NAMES, *NAMES, "1", "2", "7", "x[0]", "x[3]", "x.sum()", "(a if b > c else 3)"]
        choice = self.random.random()
        if choice < 0.5:
            return self.random.choice(simple)
        left, right = self.random.choice(simple), self.random.choice(simple)
        if choice < 0.6:
            return f"({left} * 2 - {right}) % 11"
        if choice < 0.7:
            return f"{left} // 3"
        return f"({left} {self.random.choice(['+', '-'])} {right})"

    def returned(self) -> str:
        return self.random.choice(["a", "b, c", "a, b, c, x.sum()", "c"])

    def branch(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"if {self.test()}:")
        self.block(indent + 1, depth + 1, in_loop)
        if self.random.random() < 0.5:
            self.line(indent, "else:")
            self.block(indent + 1, depth + 1, in_loop)

    def for_(self, indent: int, depth: int, items: str) -> None:
        self.loops += 1
        self.line(indent, f"for i{self.loops} in {items}:")
        self.line(indent + 1, f"c = (c + i{self.loops}) % 50")
        self.block(indent + 1, depth + 1, True)
        if self.random.random() < 0.2:
            self.line(indent, "else:")
            self.block(indent + 1, depth + 1, False)

    def loop(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"while fuel < 12 and ({self.test()}):")
        self.line(indent + 1, "fuel += 1")
        self.block(indent + 1, depth + 1, True)

    def leave(self, indent: int, depth: int, in_loop: bool) -> None:
        self.line(indent, f"return {self.returned()}")


def _for_range(self: Writer, indent: int, depth: int, in_loop: bool) -> None:
    items = self.random.choice(["range(6)", "range(b % 4)", "range(1, 8, 3)", "range(5, 0, -1)", "range(2)"])
    self.for_(indent, depth, items)


setattr(Writer, "if", Writer.branch)
setattr(Writer, "while", Writer.loop)
setattr(Writer, "for", _for_range)
setattr(Writer, "for_array", lambda self, indent, depth, in_loop: self.for_(indent, depth, "range(len(x))"))
setattr(Writer, "return", Writer.leave)
setattr(Writer, "break", lambda self, indent, depth, in_loop: self.line(indent, "break"))
setattr(Writer, "continue", lambda self, indent, depth, in_loop: self.line(indent, "continue"))


def compiled(text: str, name: str) -> Any:
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


ARGUMENTS = [
    lambda: (np.int64(3), np.int64(5), np.arange(4)),
    lambda: (np.float64(1.5), np.int64(-2), np.linspace(-1.0, 2.0, 4)),
    lambda: (2, np.int64(7), np.array([3, -1, 4, 1])),
]


def outcome(function: Any, arguments: tuple[Any, ...]) -> tuple[Any, str, Any]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            result = function(*arguments)
        except ag.StagingError:
            raise
        except Exception as error:
            result = [base.__name__ for base in type(error).__mro__ if not base.__name__.startswith("Graph")]
            result = next(name for name in result if name not in ("AutographError",))
    return result, printed.getvalue(), arguments[2]


def interpreted(function: Any) -> Any:
    staged = ag.function(function)

    def call(*arguments: Any) -> Any:
        leaves, concrete = staged._specialise(arguments, {})
        return concrete.interpret(leaves)

    return call


def try_program(seed: int) -> str:
    """`same`, `refused`, or the program with what differs."""
    text = Writer(seed).program()
    function = compiled(text, f"<fuzz {seed}>")
    verdict = "same"
    for arguments in ARGUMENTS:
        want = outcome(function, arguments())
        for wrap in (ag.to_graph, interpreted, ag.function):
            try:
                got = outcome(wrap(function), arguments())
            except ag.StagingError:
                verdict = "refused"
                continue
            try:
                assert_same(leaves(got[0]), leaves(want[0]))
                assert_same(numbers(got[1]), numbers(want[1]))
                assert_same(got[2], want[2])
            except AssertionError as error:
                shown = f"{wrap.__name__}: {str(error).strip()[:300]}\ngot {got}\nwant {want}"
                return f"seed {seed}, arguments {arguments()}\n{text}{shown}\n"
    return verdict


def leaves(result: Any) -> list[Any]:
    """The numbers of a result: a joined variable may be `1.0` for `1`, which is the same number."""
    if isinstance(result, tuple):
        return [leaf for element in result for leaf in leaves(element)]
    return [result if isinstance(result, (str, type(None))) else float(result)]


def numbers(printed: str) -> list[float]:
    """What was printed, as numbers: a joined variable may print `1.0` for `1`."""
    return [float(word) for word in printed.split()]


def main(count: int, seed: int) -> int:
    tally = {"same": 0, "refused": 0}
    for number in range(seed, seed + count):
        verdict = try_program(number)
        if verdict not in tally:
            print(verdict)
            return 1
        tally[verdict] += 1
    print(f"{count} programs: {tally['same']} the same, {tally['refused']} refused")
    return 0


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*[*given, *(200, 0)[len(given) :]]))
