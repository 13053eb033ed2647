"""The part of the fuzzer for rows: derivatives of `ag.vmap` against a loop over the rows of the derivative.

How often each loop goes round depends on the row; in some batches no row enters any, and some have no rows.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import CodeType
from typing import Any

import autograph as ag
import numpy as np

from fuzzer.shrink import shrink
from fuzzer.smooth import PLAIN_ERRORS, close, function_of
from fuzzer.smooth_writer import SmoothWriter
from fuzzer.time_limit import TooLong
from fuzzer.verdicts import Failure, Verdicts
from fuzzer.ways import remember

EPILOGUE = """\
def total(value):
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple):
        whole = 0.0
        for part in value:
            whole = whole + total(part)
        return whole
    if isinstance(value, list):
        return sum([np.sin(one) for one in value])
    return np.sum(np.sin(value))
def loss(a, b, x, n):
    return total(f(a, b, x, n))
"""

COUNTS = ((3, 0, 2, 5, 1), (0, 0), (2,), (), (0, 4), (0,), (1, 0, 0))
"""How often loops over `range(n)` go round, for each row of a batch."""

FLOATS = 0, 1, 2


def batch(place: int) -> tuple[Any, ...]:
    """The arguments of a batch: `a`, `b`, `x` and `n` of each row."""
    counts = np.array(COUNTS[place], dtype=np.int64)
    draws = np.random.default_rng(place)
    rows = len(counts)
    return (
        draws.uniform(-1.3, 1.3, rows),
        draws.uniform(-1.3, 1.3, rows),
        draws.uniform(-1.2, 1.2, (rows, 4)),
        counts,
    )


def per_row(function: Callable[..., Any], given: tuple[Any, ...]) -> list[Any]:
    """What a function gives for each row, leaf by leaf."""
    found = [function(*row) for row in zip(*given, strict=True)]
    found = [one if isinstance(one, tuple) else (one,) for one in found]
    return [np.array(leaves) for leaves in zip(*found, strict=True)]


def of_rows(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


def value(loss: Any, given: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    return of_rows(ag.vmap(loss)(*given)), per_row(ag.function(loss), given)


def gradients(loss: Any, given: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Reverse mode inside of the batch."""
    gradient = ag.grad(loss, FLOATS)
    return of_rows(ag.vmap(gradient)(*given)), per_row(gradient, given)


