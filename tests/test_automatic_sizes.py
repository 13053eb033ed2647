"""The third size of a dimension makes it one of the run: one graph, which gives what CPython gives.

Every program of `tests/run` that takes arrays is called with arrays that grow by one from call to call.
"""

from __future__ import annotations

import contextlib
import copy
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import autograph as ag
import numpy as np
import pytest
from programs import assert_same, cases, load, run


def grown(value: Any, by: int) -> Any:
    """A tree of arguments whose arrays have so many elements more in each dimension of two or more."""
    if type(value) is np.ndarray:
        return np.resize(value, [size + by if size > 1 else size for size in value.shape])
    if type(value) in (list, tuple):
        return type(value)(grown(one, by) for one in value)
    if type(value) is dict:
        return {key: grown(one, by) for key, one in value.items()}
    return copy.deepcopy(value)


def has_arrays(value: Any) -> bool:
    if type(value) in (list, tuple):
        return any(map(has_arrays, value))
    if type(value) is dict:
        return any(map(has_arrays, value.values()))
    return type(value) is np.ndarray and max(value.shape, default=0) > 1


LINKED = {"depth_first", "depth_under"}
"""Programs whose arrays are tables of links: with rows that repeat they go round for ever, in CPython too."""

OF_ROUNDING = {"least_squares", "sorted_and_cumulated"}
"""With rows that repeat, rounding says whether a matrix is singular, and nobody where equal numbers go."""


def sized_cases() -> list[Any]:
    found = []
    for case in cases():
        if case.call.partition("(")[0] in LINKED | OF_ROUNDING:
            continue
        outcome = run(load(case.file), case.call, lambda function: lambda *args, **kwargs: None)
        if outcome.arguments and has_arrays([*outcome.arguments[0][0], *outcome.arguments[0][1].values()]):
            found.append(pytest.param(case, id=str(case)))
    return found


@dataclass
class Done:
    """What a call did."""

    result: Any
    error: Exception | None
    arguments: Any


def done(function: Callable[..., Any], args: Any, kwargs: Any, by: int) -> Done:
    args, kwargs = grown(list(args), by), grown(dict(kwargs), by)
    with np.errstate(all="ignore"):
        try:
            return Done(function(*args, **kwargs), None, (args, kwargs))
        except Exception as error:
            return Done(None, error, (args, kwargs))


