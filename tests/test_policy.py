"""Which callees are converted: by file, ``include`` and ``exclude``, marks, status and strictness."""

from __future__ import annotations

import dataclasses
import enum
import functools
import linecache
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src import policy
from autograph._src.backends.native import NATIVE
from autograph._src.backends.protocol import activated

LIBRARY = """
def sign(x):
    if x > 0:
        return 1.0
    return -1.0
"""


@pytest.fixture(autouse=True)
def no_rules() -> Iterator[None]:
    policy._rules = policy._Rules()
    yield
    policy._rules = policy._Rules()


def module_at(folder: Path, name: str) -> ModuleType:
    """A module with a `sign`, as if it were imported from a folder."""
    path = folder / f"{name.replace('.', '_')}.py"
    path.write_text(LIBRARY)
    module = ModuleType(name)
    module.__file__ = str(path)
    exec(compile(LIBRARY, str(path), "exec"), module.__dict__)
    return module


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(policy, "_LIBRARY_FOLDERS", (f"{tmp_path}{os.sep}",))
    return module_at(tmp_path, "kit.signs")


def stages(function: Callable[..., Any], *args: Any) -> bool:
    """Whether a function called from a staged one is converted: its `if` is staged."""
    try:
        ag.function(lambda x: function(x, *args))(np.float64(2.0))
    except ag.StagingError as error:
        assert error.code == "AG101"
        return False
    return True


def sign(x: Any) -> float:
    if x > 0:
        return 1.0
    return -1.0


def test_user_code_is_converted_and_installed_packages_are_not(installed: ModuleType) -> None:
    assert stages(sign)
    assert not stages(installed.sign)


def test_included_packages_are_converted(installed: ModuleType) -> None:
    ag.include("kit")
    assert stages(installed.sign)
    ag.exclude("kit")
    assert not stages(installed.sign)


def test_excluded_modules_of_the_user_run_as_they_are(tmp_path: Path) -> None:
    mine = module_at(tmp_path, "mine.signs")
    assert stages(mine.sign)
    ag.exclude("mine.signs")
    assert not stages(mine.sign)
    ag.include("mine")
    assert stages(mine.sign)


def test_a_name_covers_submodules_and_nothing_else(installed: ModuleType) -> None:
    ag.include("ki", "kit.signs.more")
    assert not stages(installed.sign)
    ag.include("kit.signs")
    assert stages(installed.sign)


def test_what_is_said_of_a_part_holds_until_the_whole_is_named(installed: ModuleType) -> None:
    ag.exclude("kit")
    ag.include("kit.signs")
    assert stages(installed.sign)
    ag.exclude("kit")
    assert not stages(installed.sign)


