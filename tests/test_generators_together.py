"""`zip_longest`, `tee`, `cycle` and `np.fromiter` of generators of the program: CPython's items and order."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from generators_of_kinds import GENERATORS, INPUTS, X, assert_as_cpython
from whole import in_turn

FILLS = {
    "floats": "0.5",
    "ints": "-1",
    "scalars": "np.float32(9)",
    "arrays": "np.zeros(2)",
    "tuples": "(0.0, 9)",
    "strings": "'none'",
}
"""What fills up rows of items of each kind; else nothing is given."""
TOGETHER = {
    "longest": "return list(itertools.zip_longest(items(xs), items(-xs), fillvalue=FILL))",
    "longest by a loop": "r = []\n"
    "    for a, b in itertools.zip_longest(items(xs), items(xs[::-1]), fillvalue=FILL):\n"
    "        r.append(b)\n        if len(r) > 2:\n            break\n    return r",
    "longest of three": "return list(itertools.zip_longest(items(xs), range(3), items(xs), fillvalue=FILL)"
    ") if NUMBERS else 0",
    "longest beside values": "return list(itertools.zip_longest(xs, items(xs)))",
    "longest of one": "return [row for row in itertools.zip_longest(items(xs))]",
    "longest goes on": "g = items(xs)\n    r = list(itertools.zip_longest(g, items(-xs), fillvalue=FILL))\n"
    "    return len(r), next(g, None)",
    "tee": "a, b = itertools.tee(items(xs))\n    return list(a), list(b)",
    "tee in turn": "a, b = itertools.tee(items(xs))\n    next(b, None)\n"
    "    return next(a, None), next(b, None), next(a, None)",
    "tee of three": "a, b, c = itertools.tee(items(xs), 3)\n    first = next(a, None)\n"
    "    return first, len(list(b)), next(a, None), len(list(c))",
    "tee by zip": "a, b = itertools.tee(items(xs))\n    next(b, None)\n    return list(zip(a, b))",
    "cycle": "return list(itertools.islice(itertools.cycle(items(xs)), 7))",
    "cycle by a loop": "n = 0\n    v = None\n    for v in itertools.cycle(items(xs)):\n        n += 1\n"
    "        if n > 5:\n            break\n    return n, v",
    "cycle by next": "g = itertools.cycle(items(xs))\n    return next(g, None), next(g, None), next(g, None)",
    "cycle beside values": "return list(zip(range(5), itertools.cycle(items(xs))))",
}
ENDLESS = {
    "tee in turn",
    "cycle",
    "cycle by a loop",
    "cycle by next",
    "cycle beside values",
    "longest by a loop",
}
"""What ends although the items do not."""
FEW = (X, X[:0], X[[3, 0]], X)
"""What `tee` and `cycle` hold makes long graphs."""
CASES = [
    (generator, consumer)
    for (row, generator), (column, consumer) in product(enumerate(GENERATORS), enumerate(TOGETHER))
    if in_turn(row, column, among=5) and (generator != "endless" or consumer in ENDLESS)
]


@pytest.mark.parametrize(("generator", "consumer"), CASES)
def test_together(generator: str, consumer: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    text = TOGETHER[consumer].replace("FILL", FILLS.get(generator, "None"))
    text = text.replace("NUMBERS", str(generator in ("floats", "ints", "raises")))
    inputs = INPUTS if consumer.startswith("longest") else FEW
    assert_as_cpython(generator, text, tmp_path, capsys, inputs=inputs)


FROM = {
    "all": "return np.fromiter(items(xs), float)",
    "ints": "return np.fromiter((i for i, v in enumerate(items(xs))), np.int64).sum()",
    "of a variable": "g = items(xs)\n    a = np.fromiter(g, dtype=np.float32)\n    return a, next(g, None)",
    "list": "return np.array(list(items(xs)))",
    "counted": "return np.fromiter(list(itertools.islice(items(xs), 2)), float)",
}


@pytest.mark.parametrize("generator", ["floats", "ints", "scalars", "raises", "of another"])
@pytest.mark.parametrize("consumer", FROM)
def test_array_of_the_items(
    generator: str, consumer: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_as_cpython(generator, FROM[consumer], tmp_path, capsys, "AG201" if consumer == "list" else "")
