"""Exceptions of the run in variables, lists, tuples and attributes: places × parts × uses × loops."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from itertools import product
from pathlib import Path
from typing import Any

import autograph as ag
import kept_exception_programs as programs
import kept_exception_programs_of_classes as of_classes
import numpy as np
import pytest
from generated_programs import module_of
from whole import IS_WHOLE

REFUSED = {
    "written_later": "AG113",
    "written_in_loop": "AG113",
    "noted": "AG131",
    "noted_before": "AG113",
    "from_outside": "AG131",
    "holds_an_array": "AG131",
    "traceback_read": "AG120",
    "hashed": "AG101",
    "chained_for_ever": "AG131",
    "suppressed_and_caught": "AG135",
    "group_raised": "AG117",
}
"""Programs that are refused where they keep an exception, with the code."""

FAILS = {
    "number": (
        "KeyError, TypeError",
        "if x > k:\n    raise KeyError(k)\nif x > 2 * k + 1:\n    raise TypeError(x)",
    ),
    "text": ("ValueError", 'if x > k:\n    raise ValueError(f"bad {x:.2f} {k}")'),
    "constant": (
        "ValueError, LookupError",
        'if x > 2 * k + 1:\n    raise IndexError("far")\nif x > k:\n    raise ValueError("near")',
    ),
    "several": ("RuntimeError", 'if x > k:\n    raise RuntimeError("bad", k, (x, None), True)'),
    "none": ("ArithmeticError", "if x > k:\n    raise OverflowError"),
    "attributes": (
        "Custom, Shown",
        "if x > 2 * k + 1:\n    raise Shown(k)\nif x > k:\n    raise Custom(x, limit=k)",
    ),
    "python": (
        "ArithmeticError, LookupError",
        "t = a[int(x) * 3 - k] + n // (k - 1)\nif x > k:\n    raise KeyError(t)",
    ),
    "caused": (
        "RuntimeError",
        "try:\n    if x > k:\n        raise KeyError(k)\nexcept KeyError as inner:\n"
        '    raise RuntimeError("outer") from inner',
    ),
    "around": (
        "RuntimeError",
        "try:\n    if x > k:\n        raise KeyError(k)\nexcept KeyError:\n"
        '    raise RuntimeError(f"outer {k}")',
    ),
}
"""By what an exception holds: the classes of the handler, and the body of a function that may raise it."""

PLACES = {
    "variable": ("last = None", "last = e", "last"),
    "branch": ("last = None", "if k != 1:\n    last = e", "last"),
    "first": ("last = None", "if last is None:\n    last = e", "last"),
    "before": ("last = LookupError(n)", "last = e", "last"),
    "list": ("errors = []", "errors.append(e)", "errors[-1] if errors else None"),
    "pair": ("last = None", "last = (k, e)", "None if last is None else last[1]"),
    "pairs": ("errors = []", "errors.append((e, k))", "errors[0][0] if errors else None"),
    "object": ("keeper = Keeper()", "keeper.keep(e)", "keeper.error"),
    "dict": ('held = {"error": None}', 'held["error"] = e', 'held["error"]'),
}
"""By where it is kept: what stands before the loop, in the handler, and what gives it afterwards."""

USES = {
    "raised": "if got is not None:\n    raise got",
    "raised_from_none": "if got is not None:\n    raise got from None",
    "raised_as_it_is": "raise got",
    "cause": 'raise RuntimeError(f"none of {n}") from got',
    "text": "return y, str(got), f'{got!r}'",
    "printed": "print(got, repr(got))\nreturn y",
    "args": "if got is not None:\n    print(got.args, len(got.args))\nreturn y",
    "type": "return type(got).__name__, type(got) is KeyError",
    "isinstance": "return isinstance(got, LookupError), isinstance(got, (ValueError, Custom)), got is None",
    "returned": "return y, got",
    "caught": "try:\n    if got is not None:\n        raise got\nexcept {classes} as again:\n"
    "    print(again is got, again.args)\nexcept LookupError as other:\n    print(other.args)\nreturn y",
    "same": "other = got\nfor k in range(2):\n    if k == n:\n        other = None\n"
    "return other is got, got == other",
    "twice": "for k in range(n):\n    if k == 1:\n        y = y + 1.0\nreturn got, [got], y",
    "chain": "if got is not None:\n    print(got.__cause__, got.__suppress_context__)\nreturn y",
}

LOOPS = {
    "data": "for k in range(n):",
    "unrolled": "for k in ag.unroll(range(3)):",
    "while": "k = -1\nwhile k < n - 1:\n    k += 1",
    "callee": "for k in range(n):",
}

PRELUDE = """
import autograph as ag
import numpy as np


