"""`return`, `break` and `continue` out of a `finally`, where what fails in the running graph is in flight."""

from __future__ import annotations

import textwrap
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from generated_programs import compared, module_of

PRELUDE = """
import numpy as np


class Leaves:
    def __init__(self, bad):
        self.bad = bad

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        print("exit", error)
        if self.bad:
            raise ValueError("exit")


"""

BODIES = {
    "plain": "y = y + xs[i + k]",
    "breaks": "y = y + xs[i + k]\nif y > 4.0:\n    break\ny = y + 0.5",
    "continues": "y = y + xs[i + k]\nif y > 4.0:\n    continue\ny = y + 0.5",
    "returns": "y = y + xs[i + k]\nif y > 4.0:\n    return y * 100.0\ny = y + 0.5",
    "returns_always": "return xs[i + k]",
    "returns_in_a_loop": (
        "for r in range(2):\n    if xs[i + r] > 2.5:\n        return xs[r]\n    y = y + xs[k]"
    ),
    "returns_in_a_with": "with Leaves(k == 1):\n    y = y + xs[i + k]\n    return y",
}

HANDLERS = {
    "none": "",
    "falls": "except IndexError:\n    print('caught', k)",
    "leaves": "except IndexError:\n    continue\nelse:\n    y = y + 0.25",
    "raises": "except (IndexError, ValueError) as error:\n    raise KeyError(str(error))",
}

ENDS = {
    "breaks": "print('end', k)\nbreak",
    "breaks_if": "print('end', k)\nif y > c:\n    break\nprint('stays')",
    "continues": "y = y + 1.0\ncontinue",
    "continues_if": "if y > c:\n    continue\ny = y + 0.125",
    "returns": "return y + 1000.0",
    "returns_if": "if y > c:\n    return y + 1000.0\nprint('stays', k)",
    "returns_in_a_loop": (
        "for r in range(3):\n    for s in range(2):\n        if xs[r] > c:\n            return xs[r] + s"
    ),
    "several": (
        "if y > c + 2.0:\n    return\nif y > c + 1.0:\n    break\nif k == 1:\n    continue\nprint('stays', k)"
    ),
    "raises_first": "y = y + xs[k + 3]\nbreak",
    "raises_last": "with Leaves(k == 0):\n    return y",
    "in_another": "try:\n    y = y + xs[k + 3]\nfinally:\n    if y > c:\n        break",
}

CALLS = tuple(
    (np.arange(1.0, 5.0), np.int64(i), np.float64(c)) for i in (0, 2, 3, 9) for c in (-1.0, 2.5, 99.0)
)


def program(name: str, body: str, handler: str, end: str, is_caught: bool) -> str:
    text = f"try:\n{textwrap.indent(BODIES[body], '    ')}\n{HANDLERS[handler]}"
    text = text.rstrip() + f"\nfinally:\n{textwrap.indent(ENDS[end], '    ')}\ny = y + 0.0625"
    text = f"y = 0.0\nfor k in range(3):\n{textwrap.indent(text, '    ')}\nreturn y"
    if is_caught:
        text = f"try:\n{textwrap.indent(text, '    ')}\nexcept LookupError as error:\n"
        text += "    print('outer', error)\n    return -1.0"
    return f"def {name}(xs, i, c):\n{textwrap.indent(text, '    ')}\n\n\n"


@pytest.mark.parametrize("part", range(6))
def test_crossings(part: int, tmp_path: Path) -> None:
    found = [*product(BODIES, HANDLERS, ENDS, (False, True))][part::6]
    names = {"_".join(map(str, one)): one for one in found}
    text = PRELUDE + "".join(program(name, *one) for name, one in names.items())
    module = module_of(text, tmp_path, f"jumps_out_of_finally_{part}")
    same, different, refused = compared(module, dict.fromkeys(names, CALLS))
    assert not different, different[:3]
    assert not refused, refused
    assert same == len(names) * len(CALLS)
