"""Programs in which something fails while the graph runs, and a handler takes it: pieces and crossings.

FAILS × PLACES × HANDLERS × TRIES     every pair of a failure and a place, and of a handler and a `try`
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import product

PRELUDE = """
import collections
import contextlib
import heapq
import math

import numpy as np

TABLE = {0: 1.0, 1: 2.0, 2: 4.0, 3: 8.0, 4: 1.5}


class Custom(ValueError):
    def __init__(self, x, k):
        super().__init__(f"custom {x:.2f} {k}")
        self.x = x
        self.k = k


class Manager:
    def __init__(self, swallows):
        self.swallows = swallows
        self.left = 0

    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, kind, error, traceback):
        print("exit", error)
        self.left += 1
        return error is not None and self.swallows


def helper(x, k, bad):
    y = x * 2.0
    if k == bad:
        raise ValueError(f"help {k}")
    return y


def deep(x, k, bad):
    t = 0.0
    for i in range(2):
        t += helper(x, k + i, bad)
        print("deep", t)
    return t
"""

FAILS = {
    "raise": ("ValueError", "if k == bad:\n    raise ValueError('v', x)"),
    "custom": ("Custom", "if k == bad:\n    raise Custom(x, k)"),
    "divide": ("ZeroDivisionError", "x += 1.0 / int(k - bad)"),
    "floor": ("ZeroDivisionError", "x += 1 // int(k - bad)"),
    "array": ("IndexError", "x += a[k + (10 if k == bad else 0)]"),
    "list": ("IndexError", "x += items[k + (10 if k == bad else 0)]"),
    "dict": ("KeyError", "x += TABLE[k + (10 if k == bad else 0)]"),
    "assert": ("AssertionError", "assert k != bad, x"),
    "sqrt": ("ValueError", "x += math.sqrt(-1.0 if k == bad else 4.0)"),
    "cholesky": ("np.linalg.LinAlgError", "x += np.linalg.cholesky(np.eye(2) * (k != bad))[0, 0]"),
    "callee": ("ValueError", "x += helper(x, k, bad)"),
    "loop_in_callee": ("ValueError", "x += deep(x, k, bad)"),
}
"""The exception's class, and statements that raise where `k` is `bad`."""

PLACES = {
    "straight": "k = n\ns += 1.0\n@\ns += x",
    "if": "k = n\nif x > 0:\n    s += 2.0\n    @\n    s *= 3.0\nelse:\n    s -= 1.0\ns += x",
    "while": "k = 0\nwhile k < n:\n    s += k\n    @\n    k += 1\n    print('it', k, s)\ns += 100.0",
    "for": "for k in range(n):\n    s += k\n    @\n    a[k] += 1.0\ns += 100.0",
    "plain": "for k in range(3):\n    s += k\n    @\n    out.append(s)\ns += 100.0",
    "items": "k = 0\nfor v in a:\n    s += v\n    @\n    k += 1\nelse:\n    s += 50.0",
    "nested": "for j in range(n):\n    for k in range(j):\n        s += k\n        @\n        out.append(x)\n"
    "    s += 0.5",
    "continue": "for k in range(n):\n    if k != 1:\n        @\n        s += 1.0\n    else:\n"
    "        continue\n    s += 0.25",
    "endless": "k = 0\nwhile True:\n    @\n    s += 1.0\n    k += 1\n    if s > 4:\n        break",
    "callback": "def inner(k):\n    nonlocal s, x\n    s += 0.5\n    @\n    return s\nfor k in range(n):\n"
    "    x += inner(k)",
}
"""Where they stand; `@` is for them."""

HANDLERS = {
    "pass": "pass",
    "assign": "s = -1.0",
    "read": "s = s * 2.0 + 7.0",
    "return": "return s, -5.0, out",
    "print": "print('caught', type(e).__name__, s)",
    "text": "print(e, f'{e}', s, e.args)",
    "again": "print('again')\nraise",
    "from": "raise RuntimeError('other', s) from e",
    "nested": "try:\n    s += 1.0 / (s - s)\nexcept ZeroDivisionError:\n    s = 9.0",
    "write": "a[0] = 77.0\nout.append(s)",
}

