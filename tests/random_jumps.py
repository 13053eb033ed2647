"""Random functions of jumps in `try`, `with`, `match` and loops, some of which exceptions drop on the way.

`program(seed)` is the text of a function `f(test, log, a, b)`. `test(n)` answers its conditions, `log`
sees the order of effects, `Manager(n, log)` of a `with` raises or swallows when it is left, by its number.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Lines = list[str]


class Manager:
    """A context manager that logs; number 3 and 8 raise when they are left, 0, 6 and 9 swallow."""

    def __init__(self, number: int, log: list[Any]) -> None:
        self.number = number
        self.log = log

    def __enter__(self) -> int:
        self.log.append(("in", self.number))
        return self.number

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> bool:
        self.log.append(("out", self.number, kind and kind.__name__))
        if self.number % 5 == 3:
            raise KeyError(self.number)
        return self.number % 3 == 0


def program(seed: int) -> str:
    """A function; Python may refuse it (`break` in `except*`, say)."""
    writer = _Writer(random.Random(seed))
    body = writer.block(4, is_in_loop=False) + writer.block(3, is_in_loop=False)
    return "\n".join(["def f(test, log, a, b):", "    a += 0", *body, "    return a, b", ""])


class _Writer:
    """Writes statements of a bounded depth."""

    def __init__(self, choices: random.Random) -> None:
        self.choices = choices
        self.count = 0

    def block(self, depth: int, is_in_loop: bool) -> Lines:
        lines: Lines = []
        for _ in range(self.choices.randint(1, 3)):
            lines += self.statement(depth, is_in_loop)
        return [f"    {line}" for line in lines]

    def condition(self) -> str:
        number = self.choices.randrange(9)
        return self.choices.choice(
            [f"test({number})", "a > b", "not test(3)", "test(1) and test(2)", "(w := test(4)) or b > 2"]
        )

    def statement(self, depth: int, is_in_loop: bool) -> Lines:
        self.count += 1
        kinds: list[Callable[[int, bool], Lines]] = [self.effect, self.effect, self.raising, self.returning]
        if is_in_loop:
            kinds += [self.jump, self.jump, self.jump]
        if depth > 0:
            kinds += [self.branch, self.attempt, self.attempt, self.manager, self.match, self.loop, self.loop]
        return self.choices.choice(kinds)(depth - 1, is_in_loop)

    def effect(self, depth: int, is_in_loop: bool) -> Lines:
        effects = [
            "a += 1",
            "b = a + 1",
            "c = a",
            "b -= 1",
            "log.append(a)",
            "log.append(c)",
            "d = lambda: a",
        ]
        return [self.choices.choice(effects), f"log.append(({self.count}, a))"]

    def raising(self, depth: int, is_in_loop: bool) -> Lines:
        error = self.choices.choice(["KeyError(a)", "ValueError(1)", "ZeroDivisionError"])
        return [f"if {self.condition()}:", f"    raise {error}"]

    def returning(self, depth: int, is_in_loop: bool) -> Lines:
        value = self.choices.choice(["a", "", "(a, b)"])
        return [self.choices.choice([f"return {value}", f"if {self.condition()}: return {self.count}"])]

    def jump(self, depth: int, is_in_loop: bool) -> Lines:
        jump = self.choices.choice(["break", "continue"])
        return [jump if self.choices.random() < 0.3 else f"if {self.condition()}: {jump}"]

    def maybe(self, chance: float, head: str, depth: int, is_in_loop: bool) -> Lines:
        return [head, *self.block(depth, is_in_loop)] if self.choices.random() < chance else []

    def branch(self, depth: int, is_in_loop: bool) -> Lines:
        lines = [f"if {self.condition()}:", *self.block(depth, is_in_loop)]
        return lines + self.maybe(0.5, "else:", depth, is_in_loop)

    def loop(self, depth: int, is_in_loop: bool) -> Lines:
        count = self.choices.randint(1, 4)
        head = self.choices.choice([f"for i{depth} in range({count}):", f"while test({self.count}):"])
        return [head, *self.block(depth, True), *self.maybe(0.4, "else:", depth, is_in_loop)]

    def manager(self, depth: int, is_in_loop: bool) -> Lines:
        numbers = [self.choices.randrange(10) for _ in range(self.choices.choice([1, 1, 2]))]
        managers = ", ".join(f"Manager({number}, log)" for number in numbers)
        return [f"with {managers}:", *self.block(depth, is_in_loop)]

    def match(self, depth: int, is_in_loop: bool) -> Lines:
        lines = ["match a % 4:"]
        for pattern in [*self.choices.sample(["0", "1", "2 | 3", "int(z) if z > b"], 2), "_"]:
            block = [f"    {line}" for line in self.block(depth, is_in_loop)]
            lines += [f"    case {pattern}:", *block]
        return lines

    def attempt(self, depth: int, is_in_loop: bool) -> Lines:
        lines = ["try:", *self.block(depth, is_in_loop)]
        handler = self.choices.choice(["KeyError", "(ValueError, KeyError) as e", "Exception", ""])
        if handler:
            star = "*" if self.choices.random() < 0.1 else ""
            lines += [f"except{star} {handler}:", *self.block(depth, is_in_loop)]
            lines += self.maybe(0.4, "else:", depth, is_in_loop)
        if not handler or self.choices.random() < 0.4:
            lines += ["finally:"] + (["    b += 1"] if self.choices.random() < 0.7 else [])
            lines += self.block(depth, is_in_loop) if lines[-1] == "finally:" else []
        return lines