def through(loss: Any, given: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Reverse mode through the batch."""

    def whole(*arguments: Any) -> Any:
        return np.sum(ag.vmap(loss)(*arguments))

    return of_rows(ag.grad(whole, FLOATS)(*given)), per_row(ag.grad(loss, FLOATS), given)


def hessians(loss: Any, given: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    hessian = ag.hessian(loss, 2)
    return of_rows(ag.vmap(hessian)(*given)), per_row(hessian, given)


def jacobians(loss: Any, given: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """A batch of backward passes through a batch: the diagonal has the gradients, and the rest is zero."""
    found = ag.jacrev(ag.vmap(loss), 2)(*given)
    own = np.array([found[row, row] for row in range(len(given[3]))]).reshape(-1, 4)
    others = found.sum(axis=1).reshape(-1, 4) - own
    return [own, others], [*per_row(ag.grad(loss, 2), given), np.zeros_like(own)]


def forwards(loss: Any, given: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Forward mode inside of the batch, over reverse mode through it."""

    def direction(a: Any, b: Any, x: Any, n: Any) -> Any:
        return ag.jvp(lambda a, b, x: loss(a, b, x, n), (a, b, x), (b, a, x * 0.5))[1]

    def whole(*arguments: Any) -> Any:
        return np.sum(ag.vmap(direction)(*arguments))

    return of_rows(ag.grad(whole, FLOATS)(*given)), per_row(ag.grad(direction, FLOATS), given)


def twice(loss: Any, given: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Reverse mode of reverse mode through the batch."""

    def norm(of: Any) -> Any:
        return sum([np.sum(one * one) for one in of])

    def whole(*arguments: Any) -> Any:
        return np.sum(ag.vmap(loss)(*arguments))

    def outer(*arguments: Any) -> Any:
        return norm(ag.grad(whole, FLOATS)(*arguments))

    def of_one(*arguments: Any) -> Any:
        return norm(ag.grad(loss, FLOATS)(*arguments))

    return of_rows(ag.grad(outer, FLOATS)(*given)), per_row(ag.grad(of_one, FLOATS), given)


WAYS = {
    "value": value,
    "gradients": gradients,
    "through": through,
    "hessians": hessians,
    "jacobians": jacobians,
    "forwards": forwards,
    "twice": twice,
}

_RAGGED = "vmap: rows have different sizes", "vmap: rows have lists of different lengths"


def tried(name: str, code: CodeType, place: int) -> tuple[str, Any, Any]:
    """A verdict, what was raised or found, and what was wanted."""
    given = batch(place)
    scope_loss = function_of(code, "loss")
    try:
        with np.errstate(all="ignore"):
            # What is the same for all rows is computed, and may fail, also where there are none.
            for row in zip(*(given if given[3].size else batch(0)), strict=True):
                scope_loss(*(np.copy(one)[()] for one in row))
    except PLAIN_ERRORS:
        return "plain: raises", None, None
    found: Any = None
    try:
        with np.errstate(all="ignore"):
            found, wanted = WAYS[name](scope_loss, given)
    except (TooLong, KeyboardInterrupt):
        raise
    except (ag.StagingError, ag.ConversionError) as error:
        is_located = bool(error.code) and error.location is not None
        return (f"refused {error.code}" if is_located else "refusal"), error, None
    except ag.GraphRuntimeError as error:
        is_known = any(words in str(error) for words in _RAGGED) and error.location is not None
        return (f"refused {error.code}" if is_known else "error GraphRuntimeError"), error, None
    except BaseException as error:  # A panic of the core is not an Exception.
        return f"error {type(error).__name__}", error, None
    if not given[3].size:
        return ("same" if all(one.shape[0] == 0 for one in found) else "shape"), found, None
    scales = [max(1.0, float(np.max(np.abs(one), initial=0.0, where=np.isfinite(one)))) for one in wanted]
    pairs = zip(found, wanted, scales, strict=True)
    is_same = all(close(one / scale, other / scale, 1e-8) for one, other, scale in pairs)
    return ("same" if is_same else "rows"), found, wanted


def try_text(text: str, file: str, place: int, ways: Any) -> Verdicts:
    """Runs a program with one batch in some of the ways."""
    code, verdicts = remember(text, file), []
    try:
        for name in ways:
            verdict, got, want = tried(name, code, place)
            if verdict.startswith("plain"):
                return None, [*verdicts, verdict]
            if verdict == "same" or verdict.startswith("refused"):
                verdicts.append(f"{name}: {verdict}")
            else:
                return Failure(name, verdict, (place,), text, got, want), verdicts
    finally:
        linecache.cache.pop(file, None)
    return None, verdicts


def try_rowwise(seed: int) -> Verdicts:
    """Writes the program of a seed and takes derivatives of rows of it."""
    names = [*WAYS]
    ways = [names[seed % len(names)], names[(seed // 3 + 1) % len(names)]]
    text = SmoothWriter(seed).program() + EPILOGUE
    return try_text(text, f"<fuzz rowwise {seed}>", (seed // 2) % len(COUNTS), dict.fromkeys(ways))


def shrunk(failure: Failure) -> Failure:
    """The smallest program found that fails in the same way."""
    best = failure

    def fails(text: str) -> bool:
        nonlocal best
        found, _ = try_text(text, "<shrinking>", failure.arguments[0], [failure.way])
        if found is None or found.part != failure.part or str(found.got)[:40] != str(failure.got)[:40]:
            return False
        best = found
        return True

    shrink(failure.text, fails)
    return best


def report(failure: Failure) -> str:
    """A failing program as a file that runs."""
    given = batch(failure.arguments[0])
    notes = f"expected {failure.want}\ngot {failure.got}".replace("\n", "\n#   ")
    return (
        f"# way: {failure.way}; differs: {failure.part}; rows: {given!r}\n# {notes}\n".replace(
            "\n   ", "\n#   "
        )
        + f"import numpy as np\n\n\n{failure.text}"
    )
