"""Programs with effects: each kind of effect in each place of a program that has a derivative.

What an effect does is compared after a call: the output, the warnings, lists, objects, arrays, files and
generators of the module and of the caller.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

HEAD = '''"""Programs with effects."""

import warnings

import numpy as np
from autograph import tangent

COUNT = 0


def bump():
    global COUNT
    COUNT += 1


def remember(value):
    BOX.last = value
'''

EFFECTS = {
    "print": "print('here', K)",
    "print of a value": "print('value', V)",
    "log of the caller": "log.append(K)",
    "value in a log of the caller": "log.append(V)",
    "log of the module": "LOG.append(K)",
    "value in a log of the module": "LOG.append(V)",
    "copy in a log": "LOG.append(float(V))",
    "counter": "bump()",
    "counter of the module": "COUNTS['all'] += 1",
    "attribute": "BOX.count = K",
    "attribute updated": "BOX.total += 1",
    "value in an attribute": "BOX.last = V",
    "value in an attribute, by a function": "remember(V)",
    "element of an array": "OUT[K] = 1.0",
    "element updated": "OUT[K] += 1.0",
    "value in an array": "OUT[K] = V",
    "array of the caller": "out[K] = 1.0",
    "value in an array of the caller": "out[K] = V",
    "generator": "LOG.append(next(TICKS))",
    "generator dropped": "next(TICKS)",
    "file": "STREAM.write('K;')",
    "print to a file": "print('value', V, file=STREAM)",
    "warning": "warnings.warn('warned K')",
    "random draw": "LOG.append(RNG.normal())",
    "random draw dropped": "RNG.normal()",
    "assert that holds": "assert V > -1e9, 'small'",
    "assert that fails": "assert V > 1e9, 'small K'",
    "raise that is not reached": "if V > 1e9: raise ValueError('large')",
    "raise": "if V > -1e9: raise ValueError('raised K')",
    "item of a dict": "TABLE['K'] = V",
    "key taken away": "TABLE.pop('key', None)",
}
"""An effect as a statement: `K` is a number, `V` a value with a derivative."""

PLACES = {
    "before": """
        EFFECT(0, x)
        y = x * 2
        return y * x""",
    "after": """
        y = x * 2
        z = y * x
        EFFECT(1, y)
        return z""",
    "in a loop": """
        y = x
        for i in range(3):
            y = y * x
            EFFECT(i, y)
        return y""",
    "in a while": """
        y = x
        while y < 9:
            EFFECT(0, y)
            y = y * 2
        return y * y""",
    "in a branch": """
        if x > 1:
            y = x * x
            EFFECT(0, y)
        else:
            EFFECT(1, x)
            y = x
        return y * x""",
    "before a break": """
        y = x
        for i in range(4):
            if y > 5:
                EFFECT(i, y)
                break
            y = y * x
        return y""",
    "before a return": """
        y = x * x
        if y > 1:
            EFFECT(0, y)
            return y * 2
        EFFECT(1, y)
        return y * x""",
    "in a callee": """
        y = made(x, log, out)
        return y * x""",
    "in an argument": """
        y = np.sin(made(x, log, out)) * made(x, log, out)
        return y""",
    "in a comprehension": """
        ys = [made(v, log, out) * v for v in (x, 2 * x)]
        return sum(ys)""",
    "in a condition": """
        y = x
        if made(y, log, out) > 1:
            y = y * x
        return y""",
    "in the condition of a loop": """
        y = x
        while made(y, log, out) < 9:
            y = y * 2
        return y * y""",
    "in an assert": """
        y = x * x
        assert made(y, log, out) > 0
        return y * x""",
    "in an index": """
        ys = np.array([x, x * x])
        return ys[int(made(x, log, out) > 1)] * x""",
    "in a ternary": """
        y = made(x, log, out) if x > 1 else x
        return y * x""",
    "in an operand without a derivative": """
        return x * int(made(x, log, out) > 1)""",
    "in a with": """
        with np.errstate(all='ignore'):
            y = x * x
            EFFECT(0, y)
        return y * x""",
    "in a try": """
        try:
            y = x * x
            EFFECT(0, y)
        finally:
            print('last')
        return y * x""",
    "in a finally": """
        try:
            y = x * x
        finally:
            EFFECT(0, x)
        return y * x""",
    "in a finally of a loop": """
        y = x
        for i in range(2):
            try:
                y = y * x
            finally:
                EFFECT(i, y)
        return y""",
    "of a value that nothing reads": """
        y = x * x
        unused = np.sin(y)
        EFFECT(0, unused)
        return y * x""",
    "between writes": """
        y = np.zeros(2)
        y[0] = x
        EFFECT(0, y[0])
        y[0] *= x
        EFFECT(1, y[0])
        return np.sum(y)""",
}
"""Where it stands. `made` does it and gives what it is given."""

IN_BLOCK = """
    @tangent.tangent
    def {name}(x, log, out):
        y = x * x
        with tangent.grad_of(y) as dy:
            EFFECT(0, dy)
            dy = dy * 2
        return y * x
