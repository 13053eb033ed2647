"""Which handler takes what fails in the running graph, where its classes are computed: as in CPython."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import autograph as ag
import numpy as np
import pytest
from generated_programs import compared, module_of

PRELUDE = """
import numpy as np

LOOKUPS = (IndexError, KeyError)
TABLE = {"read": IndexError, "divide": (ZeroDivisionError, ArithmeticError)}
LEVELS = [ValueError, LookupError]


class Counted:
    asked = 0

    @property
    def errors(self):
        self.asked += 1
        return IndexError

    @property
    def printed(self):
        print("asked")
        return IndexError


class Default(dict):
    def __missing__(self, key):
        self[key] = IndexError
        return IndexError


def counted(xs, i, level, kinds):
    one = Counted()
    try:
        y = xs[i]
    except one.errors:
        y = -1.0
    return y, one.asked


def printed(xs, i, level, kinds):
    one = Counted()
    try:
        y = xs[i]
    except one.printed:
        y = -1.0
    return y


def kept(xs, i, level, kinds):
    made = Default()
    try:
        y = xs[i]
    except made["read"]:
        y = -1.0
    return y, len(made)


class Reader:
    errors = LOOKUPS

    def __init__(self, *errors):
        self.own = errors

    def read(self, xs, i):
        try:
            return xs[i]
        except self.own:
            return -3.0
        except self.errors:
            return -2.0


def fails(y):
    raise ValueError(f"failed {y}")


"""

CLASSES = {
    "name": "LOOKUPS",
    "local": "local",
    "attribute": "Reader.errors",
    "of_an_object": "reader.own",
    "item": "TABLE['read']",
    "item_of_a_list": "LEVELS[level]",
    "sum": "LOOKUPS + (ZeroDivisionError,)",
    "starred": "(*LOOKUPS, ZeroDivisionError)",
    "chosen": "IndexError if level else ValueError",
    "or": "local or LOOKUPS",
    "compared": "(KeyError, IndexError)[level == 1:]",
    "none_of_it": "()",
    "parameter": "kinds",
}

FAILS = {
    "index": "y = xs[i]",
    "raise": "if i > 3:\n            fails(y)",
    "division": "y = 1 / (7 - int(i))",
    "method": "y = Reader(level and ValueError or KeyError).read(xs, i)",
}

CALLS = tuple(
    (np.arange(1.0, 5.0), np.int64(i), level, kinds)
    for i in (1, 3, 7)
    for level in (0, 1)
    for kinds in (IndexError, (ValueError, IndexError))
)


def program(name: str, classes: str, fail: str) -> str:
    return (
        f"def {name}(xs, i, level, kinds):\n    y = 0.5\n    local = () if level else (LookupError,)\n"
        f"    reader = Reader(IndexError, ValueError)\n    try:\n        {FAILS[fail]}\n"
        "        print('went on', y)\n"
        f"    except ({CLASSES[classes]}) as error:\n        print('caught', error)\n        y = -1.0\n"
        "    except Exception as error:\n        print('other', error)\n        y = -2.0\n    return y\n\n\n"
    )


@pytest.mark.parametrize("fail", FAILS)
def test_computed_classes(fail: str, tmp_path: Path) -> None:
    names = {classes: (classes, fail) for classes in CLASSES}
    text = PRELUDE + "".join(program(f"f_{name}", *one) for name, one in names.items())
    module = module_of(text, tmp_path, f"classes_{fail}")
    same, different, refused = compared(module, {f"f_{name}": CALLS for name in names})
    assert not different, different[:3]
    assert not refused, refused
    assert same == len(names) * len(CALLS)


@pytest.mark.parametrize("name", ["counted", "printed", "kept"])
def test_classes_whose_reading_has_effects_are_refused(name: str, tmp_path: Path) -> None:
    module = module_of(PRELUDE, tmp_path, f"classes_with_effects_{name}")
    with pytest.raises(ag.StagingError, match="by code that may print or write") as caught:
        ag.function(getattr(module, name))(*CALLS[0])
    assert caught.value.code == "AG135"
    assert caught.value.location is not None


MANAGERS = """
class Manager:
    def __init__(self, fails):
        self.fails = fails

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        print("exit", error)
        if self.fails:
            raise ValueError("exit")


def {name}(xs, i):
    try:
        {text}
    except ValueError as error:
        y = -7.0
        print(error, type(error.__context__), type(error.__cause__))
    return y
"""

ONE_PLACE = {
    "one": "with Manager(True):\n            y = xs[i]",
    "two": "with Manager(True), Manager(False):\n            y = xs[i]",
    "both": "with Manager(True), Manager(True):\n            y = xs[i]",
    "last": "try:\n            y = xs[i]\n        finally:\n            raise ValueError('last')",
    "either": "try:\n            y = xs[i]\n        except IndexError as e:\n"
    "            raise ValueError('a') from e\n"
    "        else:\n            raise ValueError('b')",
}


@pytest.mark.parametrize(("name", "place"), [*product(ONE_PLACE, ["alone", "first"])])
def test_one_place_that_raises_for_several_reasons(name: str, place: str, tmp_path: Path) -> None:
    text = ONE_PLACE[name] if place == "alone" else f"xs = xs * xs[i - 9]\n        {ONE_PLACE[name]}"
    module = module_of(MANAGERS.format(name=name, text=text), tmp_path, f"one_place_{name}_{place}")
    calls = tuple((np.arange(1.0, 5.0), np.int64(i)) for i in (7, 1, -9, 10))
    same, different, refused = compared(module, {name: calls})
    assert not different and not refused
    assert same == len(calls)
