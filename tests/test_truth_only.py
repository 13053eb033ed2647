"""What is a tuple or a number, depending on a staged ``or``, is a test; other uses are refused."""

from __future__ import annotations

from pathlib import Path

import autograph as ag
import numpy as np
import pytest
from generated_programs import is_refused, module_of, outcome

USES = """
print(w)|f'{w}'|str(w)|[w]|{w: 1}|w + 1|1 + w|w < 1|-w|abs(w)|np.sum(w)|np.array([w])|np.array(w)|len(w)|w[0]
np.arange(5.0)[:w]|np.arange(5)[w]|isinstance(w, int)|w == 3|3 == w|bool(w)|not w|int(w)|w()|sum([w])
max(w, 1)|np.add(w, 1)|np.where(w, 1, 2)|(w,)|w in [1]|1 in w|[1, 2][w]|range(w)|w.real|getattr(w, 'real')
repr(w)|sorted([w])|np.zeros(3) * w|np.ones(2) @ w|np.float64(w)|list(w)|tuple(w)|[*w]|type(w)|'a' * w
np.arange(w)|np.full(2, w)|np.stack([w, w])|min([w])|any([w])|1 if w else 2|[a for a in w]|dict(w)|hash(w)
np.dot(w, w)|operator.add(w, 1)|math.sqrt(w)|w % 2|'%s' % w|w.append(1)|{**w}|w.x|complex(w)|round(w)
divmod(w, 2)|pow(w, 2)|np.linspace(0, w, 3)|callable(w)|np.logaddexp(w, w)|w if w else 1|hasattr(w, 'real')
(lambda v: v)(w)|w is v|w is None|v is not w|matched(w)|matched_items(w)
"""


HEAD = """import math
import operator
import numpy as np


def matched(w):
    match w:
        case [a, b]:
            return a
        case _:
            return None


def matched_items(w):
    match w:
        case {"a": a}:
            return a
        case _:
            return None


"""


def test_uses(tmp_path: Path) -> None:
    uses = [use for line in USES.strip().splitlines() for use in line.split("|")]
    text = HEAD + "".join(
        f"def f{number}(x, c):\n    v = None\n    if c:\n        v = x\n    w = v or 3\n    return {use}\n\n"
        for number, use in enumerate(uses)
    )
    module = module_of(text, tmp_path, "uses_of_two_types")
    different = []
    same = 0
    for number, use in enumerate(uses):
        function = getattr(module, f"f{number}")
        staged = ag.function(function)
        for c in (np.bool_(False), np.bool_(True)):
            arguments = ((1.5, 2), c)
            want, got = outcome(function, arguments), outcome(staged, arguments)
            same += want == got
            if want != got and not is_refused(staged, arguments):
                different.append((use, c, want, got))
    assert not different
    assert same >= 6


@pytest.mark.parametrize("c", [np.bool_(False), np.bool_(True)])
def test_a_test(c: np.bool_) -> None:
    def f(x, c):
        v = None
        if c:
            v = x
        return 1 if v or 0 else 2

    assert ag.function(f)((1.5, 2), c) == f((1.5, 2), c)