def test_threads_lose_no_rule() -> None:
    def say(number: int) -> None:
        for step in range(50):
            ag.include(f"kit{number}.part{step}")

    threads = [threading.Thread(target=say, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(policy._rules.by_name) == 400


@pytest.mark.parametrize("say", [ag.include, ag.exclude])
def test_wrong_names_of_modules(say: Callable[..., None]) -> None:
    with pytest.raises(TypeError, match='the name of a module is a string, not module; write "os"'):
        say(os)
    with pytest.raises(TypeError, match="the name of a module is a string, not int"):
        say("fine", 3)
    for name in ("", "a..b", "a/b.py", ".relative"):
        with pytest.raises(ValueError, match="is not the name of a module"):
            say(name)
    assert policy._rules.by_name == {}


def test_this_package_and_numpy_cannot_be_included() -> None:
    for name in ("autograph", "autograph._src.operators", "numpy", "numpy.linalg"):
        with pytest.raises(ValueError, match="cannot be included: converted code calls it in its own way"):
            ag.include(name)


# Status


def status() -> str:
    return ag.control_status().name


def test_status_of_plain_and_of_converted_code() -> None:
    assert status() == "UNSPECIFIED"
    assert ag.to_graph(status)() == "ENABLED"


def test_blocks_of_status_nest_and_hold_for_a_thread() -> None:
    seen = []
    with ag.control_status(ag.ControlStatus.DISABLED) as chosen:
        assert chosen is ag.ControlStatus.DISABLED
        with ag.control_status(ag.ControlStatus.ENABLED):
            seen.append(status())
        thread = threading.Thread(target=lambda: seen.append(status()))
        thread.start()
        thread.join()
        seen.append(status())
    with pytest.raises(KeyError), ag.control_status(ag.ControlStatus.DISABLED):
        raise KeyError
    assert [*seen, status()] == ["ENABLED", "UNSPECIFIED", "DISABLED", "UNSPECIFIED"]


def test_one_block_can_be_entered_twice() -> None:
    block = ag.control_status(ag.ControlStatus.DISABLED)
    with block:
        with ag.control_status(ag.ControlStatus.ENABLED), block:
            assert status() == "DISABLED"
        assert status() == "DISABLED"
    assert status() == "UNSPECIFIED"


def test_a_status_that_is_none() -> None:
    with pytest.raises(TypeError, match=r"a status is an ag\.ControlStatus, not str"):
        ag.control_status("DISABLED")  # type: ignore[call-overload]


def test_disabled_calls_run_as_they_are() -> None:
    def disabled(x: Any, way: Any) -> Any:
        with ag.control_status(way):
            return sign(x)

    assert stages(disabled, ag.ControlStatus.ENABLED)
    assert not stages(disabled, ag.ControlStatus.DISABLED)


def test_writes_to_lists_are_undone_also_while_disabled() -> None:
    def f(x: Any) -> Any:
        seen = [1.0]
        if x > 0:
            with ag.control_status(ag.ControlStatus.DISABLED):
                seen[0] = 5.0
        return x + seen[0]

    assert ag.function(f)(np.float64(-1.0)) == 0.0 and ag.function(f)(np.float64(1.0)) == 6.0


# Marks


def test_what_a_marked_function_calls_is_not_converted_either() -> None:
    def callee(x: Any) -> Any:
        return x + 1, ag.control_status().name, "if_stmt" in callee.__code__.co_names

    @ag.convert
    def converted_callee(x: Any) -> Any:
        return callee(x)

    @ag.do_not_convert
    def marked(x: Any) -> Any:
        return callee(x), converted_callee(x)

    assert ag.function(lambda x: marked(x))(np.float64(1.0)) == ((2.0, "DISABLED", False),) * 2
    assert not stages(ag.do_not_convert(lambda x: ag.convert(sign)(x)))


def test_marks_give_the_same_object_back_and_cost_nothing_outside() -> None:
    def f(x: Any) -> Any:
        return x

    code = f.__code__
    assert ag.do_not_convert(f) is f and f.__code__ is code
    with pytest.raises(ag.ConversionError, match="`print` is not a Python function"):
        ag.do_not_convert(print)
    with pytest.raises(ag.ConversionError, match="`int` is not a Python function"):
        ag.do_not_convert(3)  # type: ignore[type-var]


class Signs:
    """Every kind of method."""

    def method(self, x: Any) -> float:
        return 1.0 if x > 0 else -1.0

    @classmethod
    def of_class(cls, x: Any) -> float:
        return 1.0 if x > 0 else -1.0

    @staticmethod
    def static(x: Any) -> float:
        return 1.0 if x > 0 else -1.0

    def __call__(self, x: Any) -> float:
        return 1.0 if x > 0 else -1.0


METHODS = ["method", "of_class", "static", "__call__"]


@pytest.mark.parametrize("name", METHODS)
def test_marked_classes(name: str) -> None:
    class Marked(Signs):
        pass

    for method in METHODS:
        setattr(Marked, method, _copied(vars(Signs)[method]))
    assert stages(getattr(Marked(), name))
    assert ag.do_not_convert(Marked) is Marked
    assert not stages(getattr(Marked(), name))
    assert stages(getattr(Signs(), name))


def _copied(method: Any) -> Any:
    """The method with a function of its own."""
    if isinstance(method, (staticmethod, classmethod)):
        return type(method)(_copied(method.__func__))
    return type(method)(method.__code__, method.__globals__, method.__name__)


@pytest.mark.parametrize("kind", [staticmethod, classmethod])
def test_marks_above_and_below_a_method_decorator(kind: Any) -> None:
    class Above:
        sign = ag.do_not_convert(kind(lambda *args: 1.0 if args[-1] > 0 else -1.0))

    class Below:
        sign = kind(ag.do_not_convert(lambda *args: 1.0 if args[-1] > 0 else -1.0))

    assert not stages(Above.sign) and not stages(Below().sign)


def test_marked_callables() -> None:
    assert stages(Signs()) and not stages(ag.do_not_convert(Signs()))
    part = functools.partial(lambda scale, x: scale if x > 0 else -1.0, 2.0)
    assert stages(part) and not stages(ag.do_not_convert(part))
    assert not stages(ag.do_not_convert(ag.convert(lambda x: 1.0 if x > 0 else -1.0)))


def test_a_wrapper_has_the_marks_of_what_it_wraps_but_is_another_function() -> None:
    @ag.do_not_convert
    def marked(x: Any) -> Any:
        return x

    @functools.wraps(marked)
    def around(x: Any) -> Any:
        return marked(x) if x > 0 else -marked(x)

    assert stages(around)

    @ag.convert
    def inner(x: Any) -> Any:
        return x + 1

    @functools.wraps(inner)
    def outer(x: Any) -> Any:
        return inner(x) * 10

    @functools.wraps(outer)
    def outermost(x: Any) -> Any:
        return outer(x) + 0.5

    for _ in range(2):  # The second time all of them have been converted.
        assert ag.function(lambda x: outermost(x))(np.float64(1.0)) == 20.5


def test_functions_wrapped_by_one_decorator_twice_after_conversion() -> None:
    def plus_one(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(x: Any) -> Any:
            return function(x) + 1

        return wrapper

    once = plus_one(lambda x: x)
    assert ag.function(lambda x: once(x))(np.float64(1.0)) == 2.0
    twice = plus_one(once)
    assert ag.function(lambda x: twice(x))(np.float64(1.0)) == 3.0


def test_replaced_code_and_defaults_are_converted_anew() -> None:
    def f(x: Any, y: float = 1.0) -> Any:
        return x + y

    assert ag.to_graph(f)(1.0) == 2.0
    f.__defaults__ = (5.0,)
    assert ag.to_graph(f)(1.0) == 6.0
    f.__code__ = (lambda x, y: x * y).__code__
    assert ag.to_graph(f)(2.0) == 10.0


# Strictness


def without_source(x: Any) -> Any:
    raise NotImplementedError


exec("def without_source(x):\n    return x * 2", globals())


def call_without_source(x: Any) -> Any:
    return without_source(x) + 1


def test_a_callee_that_cannot_be_converted_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUTOGRAPH_STRICT", raising=False)
    with pytest.raises(ag.ConversionError) as caught:
        ag.function(call_without_source)(np.float64(1.0))
    assert caught.value.code == "AG002"


def test_unless_the_environment_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAPH_STRICT", "0")
    staged = ag.function(call_without_source)
    assert staged(np.float64(1.0)) == 3.0
    ((location, text),) = staged.concrete_function(np.float64(1.0)).notes
    assert text.startswith("`without_source` runs as it is: AG002 ")
    assert location is not None and location.function == "call_without_source"


@pytest.mark.parametrize(("environment", "chosen"), [("1", False), ("0", True)])
def test_or_the_decorator_does(monkeypatch: pytest.MonkeyPatch, environment: str, chosen: bool) -> None:
    monkeypatch.setenv("AUTOGRAPH_STRICT", environment)
    strict = ag.convert(strict=chosen)(call_without_source)
    inner = ag.convert()(call_without_source)
    chosen_around = ag.convert(strict=chosen)(lambda x: inner(x))
    for function in (strict, chosen_around):
        staged = ag.function(lambda x, function=function: function(x))
        if chosen:
            with pytest.raises(ag.ConversionError):
                staged(np.float64(1.0))
        else:
            assert staged(np.float64(1.0)) == 3.0
    assert policy.is_strict() is (environment == "1")


def test_generators_are_no_refusal() -> None:
    def numbers(n: int) -> Iterator[int]:
        yield from range(n)

    def f(x: Any) -> Any:
        for number in numbers(3):
            x = x + number
        return x

    staged = ag.function(f)
    assert staged(np.float64(1.0)) == 4.0
    assert not [text for _, text in staged.concrete_function(np.float64(1.0)).notes if "as it is" in text]


def test_plain_python_is_not_touched_by_a_strict_environment() -> None:
    program = "import autograph as ag\nf = ag.convert(eval('lambda x: x + 1'))\nprint(f(1))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


# What `ag.convert` takes


@pytest.mark.parametrize("name", METHODS)
def test_converted_classes(name: str) -> None:
    class Converted(Signs):
        pass

    for method in METHODS:
        setattr(Converted, method, _copied(vars(Signs)[method]))
    assert ag.convert(Converted) is Converted
    assert getattr(Converted(), name)(3.0) == 1.0
    assert stages(getattr(Converted(), name))
    plain = ag.do_not_convert(lambda x: getattr(Converted(), name)(x))
    assert not stages(plain)


def test_converted_properties_partials_and_callables() -> None:
    class Box:
        value: Any = 1.0

        @ag.convert
        @property
        def sign(self) -> float:
            return 1.0 if self.value > 0 else -1.0

    assert Box().sign == 1.0
    assert ag.convert(functools.partial(sign))(-1.0) == -1.0
    assert ag.convert(Signs())(-1.0) == -1.0
    bound = ag.convert(Signs().method)
    assert bound(2.0) == 1.0 and isinstance(bound.__self__, Signs)
    with activated(NATIVE):
        assert ag.convert(Signs())(-1.0) == -1.0 and bound(2.0) == 1.0


def test_what_is_decorated_converts_also_in_an_installed_package() -> None:
    program = "import autograph as ag\n\n@DECORATOR\ndef sign(x):\n    return 1.0 if x > 0 else -1.0\n"
    folder = next(folder for folder in policy._LIBRARY_FOLDERS if "site-packages" in folder)
    for decorator in ("ag.convert", "ag.function", "ag.convert(strict=True)"):
        file = f"{folder}decorated {decorator}.py"
        text = program.replace("DECORATOR", decorator)
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        scope: dict[str, Any] = {}
        exec(compile(text, file, "exec"), scope)
        assert ag.function(lambda x, sign=scope["sign"]: sign(x))(np.float64(-2.0)) == -1.0
        scope.clear()


def test_one_note_for_a_callee_that_is_called_often() -> None:
    scope: dict[str, Any] = {}
    exec("def hidden(x):\n    return x + 1", scope)
    hidden = scope["hidden"]

    def calls(x: Any) -> Any:
        for _ in range(3):
            x = hidden(x)
        return x

    staged = ag.function(ag.convert(calls, strict=False))
    assert staged(np.float64(1.0)) == 4.0
    notes = [text for _, text in staged.concrete_function(np.float64(1.0)).notes]
    assert notes == ["`hidden` runs as it is: AG002 the source of `hidden` cannot be found (file '<string>')"]


def test_methods_that_a_class_got_from_a_decorator_or_a_library_stay() -> None:
    @ag.convert
    @dataclasses.dataclass
    class Point:
        x: Any

        def sign(self) -> float:
            return 1.0 if self.x > 0 else -1.0

    @ag.convert
    class Colour(enum.Enum):
        RED = 1

        def lower(self) -> str:
            return self.name.lower()

    assert Point(1.0) == Point(1.0) and Point(-1.0).sign() == -1.0
    assert ag.function(lambda x: Point(x).sign())(np.float64(-2.0)) == -1.0
    assert Colour(1).lower() == "red"


def test_staged_functions_take_the_strictness_of_converted_ones() -> None:
    staged = ag.function(ag.convert(strict=False)(call_without_source))
    assert staged(np.float64(1.0)) == 3.0


def test_a_rule_ends_with_its_block(installed: ModuleType) -> None:
    with ag.include("kit"):
        assert stages(installed.sign)
        with ag.exclude("kit.signs"):
            assert not stages(installed.sign)
            # What is said inside of the whole takes the place of the part, and gives it back.
            with ag.include("kit"):
                assert stages(installed.sign)
            assert not stages(installed.sign)
        assert stages(installed.sign)
    assert not stages(installed.sign)
    lasting = ag.include("kit.signs")
    with pytest.raises(ZeroDivisionError), ag.exclude("kit"):
        raise ZeroDivisionError
    assert stages(installed.sign)
    with lasting:
        pass
    assert not stages(installed.sign) and policy._rules.by_name == {}


def test_the_mark_with_parentheses() -> None:
    @ag.do_not_convert()
    def marked(x: Any) -> float:
        return 1.0 if x > 0 else -1.0

    assert marked(2.0) == 1.0 and not stages(marked)
