"""Programs that ask dicts of the caller for keys of the run: the dicts, where they are, and what is done."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
from generated_programs import module_of
from test_grown_tuples import told

DICTS = {
    "an empty one": dict,
    "of ints": lambda: {3: 9, 1: 1},
    "of floats": lambda: {3.0: 9, 1.0: 1},
    "of floats as values": lambda: {3: 9.5, 1: 1.5, 0: 2.5},
    "of NumPy's numbers": lambda: {np.int64(2): np.float64(1.5), np.int64(0): np.float64(2.5)},
    "of bools": lambda: {True: 1, False: 2},
    "of bools as values": lambda: {0: True, 2: False},
    "of keys of two types": lambda: {1: 2, 2.5: 3},
    "of values of two types": lambda: {1: 2, 2: 2.5},
    "of strings": lambda: {"a": 1},
    "of pairs": lambda: {(0, 1): 5, (1, 2): 6},
    "of pairs as values": lambda: {0: (1, 2.0), 1: (3, 4.0)},
    "of lists as values": lambda: {0: [1], 1: [2]},
    "of None": lambda: {0: None},
    "of a wide int": lambda: {2**70: 1},
    "of a nan": lambda: {float("nan"): 1},
    "of arrays": lambda: {0: np.array([1.0, 2.0])},
    "of many": lambda: {k: k * k for k in range(40)},
    "that is ordered": lambda: OrderedDict([(3, 9), (1, 1)]),
    "with a default": lambda: defaultdict(int, {2: 5}),
    "with a default, empty": lambda: defaultdict(float),
    "with lists as default": lambda: defaultdict(list),
    "that counts": lambda: Counter([1, 1, 2]),
    "that counts nothing": Counter,
}

USES = r"""for k in range(n): d[k] = d.get(k, 0) + 1
for k in range(n):\n    if k not in d: d[k] = k * 3\nreturn d
for k in range(n): d.setdefault(k, 7)\nreturn len(d)
for k in range(n):\n    if k in d: del d[k]
for k in range(n): d[k % 2] += 1
for k in range(n):\n    d[k] = k\n    if k == 2: raise ValueError(k)
for k in range(n): d.pop(k, None)\nd[1] = 5
for k in range(n): d[k, k + 1] = k
for v in x: d[v] = d.get(v, 0) + 1
for k in range(n): d[k] = 1.5
s = 0\nfor k in range(n): s = s + d.get(k, 0)\nreturn s
return d[n - 1], n in d
d[n] = 1\nreturn list(d), list(d.values()), list(d.items()), sorted(d)
d[n] = 1\ns = 0\nfor k, v in d.items(): s = s + v\nreturn s
d[n] = 1\ne = dict(d)\ne[5] = 2\nreturn e
e = d\nfor k in range(n): e[k] = k\nreturn d is e, e
if n > 3: d[n] = 1\nelse: d.clear()\nreturn d
d[n] = 1\nd.clear()
d[n] = 1\nprint(d)
d[n] = 1\nreturn [d, d], {'d': d}
d[n] = 1\nd['x'] = 2
d[n] = 1\nd[2.5] = 1
d[n] = 1\nd[7] = 'a'
d[n] = 1\nreturn d == {3: 1}, bool(d), {**d}
d[n] = x\nreturn d[n]
d[n] = [1]
def go(k):\n    if k not in d: d[k] = go(k - 1) + 1 if k > 0 else 0\n    return d[k]\nreturn go(n)
d.update({k: 1 for k in range(n)})
d[n] = d.pop(1, 0)\nreturn max(d), sum(d.values())
d[n] = 1\ndel d[n]\nreturn d
for k in range(n): d[float(k)] = 1
for k in range(n): d.pop(k, 0); d[k] = 1
for k in range(n): d.pop(k, 0); d[float(k)] = 1""".split("\n")

_PLACES = {
    "an argument": "def program(d, x, n):\n{body}",
    "an attribute": "def program(o, x, n):\n    d = o.d\n{body}",
    "an attribute, by its name": "def program(o, x, n):\n{body_of_attribute}",
    "in a list, twice": "def program(o, x, n):\n    d = o[0]\n{body}",
    "in a dict": "def program(o, x, n):\n    d = o['d']\n{body}",
    "a global": "def program(x, n):\n{body}",
    "of a closure": "def around(d):\n    def program(x, n):\n{deep_body}\n    return program",
    "two arguments": "def program(d, e, x, n):\n    e[int(n) + 9] = 3\n{body}",
    "an argument of a callee": "def inner(d, x, n):\n{body}\ndef program(d, x, n): return inner(d, x, n)",
}

PLACES = tuple(_PLACES)


class Holder:
    """An object with a dict."""


def text(place: str, use: str) -> str:
    """The text of a program that uses a dict at a place."""
    body = use.replace("\\n", "\n")
    return _PLACES[place].format(
        body=_indented(body, 4),
        deep_body=_indented(body, 8),
        body_of_attribute=_indented(re.sub(r"\bd\b(?!['])", "o.d", body), 4),
    )


def _indented(body: str, count: int) -> str:
    return "\n".join(" " * count + line for line in body.split("\n"))


def arguments(place: str, d: object) -> tuple[object, ...]:
    """What a program at a place gets beside `x` and `n`."""
    if place.startswith("an attribute"):
        holder = Holder()
        holder.d = d  # type: ignore[attr-defined]
        return (holder,)
    found: dict[str, tuple[object, ...]] = {
        "in a list, twice": ([d, d],),
        "in a dict": ({"d": d, "e": 1},),
        "a global": (),
        "of a closure": (),
        "two arguments": (d, d),
    }
    return found.get(place, (d,))


CALLS = [
    (np.array([1.0, 2.0, 1.0]), np.int64(3)),
    (np.array([5.0, 0.0, 5.0, 7.0]), np.int64(5)),
    (np.array([5.0, 0.0]), np.int64(4)),
]
"""The third has a new dict or set where that is an argument."""


def outcomes_of(
    make: Callable[[], Any],
    program: tuple[str, str],
    folder: Any,
    *,
    is_staged: bool,
    contents: Callable[[Any], list[Any]],
    shown: Callable[[Any], Any],
) -> list[Any]:
    """What three calls give, raise and print, and what is in the dict or set afterwards.

    Args:
        make: Makes the dict or set.
        program: The place where it is, and its use.
        folder: A folder for the program.
        is_staged: Whether the program is staged.
        contents: What is in the dict or set, in order.
        shown: What of a result is compared.

    Returns:
        One entry for each call; ``refused`` is the last.
    """
    place, use = program
    module = module_of(text(place, use), folder, f"caller_table_{is_staged:d}")
    d, found = make(), []
    module.d = d
    function = module.around(d) if place == "of a closure" else module.program
    called = ag.function(function) if is_staged else function
    for number, (x, n) in enumerate(CALLS):
        if number == 2 and "argument" in place:
            d = make()
        before, printed = told(contents(d)), io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = called(*arguments(place, d), x.copy(), n)
            what: Any = shown(result), result is d
        except ag.AutographError as error:
            assert error.location is not None, error
            assert told(contents(d)) == before, "a call that is refused writes nothing"
            return [*found, "refused"]
        except Exception as error:
            what = type(error), str(error)
        found.append((what, type(d), told(contents(d)), printed.getvalue()))
    return found
