"""The numeric part of the fuzzer: converted, the graph interpreted, and native, against CPython and NumPy.

Types and dtypes count, and the text of what is printed and raised.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import linecache
from types import CodeType
from typing import Any

import autograph as ag
import numpy as np

from fuzzer.numeric_writer import NumericWriter
from fuzzer.shrink import shrink
from fuzzer.time_limit import TooLong
from fuzzer.verdicts import Failure, Verdicts
from fuzzer.ways import remember
from fuzzer.wide_integers import leaves_64_bits

ARGUMENTS = (
    lambda: (np.int64(3), np.int64(5), np.arange(4)),
    lambda: (np.float64(1.5), np.int64(-2), np.linspace(-1.0, 2.0, 4)),
    lambda: (2, np.int64(7), np.array([3, -1, 4, 1])),
    lambda: (np.float64(0.5), np.float64(2.25), np.array([0.5, -1.0, 2.0, 8.0])),
)


@dataclasses.dataclass
class Run:
    """What a call did; `error` is the exception."""

    result: Any
    error: BaseException | None
    printed: str
    array: Any


def run(function: Any, arguments: tuple[Any, ...]) -> Run:
    printed, result, raised = io.StringIO(), None, None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        try:
            result = function(*arguments)
        except (TooLong, KeyboardInterrupt):
            raise
        except BaseException as error:  # A panic of the core is not an Exception.
            raised = error
    return Run(result, raised, printed.getvalue(), arguments[2])


def interpreted(function: Any) -> Any:
    staged = ag.function(function)

    def call(*arguments: Any) -> Any:
        leaves, concrete = staged._specialise(arguments, {})
        return concrete.interpret(leaves)

    return call


WAYS = {"converted": ag.to_graph, "interpreted": interpreted, "native": ag.function}


def function_of(code: CodeType) -> Any:
    scope: dict[str, Any] = {"np": np, "__name__": "program"}
    exec(code, scope)
    return scope["f"]


def try_text(text: str, file: str, places: Any, ways: Any) -> Verdicts:
    """Runs a program with some of the arguments in some of the ways."""
    code, verdicts = remember(text, file), []
    try:
        for place in places:
            want = run(function_of(code), ARGUMENTS[place]())
            staged = ag.function(function_of(code))
            for name in ways:
                got = run(WAYS[name](staged), ARGUMENTS[place]())
                part = judged(got, want)
                if part == "error" and overflowed(got) and leaves_64_bits(text, ARGUMENTS[place]()):
                    part = "refused"
                if part == "refused":
                    verdicts.append(f"{name}: refused {getattr(got.error, 'code', '')}")
                elif part is not None:
                    return Failure(name, part, (place,), text, got, want), verdicts
                else:
                    verdicts.append(f"{name}: same")
    finally:
        linecache.cache.pop(file, None)
    return None, verdicts


def judged(got: Run, want: Run) -> str | None:
    """`None` where they are the same, `refused`, or what differs."""
    if isinstance(got.error, (ag.StagingError, ag.ConversionError)):
        return "refused" if got.error.code and got.error.location is not None else "refusal"
    if not same_error(got.error, want.error):
        return "error"
    if not same(got.result, want.result):
        return "result"
    if numbers(got.printed) != numbers(want.printed):
        return "printed"
    return None if want.error is not None or same(got.array, want.array) else "array"


def overflowed(got: Run) -> bool:
    """Whether a graph ended where a Python int of its own left 64 bits, at a line that it names."""
    error = got.error
    return isinstance(error, ag.GraphRuntimeError) and error.code == "AG203" and error.location is not None


def same_error(got: BaseException | None, want: BaseException | None) -> bool:
    if got is None or want is None:
        return got is want
    if not isinstance(got, type(want)):
        return False
    return got.args == want.args


def same(got: Any, want: Any) -> bool:
    """Equal structure and types, and values up to rounding."""
    if isinstance(want, (tuple, list)):
        return (
            type(got) is type(want)
            and len(got) == len(want)
            and all(same(one, other) for one, other in zip(got, want, strict=True))
        )
    if isinstance(want, np.ndarray):
        is_alike = type(got) is np.ndarray and got.dtype == want.dtype and got.shape == want.shape
        return is_alike and bool(np.allclose(got, want, rtol=1e-11, atol=1e-11, equal_nan=True))
    if type(got) is not type(want):
        return False
    if want is None or isinstance(want, str) or (type(want) is int and type(got) is int):
        return bool(got == want)
    return bool(np.isclose(got, want, rtol=1e-11, atol=1e-11, equal_nan=True))


def numbers(printed: str) -> list[float | str]:
    """What was printed: ints as they are, floats as numbers, which may be rounded in another way."""
    return [
        float(word) if "." in word or "e" in word else word for word in printed.replace("None", "-").split()
    ]


def try_numeric(seed: int) -> Verdicts:
    """Writes the program of a seed and runs it in all ways, with three of the four arguments."""
    text = NumericWriter(seed).program()
    return try_text(text, f"<fuzz numeric {seed}>", [place for place in range(4) if place != seed % 4], WAYS)


def shrunk(failure: Failure) -> Failure:
    """The smallest program found that fails in the same way."""
    best = failure

    def fails(text: str) -> bool:
        nonlocal best
        found, _ = try_text(text, "<shrinking>", failure.arguments, [failure.way])
        if found is None or found.part != failure.part:
            return False
        if found.part == "error" and kinds(found) != kinds(failure):
            return False
        best = found
        return True

    shrink(failure.text, fails)
    return best


def kinds(failure: Failure) -> tuple[type, type]:
    return type(failure.got.error), type(failure.want.error)


def report(failure: Failure) -> str:
    """A failing program as a file that runs."""
    arguments = ARGUMENTS[failure.arguments[0]]()
    return (
        f"# way: {failure.way}; differs: {failure.part}; call: f{arguments!r}\n"
        f"# expected {comment(failure.want)}\n# got {comment(failure.got)}\n"
        f"import numpy as np\n\n\n{failure.text}"
    )


def comment(outcome: Run) -> str:
    return repr(outcome).replace("\n", "\n#   ")
