"""A source that is not what the running code was compiled from is refused, never guessed."""

from __future__ import annotations

import importlib.util
import linecache
import sys
from pathlib import Path
from types import ModuleType

import autograph as ag
import pytest

TEXT = '''"""A module."""

import math

BASE = 1


def first(x):
    if x > 0:
        return x + 1
    return math.floor(x)


def second(x, y=2.0):
    return x * y if x > 0 else (x, 1, 2.5)


class Outer:
    def method(self, x):
        self.__hidden = x
        local = x

        def inner(y):
            if y > local:
                return self.__hidden, __class__
            return super().__hash__()

        return inner


pair = (lambda x: x + 1 if x > 0 else x), (lambda x: x - 1 if x > 0 else x)
'''


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "edited.py"
    path.write_text(TEXT)
    return path


def entities(module: ModuleType) -> dict[str, object]:
    return {
        "first": module.first,
        "second": module.second,
        "method": module.Outer.method,
        "inner": module.Outer().method(1),
        "pair": module.pair[0],
        "other": module.pair[1],
    }


def refused(module: ModuleType) -> dict[str, str]:
    """The functions that are refused, with the reason."""
    found = {}
    for name, entity in entities(module).items():
        try:
            ag.to_graph(entity)
        except ag.ConversionError as error:
            assert error.code == "AG003" and error.help and error.location is not None
            found[name] = error.message
    return found


def test_an_unchanged_file_converts(path: Path) -> None:
    assert refused(load(path)) == {}


def test_comments_and_spaces_change_nothing(path: Path) -> None:
    module = load(path)
    path.write_text(TEXT.replace("x + 1\n", "(x  +  1)  # more\n", 1))
    assert refused(module) == {}


@pytest.mark.parametrize(
    ("old", "new", "names", "reason"),
    [
        ("x + 1\n    return", "x + 2\n    return", {"first"}, "the constant 2 was 1"),
        ("x + 1\n    return", "x + 1.0\n    return", {"first"}, "the constant 1.0 was 1"),
        ("x + 1\n    return", "x - 1\n    return", {"first"}, "its statements differ"),
        ("math.floor(x)", "math.ceil(x)", {"first"}, "the names it uses differ"),
        ("def second(x, y", "def second(y, x", {"second"}, "the parameters at line 14 are not (x, y)"),
        ("def second(x, y", "def second(x, *, y", {"second"}, "its parameters differ"),
        ("(x, 1, 2.5)", "(x, 1, -2.5)", {"second"}, "the constant"),
        ("y > local", "y < local", {"inner", "method"}, "its statements differ"),
        ("class Outer", "class Other", {"inner", "method"}, "`Outer.method"),
        ("local = x", "local = y = x", {"method"}, "its parameters or local variables differ"),
        ("lambda x: x + 1", "lambda x: x + 3", {"pair"}, "the constant 3 was 1"),
        ("BASE = 1\n", "\nBASE = 1\n", {"first", "second", "method", "inner", "pair", "other"}, "at line"),
    ],
)
def test_an_edited_file_is_refused(path: Path, old: str, new: str, names: set[str], reason: str) -> None:
    module = load(path)
    assert old in TEXT
    path.write_text(TEXT.replace(old, new, 1))
    found = refused(module)
    assert set(found) == names
    assert any(reason in message for message in found.values()), found


def test_lambdas_that_swap_places_are_refused(path: Path) -> None:
    module = load(path)
    line = TEXT.splitlines()[-1]
    one, other = line.removeprefix("pair = ").split(", ")
    path.write_text(TEXT.replace(line, f"pair = {other}, {one}"))
    assert set(refused(module)) == {"pair", "other"}


def test_the_whole_message(path: Path) -> None:
    module = load(path)
    path.write_text(TEXT.replace("return x + 1\n", "return x + 2\n"))
    with pytest.raises(ag.ConversionError) as caught:
        ag.to_graph(module.first)
    assert str(caught.value).replace(str(path), "edited.py") == (
        "error[AG003]: the source of `first` is not what runs: the constant 2 was 1\n"
        " --> edited.py:8:1\n"
        "  |\n"
        "8 | def first(x):\n"
        "  | ^\n"
        "  |\n"
        "  = help: import the module again, or run the cell again that defines the function"
    )


def test_a_wrong_text_in_the_cache_is_refused() -> None:
    file = "<a cell that ran twice>"
    scope: dict[str, object] = {}
    exec(compile("def f(x):\n    return x + 1\n", file, "exec"), scope)
    text = "def f(x):\n    return x + 2\n"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    with pytest.raises(ag.ConversionError, match="the constant 2 was 1"):
        ag.to_graph(scope["f"])


def test_instrumented_code_is_compared_by_its_names() -> None:
    def asserts(x):
        y = x + 1
        assert y > x, "pytest rewrites this statement"
        return y

    assert any(name.startswith("@py") for name in asserts.__code__.co_varnames)
    assert ag.to_graph(asserts)(1) == 2


def test_future_flags_and_class_bodies() -> None:
    file = "<with a future>"
    text = (
        "from __future__ import annotations\n"
        "def f(x):\n"
        "    class Local:\n"
        "        y: int = 3\n"
        "        def m(self, z: Undefined) -> x:\n"
        "            self.a = z\n"
        "            return self.__private if z else __class__\n"
        "    def g(z: Undefined): return z\n"
        "    return Local().y + x\n"
    )
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, object] = {"__name__": "cell"}
    exec(compile(text, file, "exec"), scope)
    assert ag.to_graph(scope["f"])(1) == 4
