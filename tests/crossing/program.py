"""The programs: a value is made, put away and taken back, and used.

def f(x, y, c, k, n):
    v = y                 # a way to make a value: one of two, by a staged test
    if c:
        v = x
    o = Box(v)            # a place to put it
    w = o.value
    return w + 1          # a consumer
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from crossing.kinds import KINDS, Kind
from crossing.numpy_calls import numpy_calls

PREAMBLE = """\
from dataclasses import dataclass
from typing import NamedTuple
import math
import numpy as np
import autograph as ag


class Pair(NamedTuple):
    first: float
    second: int


@dataclass
class Box:
    value: object


class Plain:
    def __init__(self, value):
        self.value = value


def same(value):
    return value


def pick(x, y, c):
    if c:
        return x
    return y


def walk(x, y, n):
    if n <= 0:
        return x
    if n > 90:
        return y
    return walk(x, y, n - 1)


def last(items):
    found = None
    for item in items:
        found = item
    return found


"""

MAKERS = {
    "argument": "v = x",
    "branch": "v = y\nif c:\n    v = x",
    "branch of a literal": "v = {literal}\nif c:\n    v = x",
    "both branches": "if c:\n    v = x\nelse:\n    v = {literal}",
    "may be unbound": "if c:\n    v = x\nelif n > 0:\n    v = y",
    "may be none": "v = None\nif c:\n    v = x",
    "conditional": "v = x if c else y",
    "or": "v = x or {literal}",
    "and": "v = x and y",
    "for": "v = y\nfor i in range(n):\n    v = x",
    "for of a literal": "v = {literal}\nfor i in range(n):\n    v = x",
    "while": "v, i = x, 0\nwhile i < n:\n    v = y\n    i += 1",
    "swapped": "v, u = x, y\nfor i in range(n):\n    v, u = u, v",
    "early exit": "v = y\nfor i in range(n):\n    if i >= k:\n        v = x\n        break",
    "list item": "xs = [x, y]\nv = xs[k]",
    "tuple item": "v = (y, x)[k]",
    "grown list": "xs = [y]\nfor i in range(n):\n    xs.append(x)\nv = xs[-1]",
    "popped": "xs = [x]\nfor i in range(n):\n    xs.append(y)\nv = xs.pop()",
    "dict item": "d = {{'a': y}}\nif c:\n    d['a'] = x\nv = d['a']",
    "attribute": "o = Box(y)\nif c:\n    o.value = x\nv = o.value",
    "plain attribute": "o = Plain(y)\nfor i in range(n):\n    o.value = x\nv = o.value",
    "closure": "def g():\n    return x if c else y\nv = g()",
    "nonlocal": "v = y\ndef g():\n    nonlocal v\n    v = x\nif c:\n    g()",
    "callee": "v = pick(x, y, c)",
    "recursion": "v = walk(x, y, n)",
    "comprehension": "v = [x for i in range(6)][k]",
    "staged comprehension": "v = ([x for i in range(n)] + [y])[0]",
    "walrus": "i = 0\nwhile (v := x) is not None and i < n:\n    i += 1",
}
"""Ways to make a value `v` of the arguments."""

PLACES = {
    "variable": "w = v",
    "tuple": "w = (v, 1)[0]",
    "unpacked": "w, _ = v, k",
    "list": "xs = [v, v]\nw = xs[k]",
    "grown list": "zs = []\nfor i in range(n + 1):\n    zs.append(v)\nw = zs[n]",
    "list of tuples": "zs = []\nfor i in range(n + 1):\n    zs.append((v, i))\nw = zs[0][0]",
    "list of lists": "zs = []\nfor i in range(n + 1):\n    zs.append([v])\nw = zs[n][0]",
    "list of objects": "zs = []\nfor i in range(n + 1):\n    zs.append(Box(v))\nw = zs[n].value",
    "list of dicts": "zs = []\nfor i in range(n + 1):\n    zs.append({'a': v})\nw = zs[n]['a']",
    "dict": "w = {'a': v, 'b': 1}['a']",
    "object": "o = Plain(None)\no.value = v\nw = o.value",
    "carried": "w = v\nfor i in range(n):\n    w, v = v, w",
    "callee": "w = same(v)",
    "lambda": "w = (lambda q: q)(v)",
    "last of": "w = last([v, v])",
}
"""Places to put the value `v`, from where it comes back as `w`."""

CONSUMERS = {
    "return": "return w",
    "return twice": "return w, w, [w, (w, {'a': w})]",
    "print": "print(w, [w], k)\nreturn None",
    "format": "print(f'{w} {w!r:>9}', k)\nreturn 0",
    "add": "return w + 1",
    "add float": "return w + 0.5",
    "radd": "return 1 + w",
    "sub self": "return w - w",
    "mul": "return w * 2",
    "mul scalar": "return np.float64(1.5) * w",
    "div": "return w / 2",
    "rdiv": "return 10 / w",
    "floordiv": "return w // 2",
    "mod": "return w % 3",
    "pow": "return w ** 2",
    "neg": "return -w",
    "in place": "w += 1\nreturn w",
    "and bits": "return w & 1",
    "shift": "return 1 << w",
    "less": "return w < 2",
    "less than argument": "return w < y",
    "equal": "return w == x, w != y",
    "is none": "return w is None, w is not None",
    "is": "return w is x",
    "truth": "if w:\n    return 1\nreturn 2",
    "not": "return not w",
    "while test": "r = 0\nwhile w and r < 3:\n    r += 1\nreturn r",
    "isinstance": "return isinstance(w, int), isinstance(w, float), isinstance(w, (list, tuple))",
    "branch on class": "if isinstance(w, float):\n    return w\nreturn 5",
    "int": "return int(w)",
    "float": "return float(w)",
    "bool": "return bool(w)",
    "str": "print(str(w))\nreturn k",
    "abs": "return abs(w)",
    "round": "return round(w)",
    "divmod": "return divmod(w, 2)",
    "len": "return len(w)",
    "sum": "return sum(w)",
    "sum of two": "return sum([w, w])",
    "max": "return max(w, 2)",
    "min": "return min(y, w)",
    "max of": "return max(w)",
    "sorted": "return sorted(w)",
    "sorted of two": "return sorted([w, 1])",
    "any": "return any(w), all(w)",
    "range": "r = 0\nfor i in range(w):\n    r += i\nreturn r",
    "index": "return [10, 20, 30, 40][w]",
    "array index": "return np.arange(10)[w]",
    "slice": "return np.arange(10.0)[:w]",
    "item": "return w[0]",
    "item at": "return w[k]",
    "last item": "return w[-1]",
    "slice of": "return w[1:]",
    "write item": "w[0] = 7\nreturn w",
    "write at": "w[k] = 1.5\nreturn w, x",
    "update item": "w[0] += 1\nreturn w, y",
    "write into": "a = np.zeros(3)\na[1] = w\nreturn a",
    "write into ints": "a = np.zeros(3, np.int32)\na[k] = w\nreturn a",
    "iterate": "r = 0\nfor e in w:\n    r = r + e\nreturn r",
    "enumerate": "r = 0\nfor i, e in enumerate(w):\n    r = r + i\nreturn r",
    "zip": "return [a for a, b in zip(w, w)]",
    "unpack": "a, b = w\nreturn b, a",
    "list": "return list(w)",
    "tuple": "return tuple(w)",
    "in": "return 2 in [w, k], w in (1, 2)",
    "contains": "return 1.5 in w",
    "append": "w.append(1.0)\nreturn w, x",
    "attribute": "return w.value",
    "write attribute": "w.value = 3\nreturn w, x",
    "dict key": "return w['a']",
    "write key": "w['a'] = 3\nreturn w, x",
    "raise": "if c:\n    raise ValueError(w, 'no')\nreturn w",
    "assert": "assert w, 'nothing'\nreturn 1",
    "star": "return (lambda *q: q)(*w)",
    "math": "return math.sqrt(w)",
    "shape": "return w.shape, w.ndim, w.size",
    "dtype": "return w.dtype",
    "sum method": "return w.sum()",
    "astype": "return w.astype(np.float32)",
    "transpose": "return w.T",
    "copy": "r = w.copy()\nr[0] = 5\nreturn r, w",
    "fill": "w.fill(3)\nreturn w, x",
    "grad": "return ag.grad(lambda q: (q * q if c else q))(w)",
    "vmap": "return ag.vmap(lambda q: q * 2)(np.stack([w, w]))",
}
"""Uses of the value `w`."""

_NUMPY = """\
np.array([w, w])|np.stack([w, w])|np.concatenate([w, w])|np.add(w, 1)|np.maximum(w, 1)|np.where(c, w, 0)
np.full(2, w)|np.clip(w, 0, 1)|np.float32(w)|np.int64(w)|np.reshape(w, -1)|np.isin(w, 1)|np.append(w, 1)
np.floor_divide(w, 2)|np.linspace(0, w, 3)|np.power(w, 2)|np.add(w, 1, out=np.zeros(3))|np.allclose(w, 1)
np.tile(w, 2)|np.repeat(w, 2)|np.vstack([w, w])|np.broadcast_to(w, (2, 3))"""
_CALLS = [*(call for line in _NUMPY.splitlines() for call in line.split("|")), *numpy_calls()]
CONSUMERS.update({call: f"return {call}" for call in _CALLS})

_MAYBE = "m = None\nif c:\n    m = k\n"
_ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>")
for _sign in (*_ARITHMETIC, "<", "<=", ">", ">=", "==", "!="):
    CONSUMERS[f"w {_sign} y"] = f"return w {_sign} y"
    CONSUMERS[f"k {_sign} w"] = f"return k {_sign} w"
    CONSUMERS[f"maybe {_sign} w"] = f"{_MAYBE}return m {_sign} w"
    CONSUMERS[f"w {_sign} pair"] = f"return w {_sign} (k, c)"
for _sign in _ARITHMETIC:
    for _name, _other in (("y", "y"), ("k", "k"), ("maybe", "m"), ("pair", "(k, c)"), ("two", "2")):
        _first = _MAYBE if _other == "m" else ""
        CONSUMERS[f"w {_sign}= {_name}"] = f"{_first}seen = w\nw {_sign}= {_other}\nreturn w, seen, x"
    CONSUMERS[f"k {_sign}= w"] = f"k {_sign}= w\nreturn k, w"
    CONSUMERS[f"y {_sign}= w"] = f"seen = y\ny {_sign}= w\nreturn y, seen, w"

_BESIDE = {
    "a list": "[k, 2.0]",
    "an array": "np.array([1.0, 2.0])",
    "a staged array": "np.array([1, k])",
    "a matrix": "np.full((2, 3), k)",
    "a scalar": "np.float32(k)",
    "a complex number": "(1j * k)",
    "a tuple": "(k, 2.0)",
    "a dict": "{'a': k}",
    "a set": "{1.0, 2}",
    "a string": "'ab'",
    "an object": "Box(k)",
    "a range": "range(2)",
}
"""What stands beside the value in an operator, and takes it in place."""

for _name, _other in _BESIDE.items():
    for _sign in (*_ARITHMETIC, "<", "==", "!=", "in"):
        CONSUMERS[f"w {_sign} {_name}"] = f"return w {_sign} {_other}"
        CONSUMERS[f"{_name} {_sign} w"] = f"return {_other} {_sign} w"
    for _sign in _ARITHMETIC:
        CONSUMERS[f"w {_sign}= {_name}"] = f"seen = w\nw {_sign}= {_other}\nreturn w, seen, x"
        CONSUMERS[f"{_name} {_sign}= w"] = f"seen = r = {_other}\nr {_sign}= w\nreturn r, seen, w"
        CONSUMERS[f"{_name} {_sign}= w as an item"] = (
            f"r = [{_other}]\nseen = r[0]\nr[0] {_sign}= w\nreturn r, seen"
        )

_METHODS = {
    "[k, 2.0]": """append(w) extend(w) insert(0,w) insert(w,3) pop(w) remove(w) index(w) count(w)
        __setitem__(0,w) __setitem__(w,5)""",
    "{'a': k, 1: 2.0}": """update(w) get(w) get('a',w) get('b',w) pop(w) pop('b',w) setdefault('b',w)
        setdefault(w,1) fromkeys(w)""",
    "{1.0, 2}": "add(w) update(w) union(w) discard(w) remove(w) isdisjoint(w) issubset(w) intersection(w)",
    "'ab'": "join(w) startswith(w) count(w) format(w) replace('a',w) center(w) split(w)",
    "(k, 2.0)": "index(w) count(w)",
    "np.array([1.0, 2.0])": """fill(w) put(0,w) put(w,5.0) dot(w) take(w) item(w) repeat(w) clip(0,w)
        searchsorted(w)""",
    "Box(k)": "__setattr__('value',w) __eq__(w)",
}
"""Methods that take the value."""

for _owner, _calls in _METHODS.items():
    for _call in _calls.split():
        CONSUMERS[f"{_owner}.{_call}"] = f"r = {_owner}\ns = r.{_call}\nreturn r, s, w"
for _target in ("r[0]", "r[k]", "r[:1]", "r[k:]", "r[:]"):
    CONSUMERS[f"{_target} = w"] = f"r = [k, 2.0]\n{_target} = w\nreturn r, w"
    CONSUMERS[f"{_target} += w"] = f"r = [[k], [2.0]]\nseen = r[0]\n{_target} += w\nreturn r, seen, w"
    CONSUMERS[f"{_target} = w of an array"] = f"r = np.array([1.0, 2.0])\n{_target} = w\nreturn r, w"


@dataclass(frozen=True)
class Case:
    """A program of the crossing.

    Attributes:
        name: Kind, maker, place and consumer.
        source: Its text; the function is `f`.
        inputs: Expressions for the arguments of the calls, one after the other, of one function object.
    """

    name: tuple[str, str, str, str]
    source: str
    inputs: tuple[str, ...]


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def case_of(kind: Kind, maker: str, place: str, consumer: str) -> Case:
    """One program."""
    made = MAKERS[maker].format(literal=kind.literal)
    body = "\n".join((made, PLACES[place], CONSUMERS[consumer]))
    source = f"{PREAMBLE}def f(x, y, c, k, n):\n{_indented(body)}"
    inputs = (
        f"({kind.x}, {kind.y}, np.bool_(False), np.int64(0), np.int64(0))",
        f"({kind.x}, {kind.y}, np.bool_(True), np.int64(1), np.int64(6))",
        f"({kind.other}, {kind.y}, np.bool_(True), np.int64(0), np.int64(1))",
    )
    return Case((kind.name, maker, place, consumer), source, inputs)


def count() -> int:
    """How many cases there are."""
    return len(KINDS) * len(MAKERS) * len(PLACES) * len(CONSUMERS)


def case_number(number: int) -> Case:
    """The case of a number, so that neighbours differ in all four."""
    sizes = [len(KINDS), len(MAKERS), len(PLACES), len(CONSUMERS)]
    rest, places = number, []
    for size in sizes:
        rest, place = divmod(rest, size)
        places.append(place)
    kind = KINDS[places[0]]
    maker, place_name, consumer = (
        next(itertools.islice(table, at, None))
        for table, at in zip((MAKERS, PLACES, CONSUMERS), places[1:], strict=True)
    )
    return case_of(kind, maker, place_name, consumer)


def numbers(limit: int | None, seed: int) -> Iterator[int]:
    """Numbers of cases: all, or so many, by a step that has no factor with their count."""
    total = count()
    step = 7_368_787 % total
    while _has_common_factor(step, total):
        step += 1
    for turn in range(total if limit is None else min(limit, total)):
        yield (seed * 104_729 + turn * step) % total


def _has_common_factor(one: int, other: int) -> bool:
    while other:
        one, other = other, one % other
    return one != 1
