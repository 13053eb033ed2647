"""What a branch makes is used behind the statement, whose other branch raises: right, or refused."""

from __future__ import annotations

import pytest
from crossing.judge import judged
from crossing.program import PREAMBLE, Case

MADE = {
    "an array": ("x * 2", "d + 1"),
    "a tuple": ("(x * 2, 1)", "d[0] + d[1]"),
    "a named tuple": ("Pair(x * 2, 1)", "d.first, d"),
    "a list": ("[x * 2, x]", "d[0] + d[-1], d"),
    "a list of lists": ("[[x * 2], [x]]", "d[1][0] + 1"),
    "a list of both": ("[x * 2, [x]]", "d[1][0] + 1"),
    "a dict": ("{'a': x * 2}", "d['a'] + 1"),
    "a dict of lists": ("{'a': [x * 2]}", "d['a'][0] + 1"),
    "a dataclass": ("Box(x * 2)", "d.value + 1"),
    "an object": ("Plain(x * 2)", "d.value + 1"),
    "an object in a list": ("[Plain(x * 2)]", "d[0].value + 1"),
    "a list of NumPy": ("np.split(x * 2, 2)", "d[1] + 1"),
    "a function": ("lambda z: x * z", "d(2)"),
    "a method": ("(x * 2).mean", "d()"),
    "a partial": ("functools.partial(np.add, x * 2)", "d(1)"),
    "an iterator": ("map(abs, [x * 2])", "list(d)"),
    "a generator": ("(v * 2 for v in [x])", "list(d)"),
    "a set": ("{1, 2}", "len(d)"),
    "a slice": ("slice(0, k)", "x[d]"),
    "a range": ("range(k)", "len(d)"),
    "None": ("None", "d is None"),
    "a string": ("f'{k}'", "print(d)"),
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("shape", ["if", "else", "conditional"])
def test_what_is_made_beside_a_branch_that_raises(made: str, shape: str) -> None:
    value, use = MADE[made]
    guard = {
        "if": f"    if c:\n        d = {value}\n    else:\n        raise ValueError(k)\n",
        "else": f"    if not c:\n        raise ValueError(k)\n    else:\n        d = {value}\n",
        "conditional": f"    d = {value} if c else [][k]\n",
    }
    source = f"{PREAMBLE}import functools\ndef f(x, c, k):\n{guard[shape]}    return {use}\n"
    inputs = tuple(f"(np.array([1.0, 2.0]), np.bool_({c}), np.int64(1))" for c in (True, False))
    assert not judged(Case((made, shape, "", ""), source, inputs), -1).differences
