"""Programs that choose among constants and strings of the run: kinds x places x uses, as text."""

from __future__ import annotations

from itertools import product

HEAD = """
import enum
import math
from dataclasses import dataclass
import numpy as np


class Color(enum.Enum):
    RED = 1
    GREEN = "g"
    BLUE = 3


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
    TOP = 3


class Word(enum.StrEnum):
    A = "a"
    B = "b"
    C = ""


@dataclass
class Record:
    v: object
    x: object


class Box:
    def __init__(self, v):
        self.v = v


class First:
    name = "first"

    def __init__(self, x):
        self.x = x


class Second(First):
    name = "second"


def double(x):
    return x * 2


def negated(x):
    return -x


def square(x):
    return x * x
"""

KINDS: dict[str, tuple[str, str, str]] = {
    "strings": ('"a"', '"bb"', '""'),
    "bytes": ('b"a"', 'b"bb"', 'b""'),
    "none": ('"a"', "None", '"c"'),
    "enum": ("Color.RED", "Color.GREEN", "Color.BLUE"),
    "int enum": ("Level.LOW", "Level.HIGH", "Level.TOP"),
    "str enum": ("Word.A", "Word.B", "Word.C"),
    "enum or none": ("None", "Color.GREEN", "Color.BLUE"),
    "functions": ("double", "negated", "square"),
    "of numpy": ("np.sin", "np.abs", "abs"),
    "of math": ("math.sin", "math.floor", "None"),
    "classes": ("First", "Second", "int"),
    "number": ('"a"', "x", "1"),
    "number or none": ("x", "None", '"c"'),
    "run": ('f"{x:.1f}"', '"none"', 'f"<{x}>"'),
    "run or none": ("str(x)", "repr(x)", "None"),
    "alike": ('f"{x:.1f}"', 'f"{x + 1:.1f}"', 'f"{2 * x:.1f}"'),
    "array": ("xs * x", '"none"', "None"),
    "mixed": ('f"{x}!"', "x", "Color.RED"),
}
"""Three values of each kind."""

PLACES: dict[str, str] = {
    "if": """
    v = {A}
    if x > 0:
        v = {B}
""",
    "else": """
    if x > 0:
        v = {A}
    else:
        v = {B}
""",
    "elif": """
    if x > 1:
        v = {A}
    elif x > 0:
        v = {B}
    else:
        v = {C}
""",
    "expression": """
    v = {A} if x > 1 else {B} if x > 0 else {C}
""",
    "while": """
    v, y, k = {A}, x, 0
    while k < 4:
        k, y = k + 1, y - 1.0
        if y < -1.0:
            v = {B}
            break
        if y > 0:
            v = {C}
""",
    "for": """
    v = {A}
    for t in xs:
        if t > x:
            v = {B}
        elif t < -x:
            v = {C}
""",
    "callee": """
    def pick(y):
        if y > 1:
            return {A}
        if y > 0:
            return {B}
        return {C}
    v = pick(x)
""",
    "found": """
    def find(y):
        for t in xs:
            if t > y:
                return {A}
            if t < -y:
                return {B}
        return {C}
    v = find(x)
""",
    "fallen off": """
    def find(y):
        for t in xs:
            if t > y:
                return {A}
            if t < -y:
                return {B}
    v = find(x)
""",
    "recursion": """
    def walk(n, v):
        if n <= 0:
            return v
        return walk(n - 1, {B} if n > 2 else {C})
    v = walk(n, {A})
""",
    "attribute": """
    box = Box({A})
    for t in xs:
        if t > x:
            box.v = {B}
    v = box.v
""",
    "item": """
    box = dict(v={A})
    if x > 0:
        box["v"] = {B}
    v = box["v"]
""",
    "tuple": """
    pair = {A}, x
    for t in xs:
        if t > x:
            pair = {B}, t
    v = pair[0]
""",
    "index": """
    v = ({A}, {B}, {C})[n % 3]
""",
    "popped": """
    stack = []
    for t in xs:
        stack.append({A} if t > x else {B})
    v = stack.pop() if stack else {C}
""",
    "unbound": """
    if x > 0:
        v = {A}
    elif n > 0:
        v = {B}
""",
    "stays": """
    v = {A}
    for t in xs:
        if t > 0 and v == {A}:
            v = {B}
        elif v == {B}:
            v = {C}
""",
    "match": """
    match n:
        case 0:
            v = {A}
        case 1 | 2:
            v = {B}
        case _:
            v = {C}
""",
}

