"""The part of the fuzzer for derivatives as source: `tangent` against plain Python, differences and `ag.vjp`.

Every derivative gives the value of the program to the bit, prints and appends what the program does, in its
order, leaves the arguments as the program does, and raises what the program raises.
"""

from __future__ import annotations

import contextlib
import io
import linecache
from types import CodeType
from typing import Any

import autograph as ag
import numpy as np
from autograph import tangent
from tangent_case import LOG
from tangent_checks import Outcome, call, is_guard, is_same

from fuzzer import smooth
from fuzzer.avoided import known_fault_of_source
from fuzzer.effect_writer import EffectWriter
from fuzzer.shrink import shrink
from fuzzer.smooth import ARGUMENTS, DIRECTION, leaves_of, scaled, typed, weights_of
from fuzzer.time_limit import TooLong
from fuzzer.verdicts import Failure, Verdicts
from fuzzer.ways import remember

WRT = (0, 1, 2)
LARGE = 1e8
"""Above it rounding alone decides the digits of a derivative."""


class Wrong(Exception):
    """What differs, and how: its arguments are the part, what was found and what was wanted."""


class Case:
    """A program at a point: what a plain call does, and its slope there.

    Attributes:
        function: The program.
        arguments: Those of the call; a call gets copies.
        want: What the plain call did.
        is_special: Whether formulas divide zero by zero there, or choose a branch.
        slopes: The derivative of each leaf of the result along `DIRECTION`; none where there is none.
        seed: An adjoint of the result.
        weights: The leaves of `seed`.
    """

    def __init__(self, code: CodeType, place: int) -> None:
        self.function = function_of(code)
        self.arguments = ARGUMENTS[place]()
        self.is_special = place >= smooth.SPECIAL
        self.want = call(self.function, self.arguments)
        self.slopes: list[Any] | None = None
        self.seed: Any = 1.0
        self.weights: list[Any] = []
        if self.want.error is None:
            with contextlib.redirect_stdout(io.StringIO()):
                measured = smooth.measured(self.function, self.arguments)
            self.slopes = measured.slopes
            self.weights = weights_of(measured.value)
            self.seed = smooth.flatten(self.want.result, [])[1](list(self.weights))

    @property
    def is_of_floats(self) -> bool:
        return all(np.asarray(leaf).dtype == np.float64 for leaf in leaves_of(self.want.result))

    def run(self, derivative: Any, *extra: Any, has_value: bool = True) -> Any:
        """What a derivative gives, where all that it does beside is right.

        Raises:
            Wrong: It is not.
            TypeError: The derivative refuses its arguments.
        """
        found = call(derivative, (*self.arguments, *extra))
        if found.error is not None and is_refusal(found.error):
            raise found.error
        self.compare(found, extra)
        if found.error is not None or not has_value:
            return found.result
        result, value = _split(found.result, len(WRT))
        if not is_same(value, self.want.result):
            raise Wrong("value", value, self.want.result)
        return result

    def compare(self, found: Outcome, extra: tuple[Any, ...]) -> None:
        """Whether a call has done what the plain call has done, and left alone what is its caller's."""
        want = self.want
        if type(found.error) is not type(want.error) or str(found.error) != str(want.error):
            raise Wrong("error", found.error, want.error)
        pairs = {
            "printed": (found.printed, want.printed),
            "log": (found.logged, want.logged),
            "array": (found.arguments[:4], want.arguments),
            "seed": (found.arguments[4:], extra),
        }
        for part, (one, other) in pairs.items():
            if not is_same(one, other):
                raise Wrong(part, one, other)


def is_refusal(error: BaseException) -> bool:
    """Whether a derivative that runs has found what it cannot do."""
    return is_guard(error) or (isinstance(error, TypeError) and "tangent has no rule of" in str(error))


def function_of(code: CodeType, name: str = "f") -> Any:
    scope: dict[str, Any] = {"np": np, "ag": ag, "LOG": LOG, "__name__": "program"}
    exec(code, scope)
    return scope[name]


def _split(result: tuple[Any, ...], count: int) -> tuple[Any, Any]:
    """The derivatives and the value of what a derivative with `preserve_result` gives."""
    return (result[0], result[1]) if len(result) == 2 else (result[:count], result[count])


def gradient_of(case: Case, **options: Any) -> tuple[Any, ...]:
    derivative = tangent.autodiff(
        case.function, WRT, preserve_result=True, input_derivative="required", **options
    )
    return case.run(derivative, case.seed) if case.want.error is None else case.run(derivative, 1.0)