TRIES = {
    "plain": "try:\n    @\nexcept KIND as e:\n    #\ns += 0.125",
    "else": "try:\n    @\nexcept KIND as e:\n    #\nelse:\n    s += 1000.0",
    "finally": "try:\n    @\nexcept KIND as e:\n    #\nfinally:\n    print('fin', s)",
    "second": "try:\n    @\nexcept OSError:\n    s = 5.0\nexcept (TypeError, KIND) as e:\n    #",
    "outer": "try:\n    try:\n        @\n    except OSError:\n        s = 5.0\n    s += 0.5\n"
    "except KIND as e:\n    #",
    "inner": "try:\n    try:\n        @\n    except KIND as e:\n        #\n    s += 0.5\n"
    "except Exception as e2:\n    s -= 3.0\n    print('outer', e2, repr(e2.__cause__))",
    "in_for": "for r in range(2):\n    try:\n        @\n    except KIND as e:\n        #\n    s += 0.5",
    "break": "r = 0.0\nwhile r < 3:\n    r += x if x > 1 else 1.0\n    try:\n        @\n"
    "    except KIND as e:\n        #\n        break\n    s += 0.5",
    "bare": "try:\n    @\nexcept:\n    s = s - 1.0",
    "only_finally": "try:\n    @\nfinally:\n    print('fin', s)\n    a[1] = 55.0",
    "manager": "m = Manager(True)\nwith m:\n    @\ns += m.left",
    "passing": "try:\n    with Manager(False) as m, contextlib.suppress(OSError):\n        @\n"
    "except KIND as e:\n    #",
    "suppress": "with contextlib.suppress(OSError, KIND):\n    @\n    s += 0.5",
}
"""The `try`; `@` is for the place, `#` for the handler."""


def crossings() -> Iterator[tuple[str, str, str, str]]:
    """Each pair of a failure and a place, and each pair of a handler and a `try`."""
    handlers = [*product(HANDLERS, TRIES)]
    for number, (fail, place) in enumerate(product(FAILS, PLACES)):
        handler, around = handlers[number * 7 % len(handlers)]
        yield fail, place, handler, around
    fails, places = [*FAILS], [*PLACES]
    for number, (handler, around) in enumerate(handlers):
        if around in ("bare", "only_finally", "manager", "suppress") and handler != "pass":
            continue  # They have no handler to vary.
        yield fails[number * 5 % len(fails)], places[number * 3 % len(places)], handler, around


def nested_program(name: str, number: int) -> str:
    """The text of a function in which one `try` is in another, which may take what the inner one raises."""
    fails, places, handlers = [*FAILS], [*PLACES], [*HANDLERS]
    around, inner = NESTED[number]
    kind, statements = FAILS[fails[number * 5 % len(fails)]]
    other, others = FAILS[fails[(number * 7 + 1) % len(fails)]]
    place = filled(PLACES[places[number * 3 % len(places)]], "@", statements)
    place += "\n" + filled(PLACES["if" if number % 2 else "straight"], "@", others)
    text = filled(TRIES[inner], "@", place).replace("as e:", "as e0:").replace("m.left", "m0.left")
    text = text.replace("m = ", "m0 = ").replace("with m:", "with m0:").replace("for r in", "for r0 in")
    handler = "print(e0, s)" if number % 3 else "print(s)\nraise"
    text = filled(text, "#", handler).replace("KIND", kind)
    text = filled(TRIES[around], "@", text)
    text = filled(text, "#", HANDLERS[handlers[number % len(handlers)]]).replace("KIND", other)
    begin = "out = []\nitems = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]\ns = 0.0\n"
    return f"def {name}(x, a, n, bad):\n{textwrap.indent(begin + text, '    ')}\n    return s, x, out\n\n\n"


