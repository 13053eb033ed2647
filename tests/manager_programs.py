"""Programs in which something fails inside of a `with` whose manager is a generator: pieces and crossings.

MANAGERS × WITHS × (FAILS × PLACES of `handler_programs.py`)
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import product

import handler_programs as programs

MANAGERS = {
    "finally": "print('begin', x)\ntry:\n    yield x\nfinally:\n    print('end', x)",
    "bare": "print('begin')\nyield\nprint('end')",
    "swallow": "try:\n    yield 2.0\nexcept KIND as e:\n    print('swallowed', type(e).__name__, e)",
    "other": "try:\n    yield x + 1.0\nexcept OSError:\n    print('never')",
    "rename": "try:\n    yield x\nexcept KIND as e:\n    raise RuntimeError('renamed', x) from e",
    "again": "try:\n    yield x\nexcept Exception as e:\n    print('again', e)\n    raise\n"
    "else:\n    print('fine')",
    "branch": "if x > 1:\n    try:\n        yield x\n    finally:\n        print('large')\n"
    "else:\n    yield 0.5\n"
    "    print('small')",
    "loop": "for i in range(3):\n    try:\n        yield float(i)\n        break\n"
    "    finally:\n        print('once')",
    "counts": "t = 0.0\nwhile t < x:\n    t += 1.0\ntry:\n    yield t\nfinally:\n    t += 1.0\n    print(t)",
    "with": "with Manager(x > 1):\n    yield x * 2.0\nprint('after')",
    "inner": "with inner(x) as z:\n    yield z\nprint('after')",
    "conditional": "try:\n    yield x\nexcept KIND:\n    if x < 1:\n        raise",
    "early": "if x < 0:\n    yield 7.0\n    return\ntry:\n    yield x\nexcept KIND:\n    pass",
}
"""The bodies of generator functions with one parameter `x`."""

WITHS = {
    "plain": "with made(x) as z:\n    @\n    s += z if z is not None else 0.0",
    "twice": "with made(x) as z, made(2.0 * x):\n    @\n    s += 0.25",
    "nested": "with made(x):\n    s += 1.0\n    with made(s) as z:\n        @\n    s += 0.5",
    "in_try": "try:\n    with made(x):\n        @\n    s += 0.5\n"
    "except Exception as e:\n    print('outer', e)\n"
    "    s = -1.0",
    "try_in": "with made(x):\n    try:\n        @\n    except KIND:\n        s += 7.0\n    s += 0.5",
    "in_for": "for r in range(2):\n    with made(x + r):\n        @\n    s += 0.5",
    "in_while": "r = 0.0\nwhile r < 4:\n    r += x if x > 1 else 1.0\n    with made(r) as z:\n        @\n"
    "        if s > 20:\n            break\n    s += 0.5",
    "return": "with made(x) as z:\n    @\n    return s, z, out",
    "return_in_both": "with made(x), made(3.0) as z:\n    @\n    if s > 1:\n        return s, z, out\n"
    "    s += 0.5",
    "continue": "for r in range(3):\n    with made(s) as z:\n        if r > x:\n            continue\n"
    "        @\n"
    "    s += 0.5",
    "in_if": "if x > 0:\n    with made(x):\n        @\nelse:\n    s = 3.0",
    "decorated": "@made(x)\ndef run(k):\n    nonlocal s, x\n    @\n    return s\nr = run(n)\n"
    "s += 0.0 if r is None else 1.0",
    "method": "h = Holder()\nwith h.made(x) as z:\n    @\ns += h.left",
}
"""The `with`; `@` is for the place."""

PRELUDE = (
    programs.PRELUDE
    + """

@contextlib.contextmanager
def inner(x):
    try:
        yield x + 1.0
    finally:
        print("inner", x)
"""
)


def crossings() -> Iterator[tuple[str, str, str, str]]:
    """Each pair of a manager and a `with`, and each pair of a manager and a failure."""
    fails, places = [*programs.FAILS], [*programs.PLACES]
    for number, (manager, around) in enumerate(product(MANAGERS, WITHS)):
        place = places[number * 3 % len(places)]
        if around == "decorated" and place == "callback":
            place = "straight"  # Its names are those of a function around it.
        yield manager, around, fails[number * 5 % len(fails)], place
    arounds = [one for one in WITHS if one != "decorated"]
    for number, (manager, fail) in enumerate(product(MANAGERS, fails)):
        yield manager, arounds[number * 5 % len(arounds)], fail, places[number * 7 % len(places)]


def program(name: str, manager: str, around: str, fail: str, place: str) -> str:
    """The text of a function, and of its manager."""
    kind, statements = programs.FAILS[fail]
    inside = programs.filled(programs.PLACES[place], "@", statements)
    text = programs.filled(WITHS[around], "@", inside)
    begin = "out = []\nitems = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]\ns = 0.0\n"
    body = begin + text + "\nreturn s, x, out"
    made = MANAGERS[manager]
    if around == "method":
        made = f"self.left += 1.0\n{made}\nself.left += 10.0"
        head = f"class Holder_{name}:\n    left = 0.0\n\n    @contextlib.contextmanager\n"
        head += "    def made(self, x):\n"
        head += textwrap.indent(made, "        ")
    else:
        head = f"@contextlib.contextmanager\ndef made_{name}(x):\n" + textwrap.indent(made, "    ")
    body = body.replace("Holder()", f"Holder_{name}()")
    if around != "method":
        body = body.replace("made(", f"made_{name}(")
    text = f"{head}\n\n\ndef {name}(x, a, n, bad):\n{textwrap.indent(body, '    ')}\n\n\n"
    return text.replace("KIND", kind)