USES: dict[str, str] = {
    "returned": "return v",
    "in a tuple": "return v, x, (v, v)",
    "in a list": "return [v, x]",
    "in a dict": "return dict(v=v, x=x)",
    "in an object": "return Record(v, x)",
    "in a grown list": """
    out = []
    for t in xs:
        out.append(v)
    return out""",
    "in grown pairs": """
    out = []
    for t in xs:
        out.append((v if t > 0 else {C}, t))
    return out""",
    "by comprehension": "return [(v, t) for t in xs], [v for t in xs if t > x]",
    "equal": "return v == {A}, v != {B}, {C} == v, v == 'zz', v == 1, v == None",
    "equal to another": "w = {A} if x > 1 else {B}\n    return v == w, w != v",
    "among": "return v in ({A}, {B}), v not in [{C}], v in ()",
    "in a set": "return v in {{{A}, {B}}}",
    "same": "return v is {A}, v is not {B}",
    "none": "return v is None, v is not None, None is v",
    "truth": "return 1 if v else 2",
    "not": "return not v",
    "and": "return v and x",
    "or": "return v or x",
    "printed": 'print(v, [v], f"<{{v!r}}>", (v, x))\n    return x',
    "raised": "if x > 0:\n        raise ValueError(v, x)\n    return v",
    "text raised": 'if x > 0:\n        raise KeyError(f"{{v}} at {{x}}")\n    return v',
    "formatted": 'return f"{{v}}|{{v!r}}|{{x:.2f}}", str(v), repr(v)',
    "called": "return v(x)",
    "given": "def use(w):\n        if w == {A}:\n            return x\n        return w\n    return use(v)",
    "closed over": "def use():\n        return v\n    return use(), v",
    "looked up": "return {{{A}: 1.0, {B}: x}}.get(v, 0.0)",
    "key": "return {{{A}: 1.0, {B}: x, {C}: 2}}[v]",
    "attribute": "return v.name",
    "value": "return v.value",
    "class": "return isinstance(v, str), isinstance(v, (int, float)), v is None",
    "type": "return type(v) is str, type(v)",
    "length": "return len(v)",
    "upper": "return v.upper(), v[:1], v * 2",
    "item": "return v[0]",
    "added": 'return v + "!", "<" + v',
    "joined": 'return "-".join([v, "z", v])',
    "compared": "return v < {B}, v >= {A}",
    "carried": """
    w, k = v, 0
    while k < n:
        k += 1
        w = {B} if w == {A} else {A}
    return w, k""",
    "matched": """
    match v:
        case None:
            return 0
        case "a" | "bb":
            return 1
        case Color.RED | Level.LOW:
            return 2
    return x""",
    "computed": "return v + 1, v * x",
    "numpy": "return np.abs(v)",
    "percent": 'return "%s is %.2f" % (v, x)',
}


def texts(kind: str, place: str, use: str) -> str:
    """A function that has a value of a kind from a place and uses it so."""
    names = dict(zip("ABC", KINDS[kind], strict=True))
    return f"def f(x, n, xs):{PLACES[place].format(**names)}    {USES[use].strip().format(**names)}\n"


def programs() -> list[tuple[str, str, str]]:
    """All combinations."""
    return list(product(KINDS, PLACES, USES))