def agree(part: str, found: Any, wanted: Any, tolerance: float = 1e-8) -> None:
    """Compares two lists of derivatives, measured by the largest.

    Raises:
        Wrong: They differ.
    """
    found, wanted = [np.asarray(one) for one in found], [np.asarray(one) for one in wanted]
    scale = max(1.0, *(float(np.max(np.abs(one), initial=0.0)) for one in wanted))
    if not scale < LARGE:
        return
    if not scaled([one * (1e-8 / tolerance) for one in found], [one * (1e-8 / tolerance) for one in wanted]):
        raise Wrong(part, found, wanted)


def reverse(case: Case) -> None:
    """The gradient against differences; it has the form of the arguments, the same when called again."""
    gradient = gradient_of(case)
    if case.want.error is not None:
        return
    for one, argument in zip(gradient, case.arguments, strict=False):
        if type(one) is not type(argument) or np.shape(one) != np.shape(argument):
            raise Wrong("form", one, argument)
    if not is_same(gradient_of(case), gradient):
        raise Wrong("second call", gradient, None)
    if case.slopes is None:
        return
    slope = sum(np.sum(weight * leaf) for weight, leaf in zip(case.weights, case.slopes, strict=True))
    parts = [np.asarray(one * step) for one, step in zip(gradient, DIRECTION, strict=True)]
    scale = max(1.0, sum(float(np.sum(np.abs(part))) for part in parts))
    along = sum(float(np.sum(part)) for part in parts)
    is_close = scale >= LARGE or smooth.close(along / scale, slope / scale, 3e-5)
    if not is_close and not is_of_the_graph(case, gradient):
        raise Wrong("derivative", gradient, slope)


def forward(case: Case) -> None:
    """The derivative in forward mode against differences."""
    derivative = tangent.jvp(case.function, WRT, preserve_result=True)
    found = case.run(derivative, *typed(case.arguments))
    if case.slopes is None:
        return
    leaves = leaves_of(found)
    if [np.shape(one) for one in leaves] != [np.shape(one) for one in case.slopes]:
        raise Wrong("form", found, case.slopes)
    if all(smooth.close(*pair, 3e-5) for pair in zip(leaves, case.slopes, strict=True)):
        return
    along = ag.jvp(on_floats(case), case.arguments[:3], typed(case.arguments))[1]
    if not (case.is_special and smooth.all_close(leaves, leaves_of(along))):
        raise Wrong("derivative", found, case.slopes)


def on_floats(case: Case) -> Any:
    """The program as a function of its first three arguments."""
    given = case.arguments[3]
    return lambda a, b, x: case.function(a, b, x, given)


def is_of_the_graph(case: Case, gradient: Any) -> bool:
    """Whether differences have missed the branch of a special point, of which a graph has this gradient.

    `z[z > 0] = b` with `z = a * x` at 0 is one thing at the point, and another to both sides.
    """
    if not case.is_special:
        return False
    with contextlib.redirect_stdout(io.StringIO()):
        _, pull = ag.vjp(on_floats(case), *case.arguments[:3])
        return scaled(gradient, pull(case.seed))


def split(case: Case) -> None:
    """The passes as two functions, against one."""
    found = gradient_of(case, motion="split")
    if case.want.error is None:
        agree("derivative", found, gradient_of(case), 1e-12)


def raw(case: Case) -> None:
    """The text that is not tidied up, against the one that is."""
    found = gradient_of(case, optimized=False)
    if case.want.error is None:
        agree("derivative", found, gradient_of(case), 1e-12)


def staged(case: Case) -> None:
    """The gradient of the program as a graph, where the graph takes the same path."""
    if case.slopes is None:
        return
    found = gradient_of(case)
    with contextlib.redirect_stdout(io.StringIO()):
        value, pull = ag.vjp(on_floats(case), *case.arguments[:3])
        wanted = pull(case.seed)
    if smooth.all_close(leaves_of(value), leaves_of(case.want.result)):
        agree("graph", found, wanted)


