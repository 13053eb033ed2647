"""What ``ag.convert`` gives is the function itself with a test in front: nobody can tell."""

from __future__ import annotations

import asyncio
import copy
import cProfile
import dis
import gc
import inspect
import pickle
import pstats
import subprocess
import sys
import threading
import traceback
import types
import weakref
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src import prologue
from autograph._src.backends.native import NATIVE
from autograph._src.backends.protocol import activated, active_backend
from autograph._src.policy import ORIGINAL

LIBRARY = Path(__file__).parent / "unstaged" / "spliced_library.py"


@pytest.fixture(params=["bytecode", "wrapper"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All that holds for functions with the test in their bytecode holds for wrappers, too."""
    if request.param == "wrapper":
        monkeypatch.setattr(prologue, "IS_SERVED", False)
    elif not prologue.IS_SERVED:
        pytest.fail("this version of Python is not served")
    return str(request.param)


def both(function: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """Results of the original and of the converted function, with exceptions as results."""

    def outcome(call: Any) -> Any:
        try:
            return call(*args, **kwargs)
        except Exception as error:
            return (type(error), str(error))

    return outcome(function), outcome(ag.convert(function))


def many_kinds(a: Any, /, b: Any, c: Any = 3, *rest: Any, k: Any, d: Any = 5, **more: Any) -> Any:
    """Documentation."""
    return (a, b, c, rest, k, d, more)


@pytest.mark.parametrize("is_active", [False, True])
@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((1, 2), {"k": 4}),
        ((1, 2, 7, 8, 9), {"k": 4, "d": 6, "a": 1, "z": 2}),
        ((1,), {"b": 2, "k": 4, "rest": 1, "more": 2}),
        ((), {"k": 4}),
        ((1, 2), {}),
        ((1, 2), {"b": 3, "k": 4}),
    ],
)
def test_every_kind_of_parameter(is_active: bool, args: Any, kwargs: Any) -> None:
    with activated(NATIVE if is_active else None):
        plain, converted = both(many_kinds, *args, **kwargs)
    assert plain == converted


def test_arguments_reach_the_other_version_as_they_were_given() -> None:
    names = [f"p{number}" for number in range(300)]
    text = f"def wide({', '.join(names)}, *rest, {', '.join('k' + n for n in names)}, **more):\n"
    text += f"    return ({', '.join(names)}, rest, {', '.join('k' + n for n in names)}, more)\n"
    scope: dict[str, Any] = {}
    exec(text, scope)
    wide = ag.do_not_convert(scope["wide"])
    keywords = {f"k{name}": -place for place, name in enumerate(names)}
    want = wide(*range(310), **keywords, extra=1)
    assert ag.convert(wide)(*range(310), **keywords, extra=1) == want
    with activated(NATIVE):
        assert ag.convert(wide)(*range(310), **keywords, extra=1) == want


def test_it_looks_like_the_original() -> None:
    converted = ag.convert(many_kinds)
    assert inspect.signature(converted) == inspect.signature(many_kinds)
    assert inspect.getsource(converted) == inspect.getsource(many_kinds)
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        assert getattr(converted, name) == getattr(many_kinds, name)
    assert converted.__wrapped__ is many_kinds and getattr(converted, ORIGINAL) is many_kinds
    assert ag.convert(converted) is converted
    assert copy.deepcopy(converted) is converted


def test_attributes_and_defaults(way: str) -> None:
    def f(x: Any = 1, *, k: Any = 2) -> Any:
        return x + k

    f.note = "kept"  # type: ignore[attr-defined]
    converted = ag.convert(f)
    assert converted.note == "kept"  # type: ignore[attr-defined]
    if way == "bytecode":
        assert converted.__defaults__ == (1,) and converted.__kwdefaults__ == {"k": 2}
        assert inspect.isfunction(converted) and converted.__closure__ is f.__closure__


def by_name(x: Any) -> Any:
    return x + 1


by_name = ag.convert(by_name)


def test_pickling_by_name() -> None:
    assert pickle.loads(pickle.dumps(by_name)) is by_name


def test_the_constants_can_be_pickled_with_the_code(way: str) -> None:
    if way == "wrapper":
        assert by_name(1) == 2
        return
    converted = ag.convert(many_kinds)
    constants = pickle.loads(pickle.dumps(converted.__code__.co_consts))  # type: ignore[attr-defined]
    code = converted.__code__.replace(co_consts=constants)  # type: ignore[attr-defined]
    copied = types.FunctionType(code, globals())
    assert copied(1, 2, 3, k=4, d=5) == (1, 2, 3, (), 4, 5, {})
    with activated(NATIVE), pytest.raises(ag.ConversionError, match="does not know the function"):
        copied(1, 2, 3, k=4, d=5)


def test_bytecode_after_the_test_is_the_original_and_so_are_its_tables(way: str) -> None:
    if way == "wrapper":
        assert ag.convert(try_everything).__code__.co_name == "wrapper"  # type: ignore[attr-defined]
        return
    before, after = try_everything.__code__, ag.convert(try_everything).__code__  # type: ignore[attr-defined]
    added = len(after.co_code) - len(before.co_code)

    def shown(code: Any, start: int) -> list[Any]:
        return [
            (one.opname, one.arg, one.argrepr.partition("to ")[0], one.positions)
            for one in dis.get_instructions(code)
            if one.offset >= start
        ]

    assert shown(after, added) == shown(before, 0)
    entries = dis._parse_exception_table  # type: ignore[attr-defined]
    moved = [(e.start + added, e.end + added, e.target + added, e.depth, e.lasti) for e in entries(before)]
    assert [(e.start, e.end, e.target, e.depth, e.lasti) for e in entries(after)] == moved and moved
    in_front = list(after.co_positions())[: added // 2]
    assert set(in_front) == {(None, None, None, None)}


class Boundary:
    """A context manager that writes down what happens."""

    def __init__(self, seen: list[Any]) -> None:
        self.seen = seen

    def __enter__(self) -> None:
        self.seen.append("enter")

    def __exit__(self, kind: Any, *_: Any) -> bool:
        self.seen.append(kind)
        return kind is KeyError


def try_everything(which: Any) -> Any:
    seen: list[Any] = []
    for number in range(3):
        try:
            with Boundary(seen):
                if which == number:
                    raise KeyError(number)
                if which == number + 10:
                    raise ValueError(number)
                if which == number + 20:
                    break
                if which == number + 30:
                    return seen
        except ValueError as error:
            seen.append(str(error))
        else:
            seen.append("else")
        finally:
            seen.append("finally")
    try:
        {}[which]
    except* KeyError:
        seen.append("group")
    return seen


@pytest.mark.parametrize("which", [0, 2, 11, 12, 21, 32, 99])
def test_exceptions(which: int) -> None:
    plain, converted = both(try_everything, which)
    assert plain == converted


def test_many_constants_and_long_bodies() -> None:
    lines = [f"    x += {number}.5\n" for number in range(1, 2_000)]
    text = f"def long(x, *, by=2.25):\n    while x < 5:\n        x *= by\n{''.join(lines)}    return x\n"
    scope: dict[str, Any] = {}
    exec(text, scope)
    plain, converted = both(scope["long"], 1.0)
    assert plain == converted
    marked = ag.convert(ag.do_not_convert(scope["long"]))
    with activated(NATIVE):
        assert marked(1.0) == plain


def test_closures_cells_and_super() -> None:
    def outer(start: Any) -> Any:
        def step(by: Any) -> Any:
            nonlocal start
            start += by
            return [start + by for _ in range(2)], (lambda: by)()

        return ag.convert(step), lambda: start

    step, read = outer(1)
    assert step(2) == ([5, 5], 2) and read() == 3
    with activated(NATIVE):
        assert step(2) == ([7, 7], 2) and read() == 5

    class Base:
        def name(self) -> str:
            return "base"

    class Derived(Base):
        @ag.convert
        def name(self) -> str:
            return super().name() + (lambda: __class__.__name__)()  # type: ignore[name-defined]

    assert Derived().name() == "baseDerived"


def test_generators_and_coroutines() -> None:
    @ag.convert
    def numbers(n: int) -> Any:
        received = []
        try:
            for number in range(n):
                received.append((yield number))
        finally:
            received.append("closed")
        return received

    generator = numbers(3)
    assert next(generator) == 0 and generator.send("a") == 1
    with pytest.raises(StopIteration):
        generator.throw(StopIteration) if False else [*generator] and next(generator)
    assert [*numbers(3)] == [0, 1, 2]

    @ag.convert
    async def double(x: int) -> int:
        await asyncio.sleep(0)
        return 2 * x

    @ag.convert
    async def stream(n: int) -> Any:
        for number in range(n):
            yield await double(number)

    async def collected() -> list[int]:
        return [number async for number in stream(3)]

    assert asyncio.run(collected()) == [0, 2, 4]


def test_kinds_that_others_ask_for(way: str) -> None:
    async def coroutine() -> None: ...
    def generator() -> Any:
        yield

    if way == "bytecode":
        assert inspect.iscoroutinefunction(ag.convert(coroutine))
        assert inspect.isgeneratorfunction(ag.convert(generator))
    assert not inspect.isgeneratorfunction(ag.convert(coroutine))


def failing(x: Any) -> Any:
    y = x + 1
    return y / 0


def test_tracebacks(way: str) -> None:
    def lines(function: Any) -> list[Any]:
        try:
            function(1)
        except ZeroDivisionError as error:
            return [(f.name, f.lineno, f.colno) for f in traceback.extract_tb(error.__traceback__)][1:]
        raise AssertionError

    plain, converted = lines(failing), lines(ag.convert(failing))
    assert converted[-1:] == plain
    if way == "bytecode":
        assert converted == plain


def events(function: Any, *args: Any) -> list[Any]:
    """What a debugger is told of a call."""
    seen: list[Any] = []

    def tell(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename == __file__ and frame.f_code.co_name != "events":
            seen.append((event, frame.f_code.co_name, frame.f_lineno, sorted(frame.f_locals)))
        return tell

    before = sys.gettrace()
    sys.settrace(tell)
    try:
        function(*args)
    except ZeroDivisionError:
        seen.append("raised")
    finally:
        sys.settrace(before)
    return seen


@pytest.mark.parametrize("function", [failing, try_everything])
def test_debuggers_are_told_the_same(function: Any) -> None:
    seen = events(function, 1)
    assert seen == events(ag.convert(function), 1) and len(seen) > 3


def test_profilers_are_told_the_same(way: str) -> None:
    def profiled(function: Any) -> Any:
        with cProfile.Profile() as profile:
            try_everything_of(function)
        stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
        ours = {key[2]: value[:2] for key, value in stats.items() if "autograph" not in key[0]}
        # The garbage collector may run at any time, and tests may watch it.
        return {
            name: calls for name, calls in ours.items() if "gc_callback" not in name and "time." not in name
        }

    def try_everything_of(function: Any) -> None:
        for which in range(5):
            function(which)

    converted = profiled(ag.convert(try_everything))
    if way == "bytecode":
        assert converted == profiled(try_everything)
    assert converted["try_everything"] == (5, 5)


def test_frames_do_not_show_the_test_in_front(way: str) -> None:
    names: list[list[str]] = []

    @ag.do_not_convert
    def look() -> None:
        frame, found = sys._getframe(1), []
        while frame is not None and len(found) < 3:
            if "/autograph/" not in frame.f_code.co_filename:
                found.append(frame.f_code.co_name)
            frame = frame.f_back  # type: ignore[assignment]
        names.append(found[:2])

    @ag.convert
    def inner() -> None:
        look()

    def outer() -> None:
        inner()

    outer()
    with activated(NATIVE):
        outer()
    assert names == [["inner", "outer"]] * 2


@ag.convert
def depth(count: int) -> int:
    return 0 if count == 0 else 1 + depth(count - 1)


def test_recursion_is_as_deep_as_that_of_the_original(way: str) -> None:
    def deepest(function: Any) -> int:
        low, high = 1, sys.getrecursionlimit()
        while low < high:
            middle = (low + high + 1) // 2
            try:
                function(middle)
            except RecursionError:
                high = middle - 1
            else:
                low = middle
        return low

    def plain(count: int) -> int:
        return 0 if count == 0 else 1 + plain(count - 1)

    if way == "bytecode":
        # The test itself needs a level or two of the C stack, which CPython 3.11 counts too.
        assert deepest(plain) - 5 <= deepest(depth) <= deepest(plain)
    assert deepest(depth) > 0.4 * deepest(plain)


def test_threads_and_blocks_see_their_own_back_end() -> None:
    @ag.convert
    def seen() -> str:
        return ag.control_status().name

    found = []
    with activated(NATIVE):
        found.append(seen())
        thread = threading.Thread(target=lambda: found.append(seen()))
        thread.start()
        thread.join()
        with activated(None):
            assert active_backend() is None
            found.append(seen())
        found.append(seen())
    assert [*found, seen()] == ["ENABLED", "UNSPECIFIED", "UNSPECIFIED", "ENABLED", "UNSPECIFIED"]


def test_staged_calls_run_the_converted_version() -> None:
    @ag.convert
    def newton(x: Any, *, tolerance: Any = 1e-12) -> Any:
        while np.abs(x * x - 2.0) > tolerance:
            x = x - (x * x - 2.0) / (2.0 * x)
        return x

    assert abs(newton(1.0) - 2**0.5) < 1e-9
    assert abs(ag.function(lambda x: newton(x))(np.float64(1.0)) - 2**0.5) < 1e-9


def test_functions_that_refer_to_themselves_are_freed(only_new_garbage: None) -> None:
    def make() -> Any:
        @ag.convert
        def recursive(n: int) -> int:
            return 0 if n == 0 else recursive(n - 1)

        assert recursive(3) == 0
        with activated(NATIVE):
            assert recursive(3) == 0
        return weakref.ref(recursive), weakref.ref(getattr(recursive, ORIGINAL))

    references = make()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_odd_parameter_names_get_a_wrapper() -> None:
    def f(x: Any) -> Any:
        return x + 1

    f.__code__ = f.__code__.replace(co_varnames=(".0",))
    assert ag.convert(f)(1) == 2
    assert ag.convert(f).__code__.co_name == "wrapper"  # type: ignore[attr-defined]


def test_the_standard_library_with_the_test_in_front_of_every_function(way: str) -> None:
    """A few suites; `python tests/unstaged/spliced_library.py` runs all of them."""
    if way == "wrapper":
        return
    names = ["contextlib", "generators", "extcall", "keywordonlyarg", "scope", "super"]
    done = subprocess.run([sys.executable, str(LIBRARY), *names], capture_output=True, text=True)
    assert done.stdout.endswith("6 of 6 suites have the same result\n"), done.stdout