@pytest.mark.filterwarnings("ignore:.* is traced for each size of:UserWarning")
@pytest.mark.parametrize("case", sized_cases())
def test_a_program_with_arrays_that_grow(case: Any, capsys: pytest.CaptureFixture[str]) -> None:
    module = load(case.file)
    kept: list[Any] = []

    def wrap(function: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            kept.append((function, args, kwargs))

        return call

    run(module, case.call, wrap)
    function, args, kwargs = kept[0]
    staged = ag.function(function)
    for by in (0, 1, 2, 3):
        want = done(function, args, kwargs, by)
        printed = capsys.readouterr().out
        got = done(staged, args, kwargs, by)
        assert capsys.readouterr().out == printed or want.error is not None or got.error is not None
        if isinstance(got.error, ag.AutographError) and want.error is None:
            # It is refused in this size, too, where no size was seen before.
            alone = done(ag.function(function), args, kwargs, by)
            capsys.readouterr()
            assert type(alone.error) is type(got.error), got.error
            continue
        if want.error is not None:
            assert type(got.error) is type(want.error) or isinstance(got.error, ag.AutographError), got.error
            continue
        if got.error is not None:
            raise got.error
        assert_same(got.result, want.result)
        assert_same(list(got.arguments[0]), list(want.arguments[0]))


def row_sums(x: Any) -> Any:
    out = []
    for row in x:
        out.append(row.sum() * len(row))
    return out


def halves(x: Any) -> Any:
    n = len(x)
    if n % 2 == 0:
        return x[: n // 2], "even", n
    return x[n // 2 :], "odd", x.shape


def is_square(x: Any) -> Any:
    if x.shape[0] == x.shape[1]:
        return np.trace(x), x @ x
    return x.sum(), x.T


def centred(x: Any, y: Any) -> Any:
    return (x - x.mean(axis=0)) @ y.T, x.std(), y[::-1], x.dtype.name


def broadcast(x: Any, y: Any) -> Any:
    return x[:, None] * y[None, :] + x.sum(), np.concatenate([x, y])


def powers(x: Any) -> Any:
    return 2 ** (10 * len(x)), x.size * 10**17, f"{x.shape} {len(x)}"


def keyed(x: Any) -> Any:
    table = {3: "three", 4: "four", 5: "five"}
    return table.get(len(x), "other"), [x[k] for k in range(len(x))]


def written(x: Any) -> Any:
    x[0] = x[-1] * 2
    x[1:] += x[:-1].copy()
    return x.sum()


def shown(x: Any) -> Any:
    print("sum", x.sum(), len(x), x.shape)
    return x.reshape(-1, 1), x.tolist()


def failing(x: Any) -> Any:
    if len(x) == 6:
        raise ValueError(f"{len(x)} rows")
    return x[5] if len(x) > 5 else x[0]


def needing(x: Any) -> Any:
    return np.gradient(x), np.convolve(x, [1.0, 2.0])


def zipped(x: Any) -> Any:
    return (
        [(a, b, k) for k, (a, b) in enumerate(zip(x, x[1:], strict=False))],  # noqa: RUF007 - as users write it
        sorted(x),
        max(x),
        list(reversed(x)),
    )


def grown_list(x: Any) -> Any:
    found, best = [], None
    for k, one in enumerate(x):
        if one > 0:
            found.append(k)
        if best is None or one > best:
            best = one
    return found, best


def unpacked(x: Any) -> Any:
    first, *rest = x
    return first, len(rest), [None] * len(x), [0.0] * len(x)


VECTORS = [halves, broadcast, powers, keyed, written, shown, failing, needing, zipped, grown_list, unpacked]
MATRICES = [row_sums, is_square, centred]
DTYPES = [np.float64, np.float32, np.int64, np.complex128]
SIZES = [3, 4, 5, 6, 7, 1, 2, 4, 70, 3]


def of_size(rank: int, size: int, dtype: Any, by: int = 0) -> Any:
    shape = (size, size + by)[:rank]
    return (np.arange(np.prod(shape)).reshape(shape) % 5 - 1.5).astype(dtype)


def compare(function: Any, staged: Any, args: Any, capsys: pytest.CaptureFixture[str]) -> None:
    want = done(function, args, {}, 0)
    printed = capsys.readouterr().out
    got = done(staged, args, {}, 0)
    assert capsys.readouterr().out == printed
    if want.error is not None:
        assert isinstance(got.error, type(want.error)) and str(want.error) in str(got.error), got.error
        return
    if got.error is not None:
        raise got.error
    assert_same(got.result, want.result)
    assert_same(got.arguments[0], want.arguments[0])


@pytest.mark.filterwarnings("ignore:.* is traced for each size of:UserWarning")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", VECTORS + MATRICES, ids=lambda one: one.__name__)
def test_sizes_one_after_another(function: Any, dtype: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rank = 1 if function in VECTORS else 2
    count = function.__code__.co_argcount
    first = ag.function(function)
    first(*[of_size(rank, 3, dtype)] * 1, *[of_size(rank, 3, dtype)] * (count - 1))
    capsys.readouterr()
    staged = ag.function(function)
    for turn, size in enumerate(SIZES):
        # A square, and then one no more.
        args = [of_size(rank, size, dtype, turn % 3 if function is not centred else 1) for _ in range(count)]
        compare(function, staged, args, capsys)
    for size in (8, 9):  # Two arguments of different sizes, where the program takes such.
        args = [of_size(rank, size + k, dtype, 1) for k in range(count)]
        compare(function, staged, args, capsys)


def test_six_hundred_shapes_are_three_graphs() -> None:
    @ag.function
    def f(x):
        total = 0.0
        for row in x:
            if row[0] > 0:
                total = total + row.sum()
        return x * total, total

    for size in range(2, 602):
        x = np.arange(size * 2.0).reshape(size, 2) - 5.0
        assert_same(f(x), f.__wrapped__(x))
    assert f.signatures() == ["(x: f64[2, 2])", "(x: f64[3, 2])", "(x: f64[?, 2])"]
    assert f.retraces == [
        "argument `x` was f64[2, 2], is f64[3, 2]",
        "argument `x` was f64[3, 2], is f64[?, 2]",
    ]
    (note,) = [text for _, text in f.concrete_functions()[-1].notes]
    assert note == (
        "this graph takes any size of `x`, which has come with 3:"
        " name it in `static=` to have a graph for each"
    )


def test_zero_and_one_do_not_count() -> None:
    f = ag.function(lambda x, y: x * y + y.sum())
    for rows in (4, 5):
        for size in (1, 0, 1):
            assert_same(
                f(np.ones((size, 3)), np.ones((rows, 3))),
                f.__wrapped__(np.ones((size, 3)), np.ones((rows, 3))),
            ) if size else None
    assert "?" not in "".join(f.signatures())
    for rows in (6, 7, 1):
        given = np.ones((1, 3)), np.ones((rows, 3))
        assert_same(f(*given), f.__wrapped__(*given))
    assert f.signatures()[-1] == "(x: f64[1, 3], y: f64[?, 3])"


def test_what_is_static_keeps_its_size() -> None:
    f = ag.function(lambda x, y: (x * 2.0, y * 3.0), static="x")
    for size in (3, 4, 5, 6):
        given = np.full(size, float(size)), np.ones(size)
        assert_same(f(*given), f.__wrapped__(*given))
    again = np.zeros(3)
    assert_same(f(again, np.ones(9))[0], again)
    assert f.signatures() == [
        f"(x: f64[{n}], y: f64[{m}])" for n, m in [(3, 3), (4, 4), (5, "?"), (6, "?"), (3, "?")]
    ]


def test_a_signature_decides_alone() -> None:
    f = ag.function(lambda x: x * 2.0, input_signature=[ag.ArraySpec((None, 2))])
    for size in (3, 4, 5):
        f(np.ones((size, 2)))
    assert f.signatures() == ["(x: f64[?, 2])"]
    with pytest.raises(ag.StagingError, match="AG126"):
        f(np.ones((3, 3)))


def test_a_program_that_needs_its_sizes_says_where() -> None:
    def smooth(x):
        return np.convolve(x, np.ones(2), "valid")

    f = ag.function(smooth)
    f(np.ones(3)), f(np.ones(4))
    with pytest.warns(UserWarning) as caught:
        assert_same(f(np.ones(5)), smooth(np.ones(5)))
    line = smooth.__code__.co_firstlineno + 1
    (warning,) = caught
    assert str(warning.message) == (
        "smooth is traced for each size of `x` (`np.convolve` of an array whose size depends on data is not"
        f" supported yet; {__file__}:{line}:16)"
    )
    assert warning.filename == __file__
    with warnings.catch_warnings(record=True) as more:
        warnings.simplefilter("always")
        f(np.ones(6)), f(np.ones(7))
    assert not more and f.signatures() == [f"(x: f64[{n}])" for n in (3, 4, 5, 6, 7)]


def test_a_run_that_fails_where_python_does_not_is_made_again_for_its_size(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def f(x):
        x[0] = 5.0
        print("before", len(x))
        big = 2 ** len(x)
        print("after", big)
        return big, x.sum()

    staged = ag.function(f)
    for size in (3, 4, 5, 6):
        compare(f, staged, [np.ones(size)], capsys)
    assert staged.signatures()[-1] == "(x: f64[?])"
    with pytest.warns(UserWarning, match="is traced for each size of `x` .a Python int left 64 bits"):
        compare(f, staged, [np.ones(100)], capsys)
    for size in (101, 100, 5):
        compare(f, staged, [np.ones(size)], capsys)
    assert "(x: f64[101])" in staged.signatures()


def test_a_call_that_cannot_be_made_again_is_no_reason_to_fail() -> None:
    calls: list[int] = []

    @ag.py_function
    def note(n) -> None:
        calls.append(n)

    def f(x):
        n = len(x) * 2
        note(n)
        return 2**n

    staged = ag.function(f)
    with pytest.warns(UserWarning, match="what it calls cannot be called again"):
        assert [staged(np.ones(size)) for size in (3, 4, 5, 50)] == [2**6, 2**8, 2**10, 2**100]
    assert calls == [6, 8, 10, 100]


class Point(NamedTuple):
    x: Any
    y: Any


def test_arrays_in_containers_methods_and_ints_that_vary() -> None:
    class Model:
        def __init__(self) -> None:
            self.factor = 2.0

        @ag.function
        def __call__(self, points, n, options):
            return points.x * self.factor + n, options["w"].sum() * len(points.y), n

    model, plain = Model(), Model.__call__.__wrapped__
    for size in (2, 3, 4, 5, 9, 3):
        given = Point(np.arange(size * 1.0), np.ones(size + 1)), size, {"w": np.ones((size, 2))}
        assert_same(model(*given), plain(model, *given))
    assert (
        "points.x: f64[?], points.y: f64[?], n: int, options['w']: f64[?, 2]"
        in Model.__call__.signatures()[-1]
    )


def test_a_change_around_a_graph_for_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    f = ag.function(lambda x: x * RATE)
    for rate in (2.0, 3.0):
        monkeypatch.setitem(globals(), "RATE", rate)
        for size in (2, 3, 4, 5, 2, 3):
            for _ in range(2):
                assert_same(f(np.ones(size)), np.ones(size) * rate)
    assert f.signatures()[-1] == "(x: f64[?])"


RATE = 1.0

DERIVATIVES: dict[str, Callable[[Any], Any]] = {
    "grad": ag.grad,
    "value_and_grad": ag.value_and_grad,
    "vmap": ag.vmap,
    "vmap of grad": lambda f: ag.vmap(ag.grad(f)),
    "jacrev": ag.jacrev,
    "jacfwd": ag.jacfwd,
    "hessian": ag.hessian,
}


def energy(x: Any) -> Any:
    total = 0.0
    for one in np.atleast_1d(x):
        if one > 0:
            total = total + np.sin(one) * one
    return total + np.sum(x * x)


@pytest.mark.filterwarnings("ignore:.* is traced for each size of:UserWarning")
@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives(name: str) -> None:
    derive = DERIVATIVES[name]
    shape: Callable[[int], tuple[int, ...]] = (lambda n: (n, 3)) if "vmap" in name else (lambda n: (n,))
    made = derive(energy)
    for size in (3, 4, 5, 6, 1, 8):
        x = np.linspace(-1.0, 2.0, np.prod(shape(size))).reshape(shape(size))
        # A function of its own sees no other size.
        fresh = derive(lambda x: energy(x))
        got, want = made(x), fresh(x)
        for one, other in zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]:
            np.testing.assert_allclose(one, other, rtol=1e-12)
            assert type(one) is type(other) and np.shape(one) == np.shape(other)


def test_gradients_of_what_broadcasts() -> None:
    """A size of the run may be one: the gradient is summed over what it was repeated for."""
    loss = ag.grad(lambda b, x: np.sum((x * b) ** 2), argnums=(0, 1))
    for rows, columns in [(3, 3), (4, 4), (5, 5), (6, 6), (1, 6), (1, 7), (6, 6)]:
        b, x = np.arange(1.0, rows + 1), np.arange(1.0, columns + 1)
        got = loss(b, x)
        want = 2 * x * x * b, 2 * x * b * b
        np.testing.assert_allclose(got[0], want[0].sum(keepdims=True) if rows == 1 else want[0])
        np.testing.assert_allclose(got[1], want[1])


def test_profiles_and_concrete_functions() -> None:
    f = ag.function(lambda x: np.tanh(x).sum() * len(x))
    for size in (10, 11, 12, 13, 14):
        profile = f.profile(np.ones(size))
        assert_same(profile.result, f.__wrapped__(np.ones(size)))
    assert repr(f.concrete_function(np.ones(600))) == "<specialisation <lambda>(x: f64[?])>"
    assert len(f.signatures()) == 3


def test_one_array_twice_and_threads() -> None:
    f = ag.function(lambda x, y: (x + y, x is y))
    for size in (2, 3, 4, 5):
        x = np.ones(size)
        assert_same(f(x, x), (x + x, True))
        assert_same(f(x, x.copy()), (x + x, False))
    assert [text for text in f.signatures() if "?" in text] == ["(x: f64[?], y: f64[?])"] * 2


def test_numerics_and_printed_output_of_both_modes() -> None:
    f = ag.function(lambda x: np.sum(x))
    for size in (900, 901, 902, 903):
        x = np.full(size, 0.1)
        with ag.numerics("exact"):
            assert f(x) == sum(x)
        with contextlib.suppress(AssertionError):
            assert_same(f(x), np.sum(x))