def nested(case: Case) -> None:
    """Forward over reverse mode against reverse over forward mode, and reverse over reverse."""
    if case.slopes is None or isinstance(case.want.result, (tuple, list, dict)):
        return
    gradient = tangent.vjp(case.function, WRT)
    direction = typed(case.arguments)
    over = tangent.jvp(gradient, WRT)
    found = case.run(over, case.seed, *direction, has_value=False)
    product = tangent.vjp(tangent.jvp(case.function, WRT), WRT)
    wanted = case.run(product, *direction, case.seed, has_value=False)
    agree("second derivative", found, wanted)
    twice = tangent.vjp(gradient, WRT)
    agree("second gradient", case.run(twice, case.seed, direction, has_value=False), wanted)


def alone(case: Case) -> None:
    """The text that stands alone, which has no names of the program's module."""
    derivative = tangent.vjp(case.function, WRT)
    variables: dict[str, Any] = {"__name__": "alone"}
    exec(compile(tangent.to_source(derivative, standalone=True), "<alone>", "exec"), variables)
    found = case.run(variables[derivative.__name__], case.seed, has_value=False)
    if case.want.error is None and not is_same(found, case.run(derivative, case.seed, has_value=False)):
        raise Wrong("derivative", found, None)


WAYS = {
    "reverse": reverse,
    "forward": forward,
    "split": split,
    "raw": raw,
    "staged": staged,
    "nested": nested,
    "alone": alone,
}


def try_text(text: str, file: str, place: int, ways: Any) -> Verdicts:
    """Runs a program at a point in some of the ways."""
    code, verdicts = remember(text, file), []
    try:
        case = Case(code, place)
        if isinstance(case.want.error, NameError):
            # What nothing reads is left out, and so is the reading of a variable that is not bound.
            return None, ["plain: unbound"]
        if case.want.error is not None:
            verdicts.append("plain: raises")
            ways = [name for name in ways if name != "staged"]
        elif not case.is_of_floats:
            return None, ["plain: no floats"]
        else:
            verdicts.append("plain: smooth" if case.slopes is not None else "plain: not smooth")
        for name in ways:
            verdict, got, want = tried(name, case)
            if verdict == "same" or verdict.startswith("refused"):
                verdicts.append(f"{name}: {verdict}")
            else:
                return Failure(name, verdict, (place,), text, got, want), verdicts
    finally:
        linecache.cache.pop(file, None)
    return None, verdicts


def tried(name: str, case: Case) -> tuple[str, Any, Any]:
    """A verdict, what was raised or found, and what was wanted."""
    try:
        with np.errstate(all="ignore"):
            WAYS[name](case)
    except (TooLong, KeyboardInterrupt):
        raise
    except Wrong as wrong:
        fault = known_fault_of_source(wrong.args[1])
        return (f"refused, a known fault: {fault}", None, None) if fault is not None else wrong.args
    except (ag.StagingError, ag.ConversionError) as error:
        # What a file of its own cannot have stands nowhere in the program.
        is_located = bool(error.code) and (error.location is not None or name == "alone")
        return (f"refused {error.code}" if is_located else "refusal"), error, None
    except BaseException as error:  # A panic of the core is not an Exception.
        if is_refusal(error):
            return "refused by a guard", error, None
        return f"error {type(error).__name__}", error, None
    return "same", None, None


def try_tangent(seed: int) -> Verdicts:
    """Writes the program of a seed and differentiates it at one of the points."""
    more = ("split", "raw", "nested", "alone", "staged")[seed % 5]
    place = seed // 5 % len(ARGUMENTS)
    return try_text(
        EffectWriter(seed).program(), f"<fuzz tangent {seed}>", place, ["reverse", "forward", more]
    )


def shrunk(failure: Failure) -> Failure:
    """The smallest program found that fails in the same way."""
    best = failure

    def fails(text: str) -> bool:
        nonlocal best
        found, _ = try_text(text, "<shrinking>", failure.arguments[0], [failure.way])
        if found is None or found.part != failure.part:
            return False
        if isinstance(failure.got, Exception) and str(found.got)[:40] != str(failure.got)[:40]:
            return False
        best = found
        return True

    shrink(failure.text, fails)
    return best


def report(failure: Failure) -> str:
    """A failing program as a file that runs."""
    arguments = ARGUMENTS[failure.arguments[0]]()
    notes = f"expected {failure.want}\ngot {failure.got!r}".replace("\n", "\n#   ")
    return (
        f"# way: {failure.way}; differs: {failure.part}; call: f{arguments!r}\n# {notes}\n"
        f"import autograph as ag\nimport numpy as np\n\nLOG = []\n\n\n{failure.text}"
    )
