"""Slices of lists that are written, `xs[a:b] = ys`, with lengths and bounds that only the run knows."""

from __future__ import annotations

import itertools

import autograph as ag
import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

TARGETS = {
    "floats": "[1.0, 2.0, 3.0]",
    "ints": "[1, 2]",
    "staged": "[x, x + 1.0]",
    "none": "[]",
    "of the run": "[x * i for i in range(n + 1)]",
    "rows": "[[1.0], [x, x]]",
    "pairs": "[(1, 2.0), (3, x)]",
    "words": "['a', 'b']",
    "an item of a list": "box[0]",
    "a value of a dict": "table['k']",
    "an argument": "given",
}
SLICES = ("[:]", "[1:]", "[:1]", "[-1:]", "[5:]", "[1:1]", "[n:]", "[:n - 1]", "[n:1]", "[::2]", "[::-1]")
VALUES = {
    "a comprehension": "[x * i for i in range(n)]",
    "a list of the run": "zs",
    "itself": "ys",
    "a part of itself": "ys[1:]",
    "a generator": "(x - i for i in range(n))",
    "a range": "range(n)",
    "a known range": "range(2)",
    "a tuple": "(x, 2.0)",
    "a row": "np.arange(3.0)",
    "a filter": "[z for z in zs if z > 0]",
    "in reverse": "reversed(zs)",
    "sorted": "sorted(zs)",
    "rows": "[[z] for z in zs]",
    "pairs": "list(zip(zs, zs))",
    "nothing": "[]",
    "a number": "x",
    "an array": "x * np.ones(2)",
}
BEHIND = (
    "return ys, len(ys), zs",
    "ys.append(x)\n    return ys, alias, alias is ys",
    "for y in ys:\n        print(y)\n    return alias",
)
CASES = [
    pytest.param(target, part, id=f"{target}{part}")
    for (t, target), (s, part) in itertools.product(enumerate(TARGETS), enumerate(SLICES))
    if in_turn(t, s, among=5)
]
CALLS = [(np.float64(x), np.int64(n), [7.0, 8.0]) for x, n in ((2.0, 3), (-1.0, 0), (0.5, 1), (2.0, 3))]


def _program(name: str, target: str, part: str, value: str, behind: str, where: str) -> str:
    write = f"ys{part} = {value}"
    body = {
        "at once": write,
        "in a branch": f"if x > 0:\n        {write}",
        "in a loop": f"for i in range(n):\n        {write}\n        print(len(ys))",
    }[where]
    return (
        f"def {name}(x, n, given):\n    box, table = [[1.0, 2.0]], {{'k': [1.0, 2.0]}}\n"
        f"    ys = {target}\n    alias = ys\n    zs = [x - i for i in range(n)]\n    {body}\n"
        f"    {behind}\n\n\n"
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("target", "part"), CASES)
def test_a_written_slice(target, part, tmp_path):
    text, calls = "import numpy as np\n\n\n", {}
    wheres = ("at once", "in a branch", "in a loop")
    for number, (value, where) in enumerate(itertools.product(VALUES.values(), wheres)):
        name = f"f{number}"
        text += _program(name, TARGETS[target], part, value, BEHIND[number % len(BEHIND)], where)
        calls[name] = CALLS
    module = module_of(text, tmp_path, "slices_of_lists")
    same, different, _ = compared(module, calls)
    assert different == []
    assert same or target == "an argument"


def test_what_is_replaced_whole_has_the_type_of_the_new():
    @ag.function
    def f(x, n):
        ys = ["a", "b"]
        ys[:] = [x * i for i in range(n)]
        return ys

    assert repr(f(np.float64(2.0), np.int64(2))) == "[np.float64(0.0), np.float64(2.0)]"
    assert f(np.float64(2.0), np.int64(0)) == []
