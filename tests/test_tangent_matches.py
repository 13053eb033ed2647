"""Random programs with `match`: the derivatives of each against differences, `ag.grad` and the plain call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from autograph.errors import ConversionError
from tangent_checks import is_guard, is_located
from tangent_random import Maker, Statement, text_of
from test_tangent_cross import Runner

COUNT = 60
PARTS = 4


class MakerOfMatches(Maker):
    """Makes programs with a `match` in many places."""

    def statement(self, depth: int) -> Statement:
        if depth < 3 and self.chance(0.35):
            kinds: list[Callable[[int], Statement]] = [self.of_number, self.of_values, self.of_containers]
            return kinds[int(self.random.integers(len(kinds)))](depth)
        return super().statement(depth)

    def cases(self, depth: int, *patterns: str) -> list[tuple[str, list[Statement]]]:
        """Some of the patterns, most with a body that reads what they bind."""
        chosen = [self.one(*patterns) for _ in range(int(self.random.integers(1, 4)))]
        found = []
        for pattern in chosen:
            guard = f" if {self.test()}" if self.chance(0.3) else ""
            if "v" in pattern and self.chance(0.3):
                guard = " if v > 0.3"
            body = self.block(int(self.random.integers(1, 3)), depth + 1)
            if "v" in pattern:
                share = "v * w" if "w" in pattern else "v"
                body = [Statement(f"{self.one('s', 't', 'u')} = {share} * {self.atom()} * 0.5"), *body]
            found.append((f"case {pattern}{guard}:", body))
        if self.chance(0.5):
            found.append(("case _:", self.block(1, depth + 1)))
        return found

    def of_number(self, depth: int) -> Statement:
        counter = [name for name in self.loops if name.startswith("i")]
        subject = self.one("n", *counter, "n % 2")
        return Statement(
            blocks=[
                (f"match {subject}:", []),
                *self.cases(depth, "0", "1 | 2", "3", "int(v)", "float(v)", "None"),
            ]
        )

    def of_values(self, depth: int) -> Statement:
        subject = self.one(
            f"{self.atom()}, n", f"[{self.number()}, n % 2]", f"{self.atom()}, {self.atom()} * n"
        )
        patterns = ["(v, 1)", "(v, 0) | (v, 3)", "[v, w]", "(v, w)", "[v, *_]", "[_, 1 | 2]"]
        return Statement(blocks=[(f"match {subject}:", []), *self.cases(depth, *patterns)])

    def of_containers(self, depth: int) -> Statement:
        subject, patterns = [
            ("q", ["{'k': v}", "{'k': v, 'v': _}", "{'z': v}", "{}"]),
            ("z", ["(v, _)", "(v, _, w)", "[v, *_]", "(_, _)"]),
            ("p", ["[v]", "[v, w]", "[v, *_, w]", "[*_, v]", "[]", "[_, _, *_]"]),
            ("[p, n]", ["[[v, *_], 1]", "[[v, w], _]", "[[], _]", "[_, 3]"]),
        ][int(self.random.integers(4))]
        return Statement(blocks=[(f"match {subject}:", []), *self.cases(depth, *patterns)])


def nested(body: list[Statement]) -> list[Statement]:
    """The statements with each `case` under its `match`."""
    made = []
    for one in body:
        blocks = [(header, nested(inner)) for header, inner in one.blocks]
        if blocks and blocks[0][0].startswith("match "):
            cases = [Statement(blocks=[case]) for case in blocks[1:]]
            blocks = [(blocks[0][0], cases)]
        made.append(Statement(one.line, blocks))
    return made


@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs(part: int, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    kinds: Counter[str] = Counter()
    wrong = []
    for seed in range(part * COUNT // PARTS, (part + 1) * COUNT // PARTS):
        body = nested(MakerOfMatches(seed).program())
        try:
            faults = runner.faults(body)
        except ConversionError as refused:
            assert is_located(refused), text_of(body, "program")
            kinds["refused"] += 1
        except TypeError as error:
            assert is_guard(error), f"{error!r}\n{text_of(body, 'program')}"
            kinds["guarded"] += 1
        else:
            kinds["right"] += not faults
            if faults:
                wrong.append(f"seed {seed}:\n{text_of(body, 'program')}\n{faults[0]}")
    assert not wrong, f"{len(wrong)} programs are wrong\n{wrong[0]}"
    assert kinds["right"] > 0.4 * COUNT / PARTS, kinds
