"""Managers whose code is not converted: as in CPython, or what fails in the run is refused under them."""

from __future__ import annotations

import math
import string
import textwrap
import unittest.mock
from itertools import product
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

PRELUDE = """
import contextlib, decimal, io, sqlite3, sysconfig, tempfile, threading, unittest, unittest.mock, warnings

import numpy as np

LIBRARY = '''
from contextlib import contextmanager


class Passing:
    def __enter__(self):
        return self

    def __exit__(self, *of):
        self.left = 1
        return False


class Swallowing(Passing):
    def __exit__(self, kind, error, traceback):
        return True


class Asking(Passing):
    def __exit__(self, kind, error, traceback):
        self.seen = error


class Replacing(Passing):
    def __exit__(self, kind, error, traceback):
        if kind is not None:
            raise OSError("replaced") from error


class Looking(Passing):
    def __exit__(self, *_):
        import sys

        return sys.exc_info()[0] is not None


class Keyword(Passing):
    def __exit__(self, *of, **more):
        return (lambda: of[0] is not None)()


class Always(Passing):
    __exit__ = staticmethod(lambda *of: True)


@contextmanager
def restored():
    try:
        yield 1
    finally:
        len("restored")


@contextmanager
def plain():
    yield 1


@contextmanager
def caught():
    try:
        yield 1
    except (IndexError, KeyError):
        pass


@contextmanager
def renamed():
    try:
        yield 1
    except Exception as error:
        raise OSError("renamed") from error


@contextmanager
def dropped():
    try:
        yield 1
    finally:
        return
'''


class Of:
    def __init__(self, file):
        exec(compile(LIBRARY, file, "exec"), self.__dict__)


TEXT, INSTALLED = Of("<string>"), Of(sysconfig.get_path("purelib") + "/some_library.py")


def passed(x):
    return x
"""

PASSING = [
    *("contextlib.nullcontext()", 'np.errstate(all="ignore")', "threading.Lock()", "threading.RLock()"),
    *("threading.Condition()", "threading.Semaphore()", "warnings.catch_warnings()", "io.StringIO()"),
    *("memoryview(b'ab')", "decimal.localcontext()", "np.printoptions(precision=3)"),
    *("contextlib.suppress(IndexError)", "contextlib.suppress(KeyError, ValueError)"),
    *("TEXT.Passing()", "INSTALLED.Passing()", "INSTALLED.restored()", "INSTALLED.plain()"),
]
"""Managers under which nothing is refused."""

ASKING = [
    *("unittest.TestCase().assertRaises(IndexError)", "sqlite3.connect(':memory:')"),
    *("np.testing.assert_raises(KeyError)", "unittest.mock.patch('math.pi', 3)"),
    *(
        f"{of}.{name}()"
        for of in ("TEXT", "INSTALLED")
        for name in ("Swallowing", "Asking", "Replacing", "Looking", "Keyword", "Always")
    ),
    *("INSTALLED.caught()", "INSTALLED.renamed()", "INSTALLED.dropped()"),
]
"""Managers that may take, replace or see an exception."""

CERTAIN = {
    "cannot": "y = xs.sum() + i",
    "inside": "try:\n    y = xs[i]\nexcept IndexError:\n    y = -2.0",
    "known": "y = xs.sum()\nraise KeyError('k')",
    "known_class": "y = xs.sum()\nraise IndexError('k')",
}
FAILING = {
    "index": "y = xs[i]",
    "raise": "y = 2.0\nif i > 1:\n    raise KeyError(i)",
    "callee": "def deep(k):\n    return xs[passed(k)]\ny = deep(i) + deep(0)",
    "divide": "y = 1 // int(i - 2)",
    "assert": "assert i < 2, 'large'\ny = 3.0",
    "write": "xs[i] = 4.0\ny = 1.0",
}
"""The bodies of the `with`: those that no run leaves with an exception of its own, and others."""

PLACES = {
    "straight": "with MANAGER:\n    BODY",
    "in_try": "try:\n    with MANAGER:\n        BODY\n"
    "except (IndexError, KeyError, OSError) as e:\n    print(repr(e))",
    "in_if": "if i > 0:\n    with MANAGER:\n        BODY",
    "in_loop": "for r in range(i + 1):\n    with MANAGER:\n        BODY",
    "under_another": "with contextlib.nullcontext(), MANAGER:\n    BODY",
    "around_another": "with MANAGER as m, contextlib.nullcontext():\n    BODY",
    "of_a_callee": "def inner(i):\n    y = 5.0\n    with MANAGER:\n        BODY\n    return y\ny = inner(i)",
    "around_a_callee": "def inner(i):\n    BODY\n    return y\nwith MANAGER:\n    y = inner(i)",
    "in_a_stack": "with contextlib.ExitStack() as s:\n    s.enter_context(MANAGER)\n    BODY",
}


def test_a_refusal_leaves_the_manager() -> None:
    before = math.pi, string.whitespace

    @ag.function
    def refused(xs: Any, i: Any) -> Any:
        with unittest.mock.patch("math.pi", 3), unittest.mock.patch("string.whitespace", ""):
            y = xs[i]
        return y

    for _ in range(2):
        with pytest.raises(ag.errors.StagingError):
            refused(np.arange(3.0), np.int64(1))
        assert (math.pi, string.whitespace) == before


def program(name: str, manager: str, body: str, place: str) -> str:
    lines = []
    for line in PLACES[place].replace("MANAGER", manager).split("\n"):
        before = line[: len(line) - len(line.lstrip())]
        lines += textwrap.indent(body, before).split("\n") if line.strip() == "BODY" else [line]
    text = textwrap.indent("\n".join(lines), "    ")
    return f"\n\ndef {name}(xs, i):\n    y = -1.0\n{text}\n    return y, xs\n"


CHANGED = "inside what follows a statement that may raise by code that is not converted"
"""A refusal in a `try`: leaving the manager changes it."""

CALLS = tuple((np.arange(3.0), np.int64(i)) for i in (0, 1, 2, 5, 1))


def crossed(
    managers: list[str], bodies: dict[str, str], folder: Path
) -> tuple[list[object], set[str], set[str]]:
    """The calls that differ, and the programs, by manager, body and place, that are and are not refused.

    Those that are refused as their manager is changed count as not refused.
    """
    names = {
        f"f{number}_{body}_{place}": (managers[number], bodies[body], place)
        for number, (at, body), (turn, place) in product(
            range(len(managers)), enumerate(bodies), enumerate(PLACES)
        )
        if in_turn(number, at, turn, among=4)
    }
    text = PRELUDE + "".join(program(name, *one) for name, one in names.items())
    module = module_of(text, folder, f"library_managers_{len(names)}")
    _, different, refused = compared(module, dict.fromkeys(names, CALLS))
    found = {one.partition(":")[0] for one in refused if CHANGED not in one}
    return different, found, set(names) - found


@pytest.mark.parametrize("part", range(4))
def test_what_passes_exceptions_on(part: int, tmp_path: Path) -> None:
    different, refused, _ = crossed(PASSING[part::4], CERTAIN | FAILING, tmp_path)
    assert (different, refused) == ([], set())


@pytest.mark.parametrize("part", range(4))
def test_what_asks_for_exceptions(part: int, tmp_path: Path) -> None:
    different, _, taken = crossed(ASKING[part::4], FAILING, tmp_path)
    assert (different, taken) == ([], set())


@pytest.mark.parametrize("part", range(4))
def test_bodies_that_no_run_leaves(part: int, tmp_path: Path) -> None:
    different, refused, _ = crossed(ASKING[part::4], CERTAIN, tmp_path)
    assert (different, refused) == ([], set())
