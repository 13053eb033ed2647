"""Random programs that make, keep, print and test strings of staged values, as text."""

from __future__ import annotations

from random import Random

LEAVES = (
    *(
        "str(n)",
        'f"{x:.2f}"',
        '"a1"',
        '""',
        "s",
        "t",
        "chr(97 + n % 26)",
        "bin(n)",
        'f"{n:>4}"',
        '"%05d" % n',
    ),
    *("str(x > 1)", "hex(n * n)", '"-"'),
)
IN_LOOPS = ("str(k)", "acc", 'f"{k}"', "c")
"""Strings, and those that there are in a loop."""

MADE = (
    *("({} + {})", '"{{}}-{{}}".format({}, {})', "{}.upper()", "{}[::-1]", "{}[1:3]", "({} * 2)", "repr({})"),
    *("({} if {test} else {})", '("%s:%d" % ({}, n))', '",".join([{}, {}])', '{}.replace("1", {})', "{}"),
    *(
        '{}.ljust(6, "*")',
        '{}.strip("0a")',
        '("x" * (n % 4) + {})',
        "{}.zfill(n)",
        '({} or "empty")',
        "same({})",
    ),
)
"""Strings that are made of others."""

TESTS = (
    *(
        "{} == {}",
        '"1" in {}',
        "len({}) > 3",
        '{}.startswith("1")',
        "x > 1",
        "n % 2 == 0",
        "not {}",
        's == "p"',
    ),
    *('t != "mid"', "isinstance({}, str)"),
)

STATEMENTS = (
    "    if {test}:\n        t = {}\n",
    "    for k in range(n % 5):\n        acc = {loop}\n        if {looptest}:\n            out.append(acc)\n",
    "    acc = ''\n    for k in range(n % 5):\n        acc += {loop}\n",
    "    for c in str(n):\n        if {looptest}:\n            out.append({loop})\n",
    "    print({}, {test})\n",
    "    found.append({})\n",
)


class _Filled:
    """Fills the fields of the texts above at random."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def text(self, depth: int, in_loop: bool) -> str:
        leaves = (*LEAVES, *IN_LOOPS) if in_loop else LEAVES
        if depth == 0:
            return self.random.choice(leaves)
        return self.filled(self.random.choice(MADE), depth - 1, in_loop)

    def test(self, depth: int, in_loop: bool) -> str:
        return self.filled(self.random.choice(TESTS), max(depth - 1, 0), in_loop)

    def filled(self, template: str, depth: int, in_loop: bool = False) -> str:
        texts = [self.text(depth, in_loop) for _ in range(template.count("{}"))]
        named = {
            "test": lambda: self.test(1, in_loop),
            "loop": lambda: self.text(depth, True),
            "looptest": lambda: self.test(0, True),
        }
        used = {name: make() for name, make in named.items() if f"{{{name}}}" in template}
        return template.format(*texts, **used)


def program_text(seed: int) -> str:
    """A module with a function ``f(x, n)``."""
    made = _Filled(seed)
    depth = made.random.choice((0, 1, 1, 2))
    body = "".join(
        made.filled(made.random.choice(STATEMENTS), depth) for _ in range(made.random.randint(1, 3))
    )
    return f"""
def same(value):
    return value


def f(x, n):
    s = "p" if x > 0 else "neg"
    t = "lo" if x < 0 else "mid" if x < 1 else "hi"
    acc, c, k, out, found = "", "z", 0, [], []
{body}    return {made.text(depth, False)}, s, t, acc, out, found, {made.test(1, False)}
"""
