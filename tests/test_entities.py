"""What can be converted: every kind of callable, by every function of the front end."""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import linecache
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest


class Scaler:
    factor = 2.0

    def __init__(self, offset: float) -> None:
        self.offset = offset

    def method(self, x: Any) -> Any:
        return x + self.offset if x > 0 else -x

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return x * cls.factor if x > 0 else -x

    @staticmethod
    def of_nobody(x: Any) -> Any:
        return x * 3 if x > 0 else -x

    @property
    def doubled(self) -> Any:
        return self.offset * 2 if self.offset > 0 else 0.0

    def __call__(self, x: Any) -> Any:
        return x - self.offset if x > 0 else -x

    def __private(self, x: Any) -> Any:
        return x if x > 0 else -x

    def uses_private(self, x: Any) -> Any:
        return self.__private(x) + self.offset


class Child(Scaler):
    def method(self, x: Any) -> Any:
        return super().method(x) * 10 if x > -5 else x


@dataclasses.dataclass
class Point:
    a: float
    b: float = 2.0

    def dot(self, x: Any) -> Any:
        return self.a * x + self.b if x > 0 else self.b


def plain(x: Any) -> Any:
    return x + 1 if x > 0 else -x


@functools.wraps(plain)
def wraps_plain(x: Any) -> Any:
    return plain(x) * 2 if x > 0 else 0.0


@functools.lru_cache(maxsize=3)
def cached(x: Any) -> Any:
    return x + 1 if x > 0 else -x


def add(a: Any, x: Any, *, scale: float = 1.0) -> Any:
    return (x + a) * scale if x > 0 else a


two = (lambda x: x + 1 if x > 0 else -x), (lambda x: x * 2 if x > 0 else -x)
several_lines = (  # noqa: E731
    lambda x:
    x + 1
    if x > 0 else
    -x
)  # fmt: skip
nested = (lambda a: lambda x: x + a if x > 0 else a)(2)
scaler, child, point = Scaler(4.0), Child(4.0), Point(3.0)

ENTITIES = {
    "function": plain,
    "lambda": two[0],
    "second lambda of a line": two[1],
    "lambda of several lines": several_lines,
    "lambda in a lambda": nested,
    "bound method": scaler.method,
    "method with super()": child.method,
    "method with private names": scaler.uses_private,
    "bound class method": Scaler.of_class,
    "static method": Scaler.of_nobody,
    "callable object": scaler,
    "method of a dataclass": point.dot,
    "wraps": wraps_plain,
    "lru_cache": cached,
    "partial": functools.partial(add, 5.0, scale=2.0),
    "partial of a method": functools.partial(scaler.method),
}


@pytest.mark.parametrize("name", ENTITIES)
@pytest.mark.parametrize("x", [2.0, -2.0])
def test_every_entity(name: str, x: float) -> None:
    entity = ENTITIES[name]
    want = entity(x)
    assert ag.to_graph(entity)(x) == want
    assert ag.convert(entity)(x) == want
    assert "ag__." in ag.to_code(entity)
    staged = np.float64(x)
    assert ag.function(entity)(staged) == entity(staged)

    def caller(x: Any) -> Any:
        return entity(x)

    assert ag.function(caller)(staged) == entity(staged)


def test_descriptors_stay_what_they_are() -> None:
    made = ag.to_graph(Scaler.__dict__["of_class"])
    assert isinstance(made, classmethod) and made.__get__(None, Scaler)(2.0) == 4.0
    assert isinstance(ag.to_graph(Scaler.__dict__["of_nobody"]), staticmethod)
    converted = ag.to_graph(Scaler.__dict__["doubled"])
    assert isinstance(converted, property) and converted.__get__(scaler, Scaler) == 8.0
    assert isinstance(ag.to_graph(scaler.method), types.MethodType)
    assert ag.to_graph(cached).cache_info().maxsize == 3
    assert isinstance(ag.to_graph(functools.partial(add, 1.0)), functools.partial)


