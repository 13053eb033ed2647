"""The public names behave as people expect of a decorator: wrapping, caching, tracebacks, refusals."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import subprocess
import sys
import threading
import traceback
import warnings

import autograph as ag
import numpy as np
import pytest


def double(x, times=1):
    """Docstring."""
    for _ in range(times):
        x = x * 2
    return x


def test_function_looks_like_the_original() -> None:
    staged = ag.function(double)
    assert staged.__name__ == "double" and staged.__doc__ == "Docstring."
    assert staged.__wrapped__ is double
    assert inspect.signature(staged) == inspect.signature(double)
    assert ag.function(staged) is staged
    assert repr(staged) == "<ag.function double>"


def test_both_spellings_of_the_decorator() -> None:
    @ag.function()
    def f(x):
        return x + 1

    @ag.convert()
    def g(x):
        return x + 1

    assert f(np.float64(1.0)) == 2.0 and g(1.0) == 2.0


def test_one_trace_serves_all_values_and_two_serve_two_shapes() -> None:
    traces = []

    @ag.do_not_convert
    def note() -> None:
        traces.append(1)

    @ag.function
    def f(x, lr):
        note()
        return x * lr

    f(np.ones(3), 0.5), f(np.zeros(3), 0.25)
    assert len(traces) == 1
    assert f(np.ones(4), 0.5).shape == (4,)
    assert len(traces) == 2
    f(np.ones(3, np.float32), 0.5)
    assert len(traces) == 3


def test_a_python_int_becomes_an_input_at_its_second_value() -> None:
    staged = ag.function(double)
    assert [staged(np.float64(1.0), n) for n in (3, 5, 6, 7)] == [8.0, 32.0, 64.0, 128.0]
    assert len(staged._cache) == 2


def test_a_python_int_that_shapes_the_program_stays_static_with_one_warning() -> None:
    @ag.function
    def f(x, n):
        return x + np.zeros(n)

    f(np.float64(1.0), 2)
    with pytest.warns(UserWarning, match="retraced for each value"):
        assert f(np.float64(1.0), 3).shape == (3,)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(np.float64(1.0), 4).shape == (4,)


def test_arguments_and_results_are_trees() -> None:
    @ag.function
    def f(pair, options):
        a, b = pair
        return {"sum": a + b, "all": [a, (b, options["scale"])], "name": options["name"]}

    got = f((np.float64(1.0), np.arange(2.0)), {"scale": 2.0, "name": "x"})
    assert list(got) == ["sum", "all", "name"] and got["name"] == "x"
    np.testing.assert_array_equal(got["sum"], [1.0, 2.0])
    assert got["all"][1][1] == 2.0 and type(got["all"][1][1]) is float


def test_an_argument_that_comes_back_is_the_same_object() -> None:
    x = np.arange(3.0)
    assert ag.function(lambda v: v)(x) is x


def test_arguments_that_are_one_array() -> None:
    @ag.function
    def f(x, y):
        x += 1.0
        return x is y, y.sum(), x

    for function in (f, f.__wrapped__):
        a, b = np.ones(3), np.ones(3)
        same, total, result = function(a, a)
        assert same and total == 6.0 and result is a
        same, total, result = function(a, b)
        assert not same and total == 3.0 and result is a
        np.testing.assert_array_equal(a, [3.0, 3.0, 3.0])
        np.testing.assert_array_equal(b, np.ones(3))


def test_results_are_made_anew_at_every_call() -> None:
    @ag.do_not_convert
    def library(n):
        return np.full(n, 7.0)

    @ag.function
    def f(x):
        return {"a": [x]}, {1, 2}, library(2)

    first, second = f(np.float64(1.0)), f(np.float64(1.0))
    assert first[:2] == second[:2] and not any(a is b for a, b in zip(first, second, strict=True))

    @ag.function
    def g(x):
        return iter([x])

    with pytest.raises(ag.StagingError, match="made while tracing"):
        g(np.float64(1.0))


def test_arrays_that_are_not_contiguous() -> None:
    x = np.arange(12.0).reshape(3, 4)
    f = ag.function(lambda v: v * 2 + 1)
    np.testing.assert_array_equal(f(x.T), x.T * 2 + 1)
    np.testing.assert_array_equal(f(x[:, ::2]), x[:, ::2] * 2 + 1)
    np.testing.assert_array_equal(f(x[::-1]), x[::-1] * 2 + 1)


GLOBAL = np.array([1.0, 2.0])
SCALE = 2.0


def uses_globals(x):
    return x * GLOBAL * SCALE


def test_globals_are_read_at_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    f = ag.function(uses_globals)
    np.testing.assert_array_equal(f(np.ones(2)), [2.0, 4.0])
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    np.testing.assert_array_equal(f(np.ones(2)), [3.0, 6.0])
    monkeypatch.setitem(globals(), "GLOBAL", np.array([5.0, 5.0]))
    np.testing.assert_array_equal(f(np.ones(2)), [15.0, 15.0])
    GLOBAL[0] = 7.0
    np.testing.assert_array_equal(f(np.ones(2)), [21.0, 15.0])


CONFIG = {"scale": 2.0, "layers": [1.0, 2.0]}


class Rate:
    __slots__ = ("value",)


def test_objects_are_read_at_every_call() -> None:
    """Attributes and elements of objects that are no arguments of the graph are no constants either."""
    rate = Rate()
    rate.value = 1.0

    class Model:
        def __init__(self) -> None:
            self.factor = 2.0
            self.inner = rate
            self.weights = np.ones(2)

        @ag.function
        def __call__(self, x):
            return x * self.factor * self.inner.value * CONFIG["scale"] * CONFIG["layers"][1] * self.weights

    model, x = Model(), np.float64(1.0)
    np.testing.assert_array_equal(model(x), [8.0, 8.0])
    model.factor = 3.0
    np.testing.assert_array_equal(model(x), [12.0, 12.0])
    rate.value = 10.0
    np.testing.assert_array_equal(model(x), [120.0, 120.0])
    CONFIG["scale"] = 1.0
    CONFIG["layers"][1] = 1.0
    np.testing.assert_array_equal(model(x), [30.0, 30.0])
    model.weights[0] = 2.0
    np.testing.assert_array_equal(model(x), [60.0, 30.0])
    model.weights = np.zeros(2)
    np.testing.assert_array_equal(model(x), [0.0, 0.0])


COUNT = 0


def test_writes_outside_happen_at_each_call() -> None:
    @ag.function
    def f(x):
        global COUNT
        COUNT += 1
        return x

    for _ in range(3):
        f(np.float64(1.0))
    assert COUNT == 3

    class Model:
        calls = 0

    @ag.function
    def g(x, model):
        model.calls += 1
        return x

    model = Model()
    for _ in range(3):
        g(np.float64(1.0), model)
    assert model.calls == 3 and Model.calls == 0


def test_methods() -> None:
    class Scaler:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @ag.function
        def scale(self, x):
            if x > 0:
                return x * self.factor
            return x

    a, b = Scaler(2.0), Scaler(3.0)
    assert a.scale(np.float64(1.0)) == 2.0 and b.scale(np.float64(1.0)) == 3.0
    assert a.scale(np.float64(-1.0)) == -1.0


def test_class_methods_static_methods_and_properties() -> None:
    class Numbers:
        base = 10.0

        @ag.function
        @classmethod
        def above(cls, x):
            return x + cls.base if x > 0 else x

        @ag.function
        @staticmethod
        def half(x):
            return x / 2 if x > 0 else x

        @staticmethod
        @ag.function
        def third(x):
            return x / 3 if x > 0 else x

        @property
        @ag.function
        def all(self):
            return np.float64(self.base) + self.third(np.float64(3.0))

    one = np.float64(1.0)
    assert Numbers.above(one) == Numbers().above(one) == 11.0
    assert Numbers.half(one) == Numbers().half(one) == 0.5
    assert Numbers().third(np.float64(3.0)) == 1.0
    assert Numbers().all == 11.0


def test_copies_of_staged_arrays() -> None:
    @ag.function
    def f(x):
        y, z = copy.copy(x), copy.deepcopy([x, 1])
        y[0] = 5.0
        z[0][1] = 6.0
        return x, y, z

    x, y, (z, _) = f(np.ones(2))
    assert x.tolist() == [1.0, 1.0] and y.tolist() == [5.0, 1.0] and z.tolist() == [1.0, 6.0]


def test_a_partial_and_a_nested_staged_function() -> None:
    inner = ag.function(lambda x: x + 1)

    @ag.function
    def outer(x):
        return inner(x) * functools.partial(double, times=2)(x)

    assert outer(np.float64(3.0)) == 48.0
    first = outer.concrete_function(np.float64(3.0))
    assert inner(np.float64(3.0)) == 4.0
    assert outer.concrete_function(np.float64(3.0)) is first


def raise_in_branch(x):
    y = x * 2
    if x > 0:
        y = y[10]
    return y


def test_tracebacks_show_the_user_and_nothing_of_ours() -> None:
    with pytest.raises(IndexError) as caught:
        ag.to_graph(lambda v: raise_deeper(v))(3)
    frames = traceback.extract_tb(caught.value.__traceback__)
    own = [frame for frame in frames if frame.filename == __file__]
    assert own[-1].line == "return [1, 2][x]"
    assert own[-1].name == "raise_deeper"


def raise_deeper(x):
    for _ in range(2):
        if x > 0:
            return [1, 2][x]
    return None


def test_lines_and_columns_are_the_users() -> None:
    seen = []

    def tracer(frame, event, argument):
        if frame.f_code.co_filename == __file__ and event == "line":
            seen.append((frame.f_code.co_name, frame.f_lineno))
        return tracer

    converted = ag.to_graph(raise_deeper)
    first = raise_deeper.__code__.co_firstlineno
    sys.settrace(tracer)
    try:
        converted(1)
    finally:
        sys.settrace(None)
    lines = [line - first for name, line in seen if name == "raise_deeper"]
    assert {1, 2, 3} <= set(lines), seen
    columns = {position[2:] for position in converted.__code__.co_positions() if position[0] == first + 4}
    assert columns == set() or all(start is not None for start, _ in columns)


def fails_somewhere(values, where):
    total = 0
    for v in values:
        if v > 1:
            total = total + [10, 20][v]
        while total > 100:
            total = total - len(where[0])
    return total if total < 40 else sum(where) + (lambda: undefined_name)()  # noqa: F821


@pytest.mark.parametrize(
    "arguments", [([5], []), ([1, 0], ["x"]), ([1, 1, 1, 1, 1, 1], [1]), ([0, 1, 7], [])]
)
def test_converted_code_fails_where_the_original_does(arguments) -> None:
    """File, line, columns and function of every frame of the user's are CPython's own."""
    places = []
    for function in (fails_somewhere, ag.to_graph(fails_somewhere)):
        error = None
        try:
            function(*arguments)
        except Exception as raised:
            error = raised
        frames = traceback.extract_tb(error.__traceback__) if error else []
        places.append([(f.lineno, f.colno, f.end_colno) for f in frames if f.filename == __file__])
    original, converted = places
    assert converted[-1:] == original[-1:]
    assert [line for line, *_ in converted][:1] == [line for line, *_ in original][:1]


def test_every_instruction_has_a_place_in_the_function() -> None:
    first = fails_somewhere.__code__.co_firstlineno
    pending = [ag.to_graph(fails_somewhere).__code__]
    while pending:
        code = pending.pop()
        assert code.co_filename == __file__
        pending += [constant for constant in code.co_consts if hasattr(constant, "co_code")]
        for line, end_line, column, end_column in code.co_positions():
            if line is not None and end_line is not None:
                assert first <= line <= end_line <= first + 7
                assert column is None or (line, column) <= (end_line, end_column)


def test_to_code_shows_the_conversion() -> None:
    text = ag.to_code(raise_in_branch)
    assert text.startswith("def raise_in_branch(x):\n")
    assert "ag__.if_stmt(" in text
    compile(text, "<to_code>", "exec")


def test_original_bytecode_runs_while_nothing_traces() -> None:
    def probe():
        return sys._getframe().f_code

    converted = ag.convert(probe)
    assert converted().co_code.endswith(probe.__code__.co_code)


def test_generators_stay_as_they_are() -> None:
    def numbers(n):
        yield from range(n)

    @ag.function
    def f(x):
        for i in numbers(3):
            x = x + i
        return x

    assert f(np.float64(1.0)) == 4.0
    with pytest.raises(ag.ConversionError, match="generator"):
        ag.to_graph(numbers)


def test_source_that_cannot_be_found() -> None:
    scope: dict[str, object] = {}
    exec("def f(x):\n    return x + 1", scope)
    with pytest.raises(ag.ConversionError, match="source of `f` cannot be found"):
        ag.to_graph(scope["f"])  # type: ignore[arg-type]


def test_lambdas_on_one_line() -> None:
    first, second = (lambda x: x + 1 if x > 0 else x), (lambda x: x * 3 if x > 0 else x)
    assert ag.function(first)(np.float64(2.0)) == 3.0
    assert ag.function(second)(np.float64(2.0)) == 6.0


def test_threads_trace_and_run_by_themselves() -> None:
    f = ag.function(double)
    results: list[float] = []

    def work(value: float) -> None:
        for _ in range(20):
            results.append(f(np.float64(value), 3) / value)

    threads = [threading.Thread(target=work, args=(float(n),)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [8.0] * 80


def test_disabled_runs_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRAPH_DISABLE", "1")
    assert ag.function(lambda x: type(x).__name__)(np.float64(1.0)) == "float64"


def test_a_staged_value_does_not_leave_its_call() -> None:
    class Kept:
        value = None

    @ag.do_not_convert
    def keep(value):
        Kept.value = value

    @ag.function
    def f(x):
        keep(x)
        return x

    f(np.float64(1.0))
    with pytest.raises(ag.StagingError, match="outside the call"):
        Kept.value + 1
    with pytest.raises((TypeError, AttributeError, ag.StagingError)):
        pickle.dumps(Kept.value)


def test_import_is_quick_and_needs_only_numpy() -> None:
    code = (
        "import sys, time; import numpy; t = time.perf_counter(); import autograph;"
        "print(time.perf_counter() - t); print(sorted(m.split('.')[0] for m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = done.stdout.splitlines()[1]
    for other in ("torch", "jax", "tensorflow", "scipy", "sklearn", "pytest"):
        assert f"'{other}'" not in modules


def test_dir_is_the_public_face() -> None:
    """A person who completes `ag.` sees what is meant for people, and no module of the implementation."""
    modules = {"backends", "errors"}
    assert set(dir(ag)) == {*ag.__all__, "__version__", *modules}
    assert all(inspect.ismodule(getattr(ag, name)) == (name in modules) for name in dir(ag))


def test_dir_of_the_errors_is_their_public_face() -> None:
    assert dir(ag.errors) == ag.errors.__all__ == sorted(ag.errors.__all__)
    for name in dir(ag.errors):
        entity = getattr(ag.errors, name)
        assert entity.__module__ == "autograph.errors" and ">>>" in (inspect.getdoc(entity) or ""), name
    made_there = {name for name, one in vars(ag.errors).items() if isinstance(one, type)}
    assert made_there - {"NamedTuple"} <= set(ag.errors.__all__)
    assert pickle.loads(pickle.dumps(ag.errors.Place("f.py", 1, 2, "AG201"))).code == "AG201"


def test_dir_of_a_staged_value_is_that_of_the_plain_one() -> None:
    def names(x, n, z):
        return [dir(one) for one in (x, x.sum(), n, z)]

    plain = names(np.ones(2), 3, 2j)
    assert ag.function(names, dynamic=("n", "z"))(np.ones(2), 3, 2j) == plain


def test_a_tensor_shows_no_more_of_the_package() -> None:
    """What an array does not have is for this package; a new one of these is a function, or has `_`."""
    of_the_package = {
        *(
            "affine",
            "ag_trace",
            "become",
            "defined",
            "held",
            "form",
            "layout",
            "length",
            "may_share",
            "memory",
            "name",
        ),
        *("read", "role", "serial", "shared", "sizes", "value_id", "version", "write"),
    }
    shown = {name for name in dir(ag.Tensor) if not name.startswith("_")}
    assert shown - {*dir(np.ndarray)} == of_the_package
