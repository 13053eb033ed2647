"""Items and slices of the caller's lists that are written at places which only the run knows: `xs[i] = v`."""

from __future__ import annotations

import itertools

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of, outcome, outcome_or_refusal
from whole import in_turn

LISTS = {
    "floats": "[3.0, 1.0, 2.0]",
    "ints": "[3, 1, 2]",
    "of NumPy": "[np.float64(3.0), np.float64(1.0), np.float64(2.0)]",
    "of both": "[3.0, 1, 2]",
    "bools": "[True, False, True]",
    "rows": "[[3.0], [1.0, 2.0], []]",
    "arrays": "[np.ones(2), np.zeros(2), np.arange(2.0)]",
    "pairs": "[(3.0, 'a'), (1.0, 'b'), (2.0, 'a')]",
    "words": "['c', 'a', 'b']",
    "None": "[None, 1.0, None]",
    "none": "[]",
}
WAYS = {
    "an argument": ("a", "L"),
    "in an argument": ("a[0]", "[L, 1.0]"),
    "a value of a dict": ("a['k']", "{'k': L}"),
    "an attribute": ("a.xs", "P(L)"),
    "a field": ("a.xs", "D(L)"),
    "twice": ("a[1]", "[L] * 2"),
    "a global": ("XS", "0.0"),
    "of a closure": ("held", "0.0"),
}
WRITES = (
    "xs[i] = v",
    "xs[i] = xs[j]",
    "xs[i], xs[j] = xs[j], xs[i]",
    "xs[i] += v",
    "xs[i] = xs[i - 1]",
    "del xs[i]",
    "xs[i:] = [v]",
    "xs[i:j] = [v, v]",
    "xs[:] = [v for _ in range(i)]",
    "xs[1:] = xs[:i]",
    "del xs[i:]",
    "del xs[:j]",
    "xs[-i] = v",
    "for k in range(i):\n        xs[k] = xs[k + 1]",
    "for k in range(len(xs) - 1):\n        if xs[k] > xs[k + 1]:\n            xs[k:k + 2] = xs[k + 1], xs[k]",
    "while i < len(xs):\n        xs[i] = v\n        i += 1",
    "xs[i] = v\n    xs.append(v)\n    xs[j] = v",
    "if v > 0:\n        xs[i] = v\n    else:\n        del xs[j]",
    "ys = xs\n    ys[i] = v\n    print(len(xs), ys is xs)",
    "xs[i] = v\n    raise_at(j)",
)
VALUES = ("v", "1", "None", "'a'", "[v]", "(v, 'a')", "np.zeros(2)")
PREAMBLE = """
from dataclasses import dataclass
import numpy as np


@dataclass
class D:
    xs: list


class P:
    def __init__(self, xs):
        self.xs = xs

    def __repr__(self):
        return f"P({self.xs!r})"


SEEN = {}


def raise_at(j):
    if j > 1:
        raise ValueError(j)


"""
CASES = [
    pytest.param(name, way, id=f"{name}, {way}")
    for (k, name), (w, way) in itertools.product(enumerate(LISTS), enumerate(WAYS))
    if in_turn(k, w, among=5)
]
PLACES = ((0, 1), (2, 0), (-1, 1), (5, 1), (1, 2), (0, 1))


def _text(number: int, made: str, way: str, write: str, value: str) -> str:
    place = WAYS[way][0]
    body = write.replace("= v", f"= {value}").replace("[v", f"[{value}")
    result = f"xs is {place}, len(xs)"
    text = f"def inner{number}(a, i, j, v):\n    xs = {place}\n    {body}\n    return {result}\n\n\n"
    if way == "of a closure":
        inner = text.replace("\n", "\n    ").rstrip()
        text = f"def made{number}():\n    held = {made}\n\n    {inner}\n\n    return inner{number}\n\n\n"
        text += f"inner{number} = made{number}()\n\n\n"
    text = text.replace("XS", f"XS{number}")
    lists = {"a global": f"XS{number}", "of a closure": f"inner{number}.__closure__[-1].cell_contents"}
    seen = f"SEEN[{number}] = lambda: [*{lists.get(way, '()')}]"
    return f"XS{number} = {made}\n\n\n{text}\n{seen}\n\n\n"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "way"), CASES)
def test_a_written_item(name, way, tmp_path):
    text, calls = PREAMBLE, {}
    scope: dict[str, object] = {"np": np}
    exec(PREAMBLE, scope)
    given = WAYS[way][1].replace("L", LISTS[name]) if "L" in WAYS[way][1] else WAYS[way][1]
    for number, (write, value) in enumerate(itertools.product(WRITES, VALUES)):
        if "v" not in write.replace("value", "") and value != "v":
            continue
        text += _text(number, LISTS[name], way, write, value)
        calls[number] = [
            (eval(given, scope), np.int64(i), np.int64(j), np.float64(v))
            for (i, j), v in zip(PLACES, (1.5, -2.0, 1.5, 1.5, 0.0, 1.5), strict=True)
        ]
    plain, other = (module_of(text, tmp_path, f"items_{one}") for one in ("plain", "staged"))
    same, different = 0, []
    for number, given_in_turn in calls.items():
        function, staged = getattr(plain, f"inner{number}"), ag.function(getattr(other, f"inner{number}"))
        for arguments in given_in_turn:
            want = *outcome(function, arguments), repr(plain.SEEN[number]())
            found, is_refusal = outcome_or_refusal(staged, arguments)
            got = *found, repr(other.SEEN[number]())
            if is_refusal and got != want:
                break  # The lists of the two modules differ from here on.
            same += got == want
            if got != want:
                different.append((number, arguments, want, got))
    assert different == []
    assert same or name in ("arrays", "None")