def test_a_class() -> None:
    made = ag.to_graph(Child)
    assert issubclass(made, Child) and made(4.0).method(2.0) == Child(4.0).method(2.0)
    text = ag.to_code(Scaler)
    assert text.count("\ndef ") + text.startswith("def ") == 8

    class Counter:
        def __init__(self) -> None:
            self.count = 0

        def add(self, x: Any) -> None:
            if x > 0:
                self.count += 1

        def __add__(self, x: Any) -> Any:
            return self.count + x if x > 0 else x

        @property
        def is_empty(self) -> bool:
            return not self.count

    assert ag.convert(Counter) is Counter

    def f(x: Any) -> Any:
        counter = Counter()
        counter.add(x)
        return counter + x, counter.count

    for x in (2.0, -2.0):
        assert ag.function(f)(np.float64(x)) == f(np.float64(x))


def test_methods_of_a_class_in_the_function() -> None:
    def f(x: Any) -> Any:
        class Local:
            def sign(self, v: Any) -> Any:
                if v > 0:
                    return 1.0
                return -1.0

        return Local().sign(x) * x

    for x in (2.0, -3.0):
        assert ag.function(f)(np.float64(x)) == abs(x)


@pytest.mark.parametrize("entity", [len, 3, "text", np.sum, dict.get, Scaler(1.0).offset])
def test_what_is_no_python_function(entity: Any) -> None:
    for use in (ag.to_graph, ag.to_code, ag.convert, ag.function):
        with pytest.raises(ag.ConversionError) as caught:
            use(entity)
        assert caught.value.code == "AG011" and "is not a Python function" in str(caught.value)


def made_by_exec(text: str, file: str, remember: bool = True) -> Any:
    if remember:
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), scope)
    return scope["f"]


TEXT = "def f(x):\n    while x > 1.0:\n        x = x * 0.5\n    return x\n"


@pytest.mark.parametrize("file", ["<ipython-input-3-0b6a>", "/tmp/ipykernel_71/390.py", "<made here>"])
def test_notebooks_and_exec(file: str) -> None:
    f = made_by_exec(TEXT, file)
    assert ag.function(f)(np.float64(5.0)) == f(5.0)
    assert ag.to_graph(f)(5.0) == f(5.0)


def test_exec_without_a_source() -> None:
    f = made_by_exec(TEXT, "<nowhere>", remember=False)
    with pytest.raises(ag.ConversionError) as caught:
        ag.function(f)(np.float64(5.0))
    assert caught.value.code == "AG002" and "`f` cannot be found" in str(caught.value)


def test_the_repl() -> None:
    session = TEXT + "\nimport autograph as ag\nprint('got', ag.to_graph(f)(5.0))\n"
    done = subprocess.run([sys.executable, "-i", "-q"], input=session, capture_output=True, text=True)
    if sys.version_info >= (3, 13):
        assert "got 0.625" in done.stdout, done.stderr
    else:
        assert "the source of `f` cannot be found (file '<stdin>') [AG002]" in done.stderr
        assert "help: the REPL keeps sources since Python 3.13" in done.stderr


def test_a_cell_that_was_kept_with_a_time() -> None:
    for _ in range(2):
        f = made_by_exec(TEXT, "<a cell with a time>")
        linecache.cache["<a cell with a time>"] = (
            len(TEXT),
            3.5,
            TEXT.splitlines(True),
            "<a cell with a time>",
        )
        assert ag.to_graph(f)(5.0) == 0.625


