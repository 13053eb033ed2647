"""Random programs with `match`: kinds of pattern x kinds of subject x places of the statement."""

from __future__ import annotations

import random
from textwrap import indent

HEAD = """import dataclasses
from collections import UserList

import numpy as np


class Limits:
    LOW = -1
    UNIT = 1.0


@dataclasses.dataclass
class Point:
    x: object
    y: object

    def moved(self, x, c, n):
{method}


class Polar:
    __match_args__ = ("r",)

    def __init__(self, r, angle):
        self.r = r
        self.angle = angle

    def __repr__(self):
        return f"Polar({{self.r}}, {{self.angle}})"


class Told:
    '''It tells who compares it, and with what.'''

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        print("==", other)
        return self.value == other

    def __repr__(self):
        return f"Told({{self.value}})"


def seen(n, value):
    print("guard", n)
    return value


"""

SUBJECTS = {
    "number": "n; n % 3; x; -x; c; 3; a[0]; a[n]; None; Limits; 'b'; n if c else None; x if c else n",
    "sequence": (
        "(x, n); [n, x]; (n, (x, 2)); [n, 0, x]; (); (c, n); x, n; []; UserList([n, x]); a; "
        "(n, x) if c else None; grown; (grown, n)"
    ),
    "object": (
        "Point(x, n); Point(n, 0); Point((n, x), None); Polar(x, n); Told(n); Told(1); "
        "Point(x, n) if c else None; Point(x, n) if c else Point(2.0, 1)"
    ),
    "mapping": "{'k': n, 'v': x}; {'v': x}; {'k': (n, x)}; {}",
}
PATTERNS = {
    "number": (
        "0; 1; 1 | 2; -1; 2.5; None; True; 'b'; Limits.LOW; Limits.UNIT; 1j; 0 | None; "
        "(1 | 2) as v; int(v); float(v); int() | float(); np.ndarray(); bool(); str(); tuple(); "
        "int(v) | float(v)"
    ),
    "sequence": (
        "[]; [v]; [v, w]; (v, *w); [*_, v]; [*v, 0]; [v, [w, 2]]; [0, _]; (_, 1 | 2); [1, *_, v]; "
        "(0, v) | (v, 0); [v, 0] | [0, v, _]; [int(v), _]; (_, _); [1 as v, w]; [[v, *_], w]; "
        "[(v, w), *_]"
    ),
    "object": (
        "Point(0, v); Point(x=v, y=w); Point(); Point(y=1 | 2); Point(1.5 as v, _); Polar(v); "
        "Point(_, 0); Polar(v, angle=2); Point((v, w), None); Point(v, w); Told(); None; 1"
    ),
    "mapping": (
        "{'k': 0}; {'k': v}; {'k': v, **w}; {}; {'k': 1 | 2, 'v': v}; {**v}; {'k': (0, v)}; {'z': v}"
    ),
}
GUARDS = ["n > 1", "c", "v > 1", "seen({0}, n > 0)", "(v := n) > 1", "v == w", "not c"]
LAST = ["_", "v", "v if n > 1", "None", "_ if c"]
BODIES = [
    *("r = {0}", "r = {0}\ns = n", "r = {0} + n", "r = x", "return {0}", "r += {0}"),
    "if c:\n    r = {0}",
    "match n:\n    case 0 | 1:\n        r = {0}\n    case m if m > 2:\n        r = m",
]
OF_LOOPS = ["break", "continue", "r += {0}\nif c:\n    break", "r += i"]
WITH_V = ["r = v", "r = {0} + v", "return v", "r = (v, {0})"]
PLACES = {
    "function": "{match}\nreturn r",
    "loop": "for i in range(n + 1):\n{inner}\n    r += 1\nreturn r",
    "while": "i = 0\nwhile i < n:\n    i += 1\n{inner}\nelse:\n    r += 100\nreturn r",
    "plain_loop": "for i in (1, 2):\n{inner}\n    r += i\nreturn r",
    "callee": "def inner(v):\n{callee}\n    return r\nreturn inner({subject})",
    "try": "try:\n{inner}\nfinally:\n    print('left')\nreturn r",
    "read_after": "v = 7\n{match}\nreturn r, v",
    "method": "{match}\nreturn r",
}


def statement(draws: random.Random, place: str) -> tuple[str, str]:
    """A `match`, and its subject."""
    group = draws.choice(list(SUBJECTS))
    subject = draws.choice(SUBJECTS[group].split("; "))
    patterns = []
    for _ in range(draws.randint(1, 4)):
        of = group if draws.random() < 0.8 else draws.choice(list(PATTERNS))
        patterns.append(draws.choice(PATTERNS[of].split("; ")))
    cases = []
    for number, pattern in enumerate(patterns, 1):
        binds = any(f"{around}v" in pattern.replace("'v'", "") for around in "( [*=") or "as v" in pattern
        guards = [one for one in GUARDS if (binds and ("w" in pattern or one != "v == w")) or "v" not in one]
        guard = f" if {draws.choice(guards).format(number)}" if draws.random() < 0.3 else ""
        bodies = BODIES + (WITH_V if binds else []) + (OF_LOOPS if "oop" in place or place == "while" else [])
        cases.append((pattern + guard, draws.choice(bodies).format(number)))
    if draws.random() < 0.5:
        cases.append((draws.choice(LAST), draws.choice(BODIES).format(9)))
    text = f"match {'v' if place == 'callee' else subject}:\n"
    text += "".join(f"    case {case}:\n{indent(body, ' ' * 8)}\n" for case, body in cases)
    return text.rstrip(), subject


def program(number: int, draws: random.Random, place: str) -> str:
    """The text of a function `f<number>(x, c, n)`."""
    match, subject = statement(draws, place)
    inner = indent(match, "    ")
    callee = indent("r = 0\n" + match, "    ")
    body = "r = 0\na = np.array([x, 2.5, 1.0])\n"
    if "grown" in subject:
        body += "grown = []\nfor j in range(n):\n    grown.append(j)\n"
    body += PLACES[place].format(match=match, inner=inner, callee=callee, subject=subject)
    return f"def f{number}(x, c, n):\n{indent(body, '    ')}\n\n\n"


def module_text(seed: int, place: str, count: int) -> str:
    """A module of such functions; in the place `method`, they call a method of a dataclass."""
    draws = random.Random(f"{place} {seed}")
    functions = [program(number, draws, place) for number in range(count)]
    if place != "method":
        return HEAD.format(method=" " * 8 + "return x") + "".join(functions)
    methods = "".join(
        indent(f"    {one}".replace("(x, c, n)", "(self, x, c, n)", 1), "    ") for one in functions
    )
    calls = "".join(
        f"def f{number}(x, c, n):\n    return Point(n, x).f{number}(x, c, n)\n\n\n" for number in range(count)
    )
    methods = methods.replace("        def f", "    def f").replace("match n", "match self.x")
    return HEAD.format(method=f"        return x\n\n{methods}") + calls
