"""Small random programs: kinds of values, places of statements, and what follows them.

A program is a tree of statements, so that one that fails can be made smaller: `shrunk`.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import numpy as np

HEAD = '''"""Random programs."""

import math

import numpy as np

LOG = []


def cubed(v):
    w = v * v
    return w * v * 0.1


def bent(v, w=0.5):
    if v > w:
        return np.sin(v) * w
    v = v * 0.5
    return v + w


def steps_of(v, n):
    y = v
    for k in range(n):
        y = np.tanh(y * v) + k * 0.1
        if y > 0.9:
            break
    return y


'''

SCALARS = ("s", "t", "u")
ARRAYS = ("b", "c", "d")


@dataclass
class Statement:
    """A line, and the blocks under it: ``(header, body)`` pairs."""

    line: str = ""
    blocks: list[tuple[str, list[Statement]]] = field(default_factory=list)

    def lines(self, indent: str) -> Iterator[str]:
        if self.line:
            yield indent + self.line
        for header, body in self.blocks:
            yield indent + header
            yield from lines_of(body, indent + "    ")


def lines_of(body: list[Statement], indent: str) -> Iterator[str]:
    found = [line for one in body for line in one.lines(indent)]
    yield from found or [indent + "pass"]


class Maker:
    """Makes one program.

    Args:
        seed: What the program is drawn from.
    """

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.loops: list[str] = []
        self.names = 0
        self.has_aliases = self.chance(0.25)

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def one(self, *options: str) -> str:
        return options[int(self.random.integers(len(options)))]

    def program(self) -> list[Statement]:
        """The statements of a function of ``x``, ``a`` and ``n``."""
        heads = [
            self.one("s = x", "s = x * 1.0", "s = 0.0", "s = np.sum(a)"),
            self.one("t = 1.0", "t = x * x", "t = a[0]"),
            self.one("u = x", "u = 0.5"),
            self.one("b = a * 1.0", "b = np.zeros(3)", "b = a.copy()", *self.aliases("b = a")),
            self.one("c = np.ones(3) * x", "c = a * a", *self.aliases("c = b")),
            self.one("d = np.array([1, 2, 3])", "d = np.array([x * 0.9, 0.5, 1.0])", *self.aliases("d = a")),
            self.one("m = np.outer(a, a)", "m = np.zeros((3, 3)) + x", "m = np.stack([a, a * x, a + 1])"),
            self.one("q = {'k': x * 0.5, 'v': a * 1.0}", "q = {'k': 0.5, 'v': np.zeros(3)}"),
            self.one("z = (x * 0.5, a * 0.5)", "z = (x * x, a * x, 1.0)"),
            self.one("p = []", "p = [x * 0.9, 1.0]", "p = [0.5 * x]", *self.aliases("p = [x, t]")),
        ]
        body = [Statement(head) for head in heads] + self.block(int(self.random.integers(3, 7)), 0)
        return [*body, Statement(f"return {self.result()}")]

    def aliases(self, *lines: str) -> tuple[str, ...]:
        """The lines, in a program that has aliases: most writes in place to what has them are refused."""
        return lines if self.has_aliases else ()

    def result(self) -> str:
        parts = [
            *self.random.permutation(
                [*SCALARS, *(f"np.sum({name} * a)" for name in ARRAYS), "np.sum(m @ a)", "q['k']", "z[0]"]
            )[:5],
            "sum(p)",
        ]
        return " + ".join(str(part) for part in parts)

    def block(self, count: int, depth: int) -> list[Statement]:
        return [self.statement(depth) for _ in range(count)]

    def statement(self, depth: int) -> Statement:
        kinds: list[Callable[[int], Statement]] = [self.scalar] * 4 + [self.array] * 3 + [self.write] * 4
        kinds += [self.items] * 2
        if depth < 3:
            kinds += [self.branch] * 2 + [self.loop] * 3
        if self.loops:
            kinds += [self.leave]
        if depth:
            kinds += [self.leave_function] if self.chance(0.2) else []
        return kinds[int(self.random.integers(len(kinds)))](depth)

    def index(self) -> str:
        numbers = [name for name in self.loops if name.startswith("i")]
        if numbers and self.chance(0.6):
            return self.one(*numbers)
        return self.one("0", "1", "2", "-1")

    def atom(self) -> str:
        names = [name for name in self.loops if name.startswith("e")]
        if names and self.chance(0.4):
            return self.one(*names)
        if self.chance(0.3):
            return f"{self.one(*ARRAYS, 'a')}[{self.index()}]"
        return self.one(*SCALARS, "x", "x", "0.5", "2")

    def number(self) -> str:
        left, right = self.atom(), self.atom()
        return self.one(
            left,
            f"{left} * {right} * 0.5",
            f"{left} + {right}",
            f"{left} - {right} * x",
            f"np.sin({left})",
            f"np.tanh({left} * {right})",
            f"math.cos({left}) * {right}",
            f"{left} / ({right} * {right} + 2)",
            f"np.sum({self.one(*ARRAYS)}) * 0.3",
            f"{self.one(*ARRAYS)}.mean() + {left}",
            f"cubed({left})",
            f"bent({left})",
            f"bent({left}, {right})",
            f"steps_of({left}, n)",
            f"({left} if {self.test()} else {right} * 0.7)",
            f"max({left}, {right})",
            f"np.dot({self.one(*ARRAYS)}, a) * 0.2",
            f"float({left}) * {right} * 0.5",
            f"m[{self.index()}, {self.index()}] * {left} * 0.5",
            f"np.sum(m[:, {self.index()}] * {self.one(*ARRAYS)}) * 0.1",
            "m.sum(axis=0)[1] * 0.1 + m.T[0, 2]",
            f"q['k'] * {left} * 0.5",
            f"np.sum(q['v'] * z[1]) * 0.2 + z[0] * {right}",
        )

    def test(self) -> str:
        return self.one(
            f"{self.one(*SCALARS, 'x')} > {self.one('0.1', '0.45', '-0.3', '0.9')}",
            f"np.sum({self.one(*ARRAYS)}) < {self.one('0.2', '1.3', '-0.4')}",
            "n > 1",
            *(f"{name} == 1" for name in self.loops if name.startswith("i")),
            *(f"{name} > 0.2" for name in self.loops if name.startswith("e")),
        )

    def scalar(self, depth: int) -> Statement:
        name = self.one(*SCALARS)
        other = self.one(*SCALARS)
        return Statement(
            self.one(
                *[f"{name} = {self.number()}"] * 4,
                f"{name} = {name} + {self.number()}",
                *self.aliases(f"{name} += {self.number()}", f"{name} *= {self.atom()}", f"{name} += {name}"),
                f"{name}, {other} = {other}, {self.number()}" if name != other else f"{name} = {other}",
                f"{name} = {other}",
            )
        )

    def vector(self) -> str:
        left, right = self.one(*ARRAYS, "a"), self.one(*ARRAYS, "a")
        return self.one(
            f"{left} * {right} * 0.5",
            f"{left} + {self.atom()}",
            f"{self.atom()} * {left}",
            f"np.sin({left})",
            f"np.tanh({left} * {right})",
            f"{left}.copy()",
            f"np.where({left} > 0.2, {right}, {self.atom()})",
            f"{left}[[0, 0, 2]] + {right}",
            f"{left}[::-1] * 0.9",
            f"np.array([{self.atom()} * 0.9, {self.atom()} + x, 1.0])",
            f"np.cumsum({left}) * 0.3",
            f"np.zeros(3) + {self.atom()}",
            f"np.array([v * 0.5 for v in {left}])",
            f"np.concatenate([{left}[1:], {right}[:1]])",
            f"m[{self.index()}] * 0.5 + {left}",
            f"np.dot(m, {left}) * 0.2",
            f"{left} @ m * 0.2",
            f"m.mean(axis={self.one('0', '1')}) + {right}",
            f"q['v'] + z[1] * {left}",
        )

    def array(self, depth: int) -> Statement:
        name, other = self.one(*ARRAYS), self.one(*ARRAYS)
        return Statement(
            self.one(
                *[f"{name} = {self.vector()}"] * 5,
                f"{name} = {other} * 0.7 + {name}",
                *self.aliases(
                    f"{name} = {other}",
                    f"{name} = {other}[::-1]",
                    f"{name} = {other}[:]",
                    f"{name}, {other} = {other}, {self.vector()}"
                    if name != other
                    else f"{name} = {other} * 0.7",
                ),
            )
        )

    def write(self, depth: int) -> Statement:
        name = self.one(*ARRAYS)
        index = self.index()
        return Statement(
            self.one(
                f"{name}[{index}] = {self.number()}",
                f"{name}[{index}] = {self.number()}",
                f"{name}[{index}] += {self.number()}",
                f"{name}[{index}] *= {self.atom()}",
                f"{name}[1:] = {self.atom()}",
                f"{name}[:2] += {self.one(*ARRAYS, 'a')}[1:]",
                f"{name}[:] = {self.vector()}",
                f"{name}[{name} > 0.3] = {self.atom()}",
                f"{name}[{name} < 0.1] *= {self.atom()}",
                f"{name}[[0, 2]] += {self.atom()}",
                f"{name} += {self.vector()}",
                f"{name} *= {self.atom()}",
                f"{name}[0], {name}[1] = {name}[1], {self.atom()}",
                f"m[{index}] = {self.vector()}",
                f"m[:, {index}] = {self.vector()}",
                f"m[{index}, {self.index()}] += {self.number()}",
                f"m = m * {self.atom()} * 0.5",
                f"m = np.tanh(m.T * {self.one(*ARRAYS)})",
                f"m[m > 0.4] = {self.atom()}",
                f"m[:2, 1:] *= {self.atom()}",
                f"q['k'] = {self.number()}",
                f"q['v'] = {self.vector()}",
                f"q = {{'k': {self.atom()} * 0.9, 'v': q['v'] * {self.atom()}}}",
                f"z = (z[0] * {self.atom()}, {self.vector()})",
            )
        )

    def items(self, depth: int) -> Statement:
        return Statement(
            self.one(
                f"p.append({self.number()} * 0.9)",
                f"p.append({self.number()} + 0.1)",
                f"{self.one(*SCALARS)} = sum(p) * 0.3",
                f"{self.one(*SCALARS)} = p[-1] if p else x",
                f"p = [v * {self.atom()} for v in p]",
                f"p = [{self.atom()} * 0.9, {self.atom()} + 0.1]",
                "LOG.append(n)",
            )
        )

    def branch(self, depth: int) -> Statement:
        blocks = [(f"if {self.test()}:", self.block(int(self.random.integers(1, 3)), depth + 1))]
        if self.chance(0.3):
            blocks.append((f"elif {self.test()}:", self.block(1, depth + 1)))
        if self.chance(0.6):
            blocks.append(("else:", self.block(int(self.random.integers(1, 3)), depth + 1)))
        return Statement(blocks=blocks)

    def loop(self, depth: int) -> Statement:
        self.names += 1
        i, e, g = f"i{self.names}", f"e{self.names}", f"e{self.names}_2"
        name, other = self.one(*ARRAYS, "a"), self.one(*ARRAYS, "a")
        header, variables = [
            (f"for {i} in range(n):", [i]),
            (f"for {i} in range(n):", [i]),
            (f"for {i} in range(2, -1, -1):", [i]),
            (f"for {e} in {name}:", [e]),
            (f"for {i}, {e} in enumerate({name}):", [i, e]),
            (f"for {e}, {g} in zip({name}, {other}):", [e, g]),
            (f"for {e} in p:", [e]),
            (f"for {e} in reversed({name}):", [e]),
            (f"while {i} < n:", [i]),
        ][int(self.random.integers(9))]
        before = self.loops
        self.loops = [*before, *variables]
        body = self.block(int(self.random.integers(1, 4)), depth + 1)
        self.loops = before
        if header.startswith("while"):
            # The counter goes on first, so that `continue` ends as well.
            body = [Statement(f"{i} += 1"), *body]
            return Statement(f"{i} = -1", [(header.replace("< n", "< n - 1"), body)])
        if header.endswith("in p:"):
            header = header.replace("in p:", "in p[:3]:")
        blocks = [(header, body)]
        if self.chance(0.1):
            blocks.append(("else:", self.block(1, depth + 1)))
        return Statement(blocks=blocks)

    def leave(self, depth: int) -> Statement:
        return Statement(
            blocks=[(f"if {self.test()}:", [self.scalar(depth), Statement(self.one("break", "continue"))])]
        )

    def leave_function(self, depth: int) -> Statement:
        return Statement(blocks=[(f"if {self.test()}:", [Statement(f"return {self.result()}")])])


def text_of(body: list[Statement], name: str) -> str:
    return f"def {name}(x, a, n):\n" + "\n".join(lines_of(body, "    ")) + "\n"


def module_of(bodies: dict[str, list[Statement]], folder: Path, name: str) -> ModuleType:
    """The functions, imported from a file, so that they have sources."""
    path = folder / f"{name}.py"
    path.write_text(HEAD + "\n\n".join(text_of(body, one) for one, body in bodies.items()))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def smaller(body: list[Statement]) -> Iterator[list[Statement]]:
    """The programs with one statement less, or with the body of a block in its place."""
    for place, one in enumerate(body):
        before, after = body[:place], body[place + 1 :]
        if not one.line.startswith(("return", "i")):
            yield before + after
        for number, (header, inner) in enumerate(one.blocks):
            if not header.startswith("while"):
                yield before + inner + after
            if number:
                yield [*before, Statement(one.line, one.blocks[:number]), *after]
            for less in smaller(inner):
                blocks = [*one.blocks[:number], (header, less), *one.blocks[number + 1 :]]
                yield [*before, Statement(one.line, blocks), *after]


def shrunk(
    body: list[Statement], fails: Callable[[list[Statement]], bool], limit: int = 300
) -> list[Statement]:
    """A small program that still fails."""
    tried = 0
    while True:
        for less in smaller(body):
            tried += 1
            if tried > limit:
                return body
            try:
                found = fails(less)
            except Exception:
                found = False
            if found:
                body = less
                break
        else:
            return body
