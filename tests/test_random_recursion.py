"""Random functions that call themselves and each other: staged, they do what CPython does.

The functions take a counter that falls with each call, a number, an array, a plain number that may change
from call to call, and a tuple. They call in branches, loops, conditional expressions and straight lines.
Every other program has functions that also write around themselves: to an array, a list, an object and a
`nonlocal` variable. `AUTOGRAPH_RECURSIONS=1000` tries so many.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import random
from typing import Any

import autograph as ag
import numpy as np
import pytest

COUNT = int(os.environ.get("AUTOGRAPH_RECURSIONS", "40"))


class Writer:
    """Writes the functions of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.writes = seed % 2 == 1

    def expression(self, names: list[str], depth: int = 0) -> str:
        """A number."""
        kind = self.random.randrange(9)
        if depth > 2 or kind < 3:
            return self.random.choice([*names, "1", "2", "0.5", "n"])
        left, right = self.expression(names, depth + 1), self.expression(names, depth + 1)
        if kind < 6:
            return f"({left} {self.random.choice('+-*')} {right})"
        if kind == 6:
            return f"np.sin({left})"
        if kind == 7:
            return f"(v[{self.random.randrange(3)}] + {left})"
        limit = self.random.choice("01n")
        return f"({left} if {right} > {limit} else {self.expression(names, depth + 1)})"

    def call(self, names: list[str], callees: list[str], step: int) -> str:
        """A call of one of the functions."""
        choose = self.random.choice
        number = choose(names) if self.random.random() < 0.3 else self.expression(names, 1)
        array = choose(["v", "v * 0.5", "v + 1", "w"])
        counted = choose(["c", "c + 1", "c", "0"])
        pair = choose(["t", "(t[1], t[0])", "(t[0] + 1, t[1])"])
        return f"{choose(callees)}(n - {step}, {number}, {array}, {counted}, {pair})"

    def write(self, names: list[str]) -> list[str]:
        """A statement that writes to what is around the functions, or none."""
        if not self.writes or self.random.random() < 0.5:
            return []
        value = self.expression(names, 1)
        statement = self.random.choice(
            [
                f"s[{self.random.randrange(3)}] += np.tanh({value})",
                f"s[n % 3] = np.tanh({value}) - s[0]",
                f"log.append(np.tanh({value}))",
                f"box.total = np.tanh(box.total + {value})",
                "box.count += 1",
                "box.array[1] += s[2]",
                "seen += 1",
                "x = x + s.sum() * 0.1 + box.total + len(log) + seen",
            ]
        )
        test = self.random.choice(["", "", "if n > 1: ", f"if {value} > 0: "])
        return [test + statement]

    def function(self, name: str, callees: list[str]) -> list[str]:
        """A function that ends when its counter is used up."""
        choose = self.random.choice
        base = choose(["x", "x + c", "t[0] + x", "v[0]", "1.0", "v.sum() * x"])
        lines = [f"def {name}(n, x, v, c, t):"]
        lines += ["    nonlocal seen"] if self.writes else []
        lines += [f"    {line}" for line in self.write(["x"])]
        lines.append("    if n <= 0:")
        lines += [f"        {line}" for line in self.write(["x"])]
        if self.random.random() < 0.2:
            lines.append("        print('end', n, c)")
        lines += [f"        return {base}", "    w = v * 1.5"]
        if self.random.random() < 0.5:
            lines.append(f"    w[{self.random.randrange(3)}] = {self.expression(['x'], 1)}")
        lines.append(f"    y = {self.expression(['x'])}")
        first, second = (self.call(["x", "y"], callees, step) for step in (1, 2))
        ways = [
            [f"return {first} * 0.5 + y"],
            [
                f"if y > {choose(['0', 'x', '1'])}:",
                f"    y = {first}",
                "else:",
                f"    y = y + {second}",
                "return np.tanh(y) + v[0]",
            ],
            ["for i in range(n % 3):", f"    y = np.tanh(y + {second})", "return y"],
            [f"return ({first} if y < 1 else {second}) + 0.25"],
            [f"a = {first}", f"b = {second}", "w[1] = a", "return np.tanh(a - b) + w.sum() * 0.01"],
            [
                "i = 0",
                "while i < n and y < 3:",
                "    i += 1",
                f"    y = y + np.tanh({second}) + 0.5",
                "return y",
            ],
        ]
        body = choose(ways)
        body = [*self.write(["x", "y"]), *body[:-1], *self.write(["x", "y"]), body[-1]]
        return lines + [f"    {line}" for line in body]

    def program(self) -> str:
        """Two functions, and one that calls the first."""
        chance, choose = self.random.random, self.random.choice
        lines = self.function("f", ["f", "g"] if chance() < 0.6 else ["f"])
        lines += self.function("g", ["g", "f"] if chance() < 0.5 else ["g"])
        call = f"f(n, x, v, {choose('003')}, (x, {choose(['x', '1.0', 'n'])}))"
        head = ["import numpy as np", "class Box:", "    pass"]
        if not self.writes:
            return "\n".join([*head, *lines, "def main(n, x, v):", f"    return {call}", ""])
        state = ["s, log, box, seen = np.zeros(3), [0.5], Box(), 0"]
        state.append("box.total, box.count, box.array = 0.0, 0, np.ones(3)")
        calls = [f"r = {call}", f"r = r + {call}" if chance() < 0.3 else "r = r + 1"]
        result = "return r, s, np.array(log), box.total, box.count, box.array, seen"
        body = [f"    {line}" for line in (*state, *lines, *calls, result)]
        return "\n".join([*head, "def main(n, x, v):", *body, ""])


def load(seed: int) -> tuple[str, Any]:
    text = Writer(seed).program()
    name = f"<recursion {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    module: dict[str, Any] = {}
    exec(compile(text, name, "exec"), module)
    return text, module["main"]


def run(function: Any, count: int) -> tuple[Any, str]:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        result = function(np.int64(count), np.float64(0.3 + count / 7), np.array([0.1, -0.4, 0.9]))
    return result, shown.getvalue()


def parts(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("seed", range(COUNT))
def test_random_recursion(seed: int) -> None:
    text, main = load(seed)
    staged = ag.function(main)
    for count in (3, 5, 0):
        want, want_shown = run(main, count)
        got, got_shown = run(staged, count)
        for one, other in zip(parts(got), parts(want), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=text)
        assert got_shown == want_shown, text