class Custom(ValueError):
    def __init__(self, x, *, limit):
        super().__init__(f"{x:.1f} is over {limit}")
        self.x = x
        self.limit = limit


class Shown(Exception):
    def __init__(self, step):
        self.step = step

    def __str__(self):
        return f"step {self.step}"


class Keeper:
    def __init__(self):
        self.error = None

    def keep(self, error):
        self.error = error
"""


def indented(text: str, depth: int) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in text.splitlines())


def program(name: str, *parts: str) -> str:
    fail, place, use, loop = parts
    classes, body = FAILS[fail]
    begin, keep, got = PLACES[place]
    text = f"\ndef fails_{name}(x, n, a, k):\n{indented(body, 1)}    return x * 0.5 + k\n"
    if loop == "callee":
        text += f"\ndef tried_{name}(x, n, a, k):\n    try:\n        return fails_{name}(x, n, a, k), None\n"
        text += f"    except ({classes}) as error:\n        return 0.0, error\n"
    text += f"\ndef {name}(x, n, a):\n{indented(begin, 1)}    y = 0.0\n{indented(LOOPS[loop], 1)}"
    if loop == "callee":
        text += f"        z, e = tried_{name}(x, n, a, k)\n        y += z\n"
        text += f"        if e is not None:\n{indented(keep, 3)}"
    else:
        text += f"        try:\n            y += fails_{name}(x, n, a, k)\n"
        text += f"        except ({classes}) as e:\n{indented(keep, 3)}"
    return (
        text
        + f"    got = {got}\n{indented(USES[use].replace('{classes}', '(' + classes + ')'), 1)}    return y\n"
    )


def crossings() -> list[tuple[str, ...]]:
    found = list(product(FAILS, PLACES, USES, LOOPS))
    return found if IS_WHOLE else found[:: int(os.environ.get("STEP", "59"))]


def seen(value: Any, depth: int = 0) -> Any:
    """What a program can tell of a value: of an exception also its attributes, its cause and its context."""
    if isinstance(value, BaseException):
        if depth > 4:
            return "…"
        around = [seen(one, depth + 1) for one in (value.__cause__, value.__context__)]
        return type(value).__name__, seen(value.args), seen(vars(value)), around, value.__suppress_context__
    if isinstance(value, dict):
        return {key: seen(one, depth) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        errors = [one for one in _flat(value) if isinstance(one, BaseException)]
        same = [[one is other for other in errors] for one in errors]
        return type(value).__name__, [seen(one, depth) for one in value], same
    return type(value).__name__, repr(value)


def _flat(value: Any) -> Iterator[Any]:
    for one in value:
        if isinstance(one, (list, tuple)):
            yield from _flat(one)
        else:
            yield one


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The result or the exception, and the output; the code of a refusal."""
    printed = io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(printed):
        warnings.simplefilter("ignore")
        try:
            found = "returned", seen(function(*args))
        except Exception as error:
            if isinstance(error, ag.AutographError):
                assert error.location is not None, error
                return "refused", error.code, str(error)
            found = "raised", seen(error)
    return *found, printed.getvalue()


CALLS = [(x, np.int64(n), np.arange(8.0)) for x in (-0.5, 0.5, 1.5, 3.5) for n in (0, 1, 2, 4)]


@pytest.mark.parametrize("part", range(4))
def test_crossings(part: int, tmp_path: Path) -> None:
    found = {"_".join(one): one for one in crossings()[part::4]}
    text = PRELUDE + "\n" + "".join(program(name, *one) for name, one in found.items())
    module = module_of(text, tmp_path, f"kept_{part}")
    different, refused, same = [], [], 0
    for name in found:
        plain = getattr(module, name)
        staged = ag.function(plain)
        for args in CALLS:
            want, got = outcome(plain, args), outcome(staged, args)
            if got[0] == "refused":
                refused.append((name, got))
                break
            if got != want:
                different.append((name, args, want, got))
            same += 1
    assert not different, different[:3]
    assert not refused, refused[:3]
    assert same == len(found) * len(CALLS)


@pytest.mark.parametrize("function", [*programs.PROGRAMS, *of_classes.PROGRAMS], ids=lambda one: one.__name__)
def test_programs(function: Callable[..., Any]) -> None:
    staged, code = ag.function(function), REFUSED.get(function.__name__)
    refused = 0
    for x, n in programs.CALLS:
        want, got = outcome(function, (x, np.int64(n))), outcome(staged, (x, np.int64(n)))
        if code is not None and got[0] == "refused":
            assert got[1] == code, got
            refused += 1
            if refused == 2:  # Each call is recorded again.
                break
        else:
            assert got == want, (x, n)
    assert (refused > 0) == (code is not None)