NESTED = [
    *product(
        ("inner", "finally", "in_for", "passing", "else"),
        ("plain", "else", "finally", "in_for", "manager", "suppress"),
    )
]
"""A `try`, and one in it."""


def program(name: str, fail: str, place: str, handler: str, around: str) -> str:
    """The text of a function."""
    kind, statements = FAILS[fail]
    text = filled(TRIES[around], "@", filled(PLACES[place], "@", statements))
    text = filled(text, "#", HANDLERS[handler]).replace("KIND", kind)
    begin = "out = []\nitems = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]\ns = 0.0\n"
    return f"def {name}(x, a, n, bad):\n{textwrap.indent(begin + text, '    ')}\n    return s, x, out\n\n\n"


def filled(text: str, mark: str, inside: str) -> str:
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines.append(textwrap.indent(inside, indent) if line.strip() == mark else line)
    return "\n".join(lines)


OPERATIONS = {
    "l[i] = 5.0; y = l[0]": (0, 3, -4),
    "del l[i]; y = l[0]": (0, 3),
    "y = l.pop(i)": (0, 3, -4),
    "l.remove(float(i)); y = l[0]": (1, 7),
    "y = l.index(float(i))": (1, 7),
    "y = ll[i][0]": (0, 5),
    "y = ll[0][i]": (0, 5),
    "ll[i].append(4.0); y = ll[i][-1]": (0, 5),
    "y = int(float(i) * z)": (0, 3),
    "y = math.exp(1000.0 * i)": (0, 3),
    "y = math.log(float(i))": (1, 0, -1),
    "y = math.acos(float(i))": (1, 3),
    "y = math.pow(0.0, float(i))": (1, -1),
    "y = float(i) ** -1.0": (1, 0),
    "y = 1 << i": (1, -1),
    "y = 5 % i": (1, 0),
    "y = divmod(7.5, float(i))[1]": (2, 0),
    "y = round(float(i) * z)": (0, 2),
    "y = math.sqrt(i)": (4, -1),
    "y = a[i]": (0, 3, -4),
    "y = a[i : i + 2].sum()": (0, 3, -4),
    "y = m[i, 0]": (0, 3, -4),
    "y = m[0, i]": (0, 3, -4),
    "m[i, 1] += 2.0; y = m.sum()": (0, 3, -4),
    "y = a[np.array([0, 1]) + i].sum()": (0, 3, -4),
    "a[np.array([0, 1]) + i] = 4.0; y = a.sum()": (0, 3, -4),
    "y = np.take(a, i)": (0, 3),
    "y = TABLE[i]": (0, 9),
    "y = (1.0, 2.0)[i]": (0, 9),
    "y = range(3)[i]": (0, 9),
    "y = next(v for v in l if v > i)": (0, 9),
    "y = max(l[i:])": (0, 3),
    "p, q = l[i:]; y = p": (1, 0),
    "y = np.linalg.inv(np.eye(3) * i)[0, 0]": (1, 0),
    "y = np.linalg.solve(np.eye(3) * i, a)[0]": (1, 0),
    "y = complex(1, 0) / i": (2, 0),
    "y = np.average(a, weights=np.zeros(3) + i)": (1, 0),
    "for k in range(i): w = k\n    y = w": (1, 0),
    "h = [float(i)]; h.pop(); y = heapq.heappop(h)": (1,),
}
"""Statements that fail for some `i`."""


def operation(name: str, statements: str, kinds: str) -> str:
    """The text of a function that tries such statements."""
    return f"""def {name}(i, a, m, z):
    i = int(i)
    l = [1.0, 2.0, 3.0]
    ll = [[1.0], [2.0, 3.0]]
    try:
        {statements.replace(chr(10), chr(10) + "    ")}
    except {kinds} as e:
        print(type(e).__name__, e)
        return -1.0, l, a.sum()
    return y, l, a.sum()


"""