CHANGES = {
    "a constant": TEXT.replace("0.5", "0.25"),
    "an operator": TEXT.replace("x * 0.5", "x + 0.5"),
    "a name": TEXT.replace("return x", "return y"),
    "a statement more": TEXT.replace("    return", "    x = -x\n    return"),
    "a line above": "y = 1\n" + TEXT,
    "another function": "def g(y):\n    return y\n",
    "no syntax": "def f(x:\n",
    "zero's sign": TEXT.replace("x > 1.0", "x > -0.0"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_stale_source_is_refused(change: str, tmp_path: Path) -> None:
    before = TEXT.replace("x > 1.0", "x > 0.0") if change == "zero's sign" else TEXT
    path = tmp_path / "edited.py"
    path.write_text(before)
    spec = importlib.util.spec_from_file_location(f"edited_{len(change)}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path.write_text(CHANGES[change])
    with pytest.raises(ag.ConversionError) as caught:
        ag.to_graph(module.f)
    assert caught.value.code == ("AG001" if change == "no syntax" else "AG003")


def test_a_source_that_was_touched_is_not_stale(tmp_path: Path) -> None:
    path = tmp_path / "touched.py"
    path.write_text(TEXT + "\nX = 1\n")
    spec = importlib.util.spec_from_file_location("touched", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path.write_text(TEXT + "\nX = 2  # this is not the function\n")
    assert ag.to_graph(module.f)(5.0) == 0.625


def test_functions_with_assertions_that_pytest_rewrote() -> None:
    def f(x: Any) -> Any:
        assert x != 3, "three"
        return x + 1 if x > 0 else -x

    assert ag.function(f)(np.float64(2.0)) == 3.0


def test_a_source_that_is_nested_too_deeply() -> None:
    f = made_by_exec("def f(x):\n    return " + " + ".join(["x"] * 1500) + "\n", "<deep>")
    with pytest.raises(ag.ConversionError) as caught:
        ag.to_graph(f)
    assert caught.value.code == "AG005" and f(1) == 1500


def test_what_stays_as_written() -> None:
    def generator(n: int) -> Any:
        for i in range(n):
            yield i * 2

    async def coroutine(x: Any) -> Any:
        return x + 1

    for function in (generator, coroutine):
        with pytest.raises(ag.ConversionError) as caught:
            ag.to_graph(function)
        assert caught.value.code == "AG010" and caught.value.location is not None

    def f(x: Any) -> Any:
        total = x * 0
        for v in generator(3):
            total = total + v * x
        return total

    assert ag.function(f)(np.float64(2.0)) == f(np.float64(2.0))
    assert ag.to_graph(f)(2.0) == f(2.0)


class Descriptors:
    """A cached property, a partial method, and a method that stays as it is written."""

    offset = 2.0

    @functools.cached_property
    def doubled(self) -> Any:
        return self.offset * 2 if self.offset > 0 else 0.0

    def method(self, x: Any, factor: float = 1.0) -> Any:
        return x * factor if x > self.offset else -x

    tripled = functools.partialmethod(method, factor=3.0)

    def numbers(self) -> Any:
        yield from (1.0, 2.0)


def test_cached_properties_and_partial_methods() -> None:
    for name in ("doubled", "tripled"):
        for make in (ag.to_graph, ag.convert):
            assert type(make(vars(Descriptors)[name])) is type(vars(Descriptors)[name])

    class Decorated:
        doubled = ag.convert(vars(Descriptors)["doubled"])
        tripled = ag.to_graph(vars(Descriptors)["tripled"])
        offset = -1.0

    assert Decorated().doubled == 0.0 and Decorated().tripled(2.0) == 6.0
    converted = ag.convert(type("Child", (Descriptors,), dict(vars(Descriptors))))
    one = converted()
    assert one.doubled == 4.0 and vars(one)["doubled"] == 4.0 and one.tripled(3.0) == 9.0
    assert ag.function(lambda x: one.tripled(x) + one.doubled)(np.float64(3.0)) == 13.0


def test_a_class_with_methods_that_stay_as_written() -> None:
    converted = ag.to_graph(Descriptors)
    assert list(converted().numbers()) == [1.0, 2.0] and "numbers" not in vars(converted)
    assert "# numbers stays as written: the function is a generator\n" in ag.to_code(Descriptors)


def test_what_a_dataclass_runs_after_its_fields_are_set() -> None:
    @dataclasses.dataclass
    class Interval:
        start: float
        end: float = 1.0

        def __post_init__(self) -> None:
            self.end = self.end * 2 if self.start > 0 else self.end

    for kind in (Interval, ag.convert(Interval)):
        staged = ag.function(lambda x, kind=kind: kind(x).end)
        assert staged(np.float64(3.0)) == 2.0 and staged(np.float64(-3.0)) == 1.0


def test_caches_hold_no_staged_values_and_remember_plain_ones() -> None:
    runs = []
    keep = ag.do_not_convert(lambda n: runs.append(n))

    @functools.cache
    def fibonacci(n: int) -> int:
        keep(n)
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    @functools.cache
    def sign(x: Any) -> float:
        return 1.0 if x > 0 else -1.0

    staged = ag.function(lambda x: x + fibonacci(80) + fibonacci(80) + sign(x))
    assert staged(np.float64(0.5)) == 0.5 + 2 * 23416728348467685 + 1.0
    assert sorted(runs) == list(range(81))
    assert ag.function(lambda x: sign(x) + sign(x=x) + sign(2))(np.float64(-1.0)) == -1.0
    assert sign.cache_info().currsize == 0