"""
"""In a `grad_of` block an effect happens in the backward pass, and not in the plain call."""


@dataclass
class Crossed:
    """A program.

    Attributes:
        effect: What it does, of `EFFECTS`.
        place: Where, of `PLACES`; ``"in a block"`` for one of `IN_BLOCK`.
        name: The name of the function.
    """

    effect: str
    place: str
    name: str


def crossing() -> list[Crossed]:
    """Every effect in every place."""
    places = [*PLACES, "in a block"]
    return [
        Crossed(effect, place, f"program_{row}_{column}")
        for row, effect in enumerate(EFFECTS)
        for column, place in enumerate(places)
    ]


def with_effect(body: str, statement: str) -> str:
    """A body with the statement in the places where `EFFECT(number, value)` stands."""
    lines = []
    for line in body.splitlines():
        head, is_there, rest = line.partition("EFFECT(")
        if is_there:
            number, value = rest.removesuffix(")").split(", ")
            line = head + statement.replace("K", number).replace("V", value)
        lines.append(line)
    return "\n".join(lines)


def text_of(one: Crossed) -> str:
    """The program, with the function `made` of its own."""
    row = list(EFFECTS).index(one.effect)
    # `K` and `V` are alone in the statement but for the names of the module.
    statement = _marked(EFFECTS[one.effect])
    if one.place == "in a block":
        return textwrap.dedent(with_effect(IN_BLOCK.format(name=one.name), statement))
    body = textwrap.indent(textwrap.dedent(PLACES[one.place]).strip("\n"), "    ")
    text = f"def {one.name}(x, log, out):\n{with_effect(body, statement)}\n"
    return text.replace("made(", f"made_{row}(")


def _marked(statement: str) -> str:
    """The statement with marks that no name of the module contains."""
    for name in ("BOX", "LOG", "OUT", "TICKS", "STREAM", "RNG", "TABLE", "COUNTS", "ValueError"):
        statement = statement.replace(name, f"<{name.lower()}>")
    return statement


def _unmarked(text: str) -> str:
    for name in ("BOX", "LOG", "OUT", "TICKS", "STREAM", "RNG", "TABLE", "COUNTS"):
        text = text.replace(f"<{name.lower()}>", name)
    return text.replace("<valueerror>", "ValueError")


def module_text(effect: str) -> str:
    """All programs of an effect."""
    row = list(EFFECTS).index(effect)
    body = with_effect("    EFFECT(0, v)\n    return v", _marked(EFFECTS[effect]))
    parts = [HEAD, f"def made_{row}(v, log, out):\n{body}\n"]
    parts += [text_of(one) for one in crossing() if one.effect == effect]
    return _unmarked("\n\n".join(parts))


def module_of(folder: Path, effect: str) -> ModuleType:
    """All programs of an effect, imported from a file: a derivative reads the whole of it."""
    path = folder / f"tangent_effects_crossed_{list(EFFECTS).index(effect)}.py"
    path.write_text(module_text(effect))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def fresh(module: ModuleType) -> None:
    """Everything that effects change, as it is before a call."""
    module.COUNT = 0
    module.COUNTS = {"all": 0}
    module.LOG = []
    module.BOX = SimpleNamespace(total=0)
    module.OUT = np.zeros(4)
    module.TICKS = iter(range(100))
    module.STREAM = io.StringIO()
    module.RNG = np.random.default_rng(3)
    module.TABLE = {"key": 1}


@dataclass
class Done:
    """What a call did.

    Attributes:
        result: What it gave.
        error: What it raised.
        effects: What it changed, in words.
    """

    result: Any
    error: BaseException | None
    effects: dict[str, str]


def do(module: ModuleType, function: Callable[..., Any], *args: Any, **keywords: Any) -> Done:
    """Calls a function with a world of its own."""
    fresh(module)
    log: list[Any] = []
    out = np.zeros(4)
    printed = io.StringIO()
    result, error = None, None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = function(1.5, log, out, *args, **keywords)
        except Exception as caught:
            error = caught
    state = {
        "printed": printed.getvalue(),
        "warned": [str(one.message) for one in warned],
        "log": log,
        "out": out.tolist(),
        "LOG": module.LOG,
        "OUT": module.OUT.tolist(),
        "BOX": vars(module.BOX),
        "COUNT": module.COUNT,
        "COUNTS": module.COUNTS,
        "TICKS": next(module.TICKS),
        "STREAM": module.STREAM.getvalue(),
        "RNG": module.RNG.random(),
        "TABLE": module.TABLE,
    }
    return Done(result, error, {name: repr(copy.copy(value)) for name, value in state.items()})


def changed(one: Done, other: Done) -> Iterator[str]:
    """What differs between two calls, in words."""
    if type(one.error) is not type(other.error) or str(one.error) != str(other.error):
        yield f"raised {one.error!r}, and not {other.error!r}"
    for name, value in one.effects.items():
        if value != other.effects[name]:
            yield f"{name}: {value}, and not {other.effects[name]}"
