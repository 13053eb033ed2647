"""``out=``: every function that takes it, with arrays that fit, that do not, and that it reads itself.

CPython is the judge: the result, that it is the array given, what is in that, and what is raised. A refusal
is right too, but not for what fits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

A = np.array([[4.0, 2.0], [1.0, 3.0]])
B = np.array([[1.0, 5.0], [2.0, 0.5]])

CALLS: dict[str, Callable[..., Any]] = {
    **{
        name: (lambda a, b, c, f=getattr(np, name): f(a, axis=0, out=c))
        for name in """
            all any amax amin argmax argmin cumprod cumsum cumulative_prod cumulative_sum max mean median min
            nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanprod nanstd nansum
            nanvar prod ptp std sum var
        """.split()
    },
    **{
        name: (lambda a, b, c, f=getattr(np, name): f(a, 40.0, axis=0, out=c))
        for name in ("percentile", "nanpercentile")
    },
    **{
        name: (lambda a, b, c, f=getattr(np, name): f(a, 0.4, axis=0, out=c))
        for name in ("quantile", "nanquantile")
    },
    **{name: (lambda a, b, c, f=getattr(np, name): f(a, out=c)) for name in ("around", "round", "fix")},
    **{name: (lambda a, b, c, f=getattr(np, name): f(a, c)) for name in ("isneginf", "isposinf")},
    "choose": lambda a, b, c: np.choose((a > 2).astype(np.int64), [a, b], out=c),
    "clip": lambda a, b, c: np.clip(a, 1.5, 3.0, out=c),
    "compress": lambda a, b, c: np.compress([True, True], a, axis=0, out=c),
    "concatenate": lambda a, b, c: np.concatenate((a, b), out=c),
    "concat": lambda a, b, c: np.concat((a, b), axis=1, out=c),
    "dot": lambda a, b, c: np.dot(a, b, out=c),
    "dot of vectors": lambda a, b, c: np.dot(a[0], b[0], out=c),
    "dot by position": lambda a, b, c: np.dot(a, b, c),
    "dot of a plain array": lambda a, b, c: np.dot(np.eye(2), b, out=c),
    "method dot": lambda a, b, c: a.dot(b, out=c),
    "method sum": lambda a, b, c: a.sum(0, None, c),
    "method cumsum": lambda a, b, c: a.cumsum(axis=1, out=c),
    "method take": lambda a, b, c: a.take([1, 0], 0, c),
    "method clip": lambda a, b, c: a.clip(1.0, 2.0, c),
    "method round": lambda a, b, c: a.round(0, c),
    "method trace": lambda a, b, c: a.trace(0, 0, 1, None, c),
    "einsum": lambda a, b, c: np.einsum("ij,jk->ik", a, b, out=c),
    "outer": lambda a, b, c: np.outer(a[0], b[0], out=c),
    "stack": lambda a, b, c: np.stack((a, b), out=c),
    "take": lambda a, b, c: np.take(a, [1, 0, 1], axis=0, out=c),
    "trace": lambda a, b, c: np.trace(a, out=c),
    "multi_dot": lambda a, b, c: np.linalg.multi_dot([a, b, a], out=c),
    "matmul": lambda a, b, c: np.matmul(a, b, out=c),
    "add": lambda a, b, c: np.add(a, b, out=c),
    "add where": lambda a, b, c: np.add(a, b, out=c, where=a > 2),
    "add of a row": lambda a, b, c: np.add(a[0], b[0], out=c),
    "greater": lambda a, b, c: np.greater(a, b, out=c),
    "add.reduce": lambda a, b, c: np.add.reduce(a, out=c),
    "maximum.reduce": lambda a, b, c: np.maximum.reduce(a, axis=1, out=c),
    "add.accumulate": lambda a, b, c: np.add.accumulate(a, out=c),
    "multiply.outer": lambda a, b, c: np.multiply.outer(a[0], b[0], out=c),
    "divmod": lambda a, b, c: np.divmod(a, b, out=(c, b))[0],
    "modf": lambda a, b, c: np.modf(a, out=(c, b))[0],
    **{
        f"fft.{name}": (lambda a, b, c, f=getattr(np.fft, name): f(a, out=c))
        for name in "fft fft2 fftn hfft ifft ifft2 ifftn ihfft irfft irfft2 irfftn rfft rfft2 rfftn".split()
    },
}

SHAPES = [(), (1,), (2,), (3,), (2, 2), (2, 3), (3, 2), (4, 2), (2, 4), (2, 2, 2)]
DTYPES = [np.float64, np.float32, np.int64, bool, np.complex128]


def _run(call: Callable[..., Any], wrap: Any, make: Callable[[], tuple[Any, Any, Any]]) -> tuple[Any, ...]:
    def f(a: Any, b: Any, c: Any) -> Any:
        result = call(a, b, c)
        return result, result is c

    a, b, c = make()
    try:
        with np.errstate(all="ignore"):
            result, is_same = wrap(f)(a, b, c)
    except ag.AutographError as error:
        return "refused", error.code, str(error)
    except Exception as error:
        return "raised", type(error), str(error)
    return "gave", result, is_same, result is c, a, b, c


def _assert_same(name: str, make: Callable[[], tuple[Any, Any, Any]], fits: bool) -> bool:
    """Compares; whether NumPy took the arrays."""
    want = _run(CALLS[name], lambda f: f, make)
    got = _run(CALLS[name], ag.function, make)
    if got[0] == "refused":
        assert not fits, (got, want)
        return False
    assert got[0] == want[0], (got, want)
    if got[0] == "raised":
        assert issubclass(got[1], (TypeError, ValueError)) and got[1:] == want[1:]
        return False
    assert got[2:4] == want[2:4]
    for one, other in zip((got[1], *got[4:]), (want[1], *want[4:]), strict=True):
        assert type(one) is type(other) and one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-6)
    return True


@pytest.mark.parametrize("name", CALLS)
def test_out(name: str) -> None:
    natural, taken = CALLS[name](A.copy(), B.copy(), None), 0
    for shape in SHAPES:
        for dtype in DTYPES:
            fits = (shape, np.dtype(dtype)) == (np.shape(natural), natural.dtype)
            out = np.full(shape, 9, dtype)
            taken += _assert_same(name, lambda: (A.copy(), B.copy(), out.copy()), fits)
    assert taken


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("which", ["left", "right", "transposed", "row"])
def test_out_that_is_read(name: str, which: str) -> None:
    def call(a: Any, b: Any, c: Any) -> Any:
        out = {"left": lambda: a, "right": lambda: b, "transposed": lambda: a.T, "row": lambda: a[0]}[which]()
        return CALLS[name](a, b, out)

    def make() -> tuple[Any, Any, Any]:
        return A.copy(), B.copy(), None

    def outcome(wrap: Any) -> Any:
        a, b, _ = make()
        try:
            with np.errstate(all="ignore"):
                return wrap(lambda a, b: (call(a, b, None) + 0, a, b))(a, b)
        except ag.AutographError:
            return None
        except Exception as error:
            return type(error), str(error)

    want, got = outcome(lambda f: f), outcome(ag.function)
    if got is None or not isinstance(got[0], np.ndarray):
        assert got is None or got == want
        return
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_every_function_with_out_is_here() -> None:
    """Those of ``docs/numpy.md`` that are staged."""
    import inspect

    from autograph._src.numpy.calls.calls import CREATORS, OVERLOADS

    called = {name.partition(" ")[0].removeprefix("method").strip() for name in CALLS}
    for function in [*OVERLOADS, *CREATORS]:
        try:
            parameters = inspect.signature(function).parameters
        except (TypeError, ValueError):
            continue
        if "out" in parameters and not isinstance(function, np.ufunc):
            assert function.__name__ in {name.rpartition(".")[2] for name in called}, function
