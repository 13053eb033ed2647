"""The differentiable part of the fuzzer: derivatives of programs against differences of plain CPython.

Where differences of two widths disagree, or those to either side, the program is not smooth at the point:
that is counted, and nothing is compared but the value.
"""

from __future__ import annotations

import dataclasses
import linecache
import sys
from types import CodeType, FrameType
from typing import Any

import autograph as ag
import numpy as np
from autograph._src.trees import flatten

from fuzzer.shrink import shrink
from fuzzer.smooth_writer import SmoothWriter
from fuzzer.time_limit import TooLong
from fuzzer.verdicts import Failure, Verdicts
from fuzzer.ways import remember

ARGUMENTS = (
    lambda: (0.7, -0.4, np.array([0.3, -0.8, 1.1, 0.55]), np.int64(3)),
    lambda: (np.float64(-0.35), np.float64(1.2), np.array([-0.6, 0.25, 0.9, -1.3]), np.int64(2)),
    lambda: (1.35, 0.15, np.array([0.85, 0.45, -0.2, 0.05]), 5),
    # Where formulas divide zero by zero, or choose a branch.
    lambda: (0.0, 0.0, np.zeros(4), 3),
    lambda: (-0.0, np.float64(1.0), np.array([1.0, 0.0, -0.0, 1.0]), 2),
    lambda: (np.float64(0.5), 0.5, np.full(4, 0.5), np.int64(4)),
)
SPECIAL = 3
"""The first of the special points, at which fewer programs are smooth."""
DIRECTION = (0.8, -1.1, np.array([0.7, -0.5, 1.2, 0.4]))
WIDTHS = (1e-5, 2e-6)
PLAIN_ERRORS = (ValueError, IndexError, ArithmeticError, TypeError, NameError, AttributeError, RecursionError)


@dataclasses.dataclass
class Slopes:
    """A program at a point: its result and the derivative of each leaf; none where it is not smooth."""

    result: Any
    slopes: list[Any] | None

    @property
    def value(self) -> list[Any]:
        return leaves_of(self.result)


def function_of(code: CodeType, name: str = "f") -> Any:
    scope: dict[str, Any] = {"np": np, "ag": ag, "__name__": "program"}
    exec(code, scope)
    return scope[name]


def leaves_of(tree: Any) -> list[Any]:
    leaves: list[Any] = []
    flatten(tree, leaves)
    return leaves


def moved(arguments: tuple[Any, ...], distance: float) -> list[Any]:
    floats = [one + distance * step for one, step in zip(arguments, DIRECTION, strict=False)]
    return [*floats, arguments[3]]


def plain(function: Any, arguments: tuple[Any, ...], distance: float = 0.0) -> Any:
    with np.errstate(all="ignore"):
        return function(*moved(arguments, distance))


class WatchedNumPy:
    """NumPy that notes which operands `where` takes, and the places that are found by order."""

    def __init__(self, steps: list[int]) -> None:
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)
        if name not in ("argsort", "argmax", "argmin", "searchsorted"):
            return function

        def noting(*args: Any, **kwargs: Any) -> Any:
            places = function(*args, **kwargs)
            self._steps.extend(np.ravel(places).tolist())
            return places

        return noting

    def where(self, condition: Any, *operands: Any) -> Any:
        self._steps.extend(np.ravel(np.asarray(condition, bool)).tolist())
        return np.where(condition, *operands)


def path(function: Any, arguments: tuple[Any, ...], distance: float = 0.0) -> list[int]:
    """The instructions of the program that run, and what its `min`, `max` and functions of NumPy choose."""
    steps: list[int] = []

    def choosing(choose: Any) -> Any:
        def chosen(*values: Any) -> Any:
            found = choose(*values)
            steps.append(next(place for place, value in enumerate(values) if value is found))
            return found

        return chosen

    def each(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename.startswith("<"):
            frame.f_trace_opcodes = True
            if event == "opcode":
                steps.append(frame.f_lasti)
            return each
        return None

    around, names = sys.gettrace(), {"min": choosing(min), "max": choosing(max), "np": WatchedNumPy(steps)}
    before = {name: one for name, one in function.__globals__.items() if name in names}
    function.__globals__.update(names)
    sys.settrace(each)
    try:
        plain(function, arguments, distance)
    finally:
        sys.settrace(around)
        for name in names:
            del function.__globals__[name]
        function.__globals__.update(before)
    return steps


def measured(function: Any, arguments: tuple[Any, ...]) -> Slopes:
    """What plain Python says."""
    result = plain(function, arguments)
    value, found = leaves_of(result), []
    try:
        distances = [distance for width in WIDTHS for distance in (width, -width)]
        sides = [leaves_of(plain(function, arguments, distance)) for distance in distances]
    except PLAIN_ERRORS:
        return Slopes(result, None)
    shapes = [[np.shape(leaf) for leaf in side] for side in (value, *sides)]
    if any(shape != shapes[0] for shape in shapes):
        return Slopes(result, None)
    # `y = 0 if x == 0 else x` is smooth, and has the derivative 0 at 0: that of the branch.
    if any(path(function, arguments, distance) != path(function, arguments) for distance in distances):
        return Slopes(result, None)
    for at, *beside in zip(value, *sides, strict=True):
        after, before, after_narrow, before_narrow = map(np.asarray, beside)
        with np.errstate(all="ignore"):
            wide = (after - before) / (2 * WIDTHS[0])
            narrow = (after_narrow - before_narrow) / (2 * WIDTHS[1])
            bends = [
                (after + before - 2 * at) / WIDTHS[0],
                (after_narrow + before_narrow - 2 * at) / WIDTHS[1],
            ]
            # Of a smooth function this shrinks with the width; the rest is the step of the slope at a kink.
            step = (WIDTHS[0] * bends[1] - WIDTHS[1] * bends[0]) / (WIDTHS[0] - WIDTHS[1])
        is_smooth = close(wide, narrow, 3e-6) and bool(np.all(np.abs(step) <= 1e-5 * (1 + np.abs(wide))))
        if not (is_smooth and np.all(np.isfinite(wide))):
            return Slopes(result, None)
        found.append(wide)
    return Slopes(result, found)


def close(left: Any, right: Any, tolerance: float) -> bool:
    left, right = np.asarray(left), np.asarray(right)
    return left.shape == right.shape and bool(
        np.allclose(left, right, rtol=tolerance, atol=tolerance, equal_nan=True)
    )


def is_beside_jump(found: Any, function: Any, arguments: tuple[Any, ...], wanted: list[Any]) -> bool:
    """Whether rounding alone has led to leaves that differ from what plain Python gives.

    Which of two norms of the same numbers is larger, and which of two equal elements `argsort` names first,
    depends on the last bit (docs/differences.md). Plain Python may give the leaves beside the point, or the
    graph there what plain Python gives here: `np.sum(x * y) < x @ y` is never true of NumPy's two loops.
    """
    points, staged = rounded(arguments), ag.function(function)
    return any(all_close(found, leaves_of(run_at(function, point))) for point in points) or any(
        all_close(leaves_of(run_at(staged, point)), wanted) for point in points
    )


def all_close(found: list[Any], wanted: list[Any]) -> bool:
    return len(found) == len(wanted) and all(map(close, found, wanted, [1e-9] * len(found)))


def rounded(arguments: tuple[Any, ...]) -> list[list[Any]]:
    """Points beside one, as far away as the rounding of a few operations."""
    draws = np.random.default_rng(7)
    return [
        [*(one + 1e-13 * draws.uniform(-1, 1, size=np.shape(one)) for one in arguments[:3]), arguments[3]]
        for _ in range(12)
    ]


def run_at(function: Any, point: list[Any]) -> Any:
    """What a function gives at a point, and nothing where it raises."""
    try:
        return plain(function, tuple(point))
    except PLAIN_ERRORS:
        return None


def forward(function: Any, arguments: tuple[Any, ...], want: Slopes) -> str | None:
    """What differs in forward mode."""
    given = arguments[3]
    value, tangent = ag.jvp(lambda a, b, x: function(a, b, x, given), arguments[:3], typed(arguments))
    found = leaves_of(value)
    if not all_close(found, want.value):
        return None if is_beside_jump(found, function, arguments, want.value) else "value"
    if want.slopes is None:
        return None
    pairs = zip(leaves_of(tangent), want.slopes, strict=True)
    return None if all(close(one, other, 3e-5) for one, other in pairs) else "derivative"


def typed(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The direction, in the types of the arguments."""
    return tuple(
        type(one)(step) if np.ndim(step) == 0 else step
        for one, step in zip(arguments, DIRECTION, strict=False)
    )


def weights_of(value: list[Any]) -> list[Any]:
    draws = np.random.default_rng(4)
    return [
        type(leaf)(draws.uniform(0.5, 1.5))
        if np.ndim(leaf) == 0
        else draws.uniform(0.5, 1.5, size=leaf.shape)
        for leaf in value
    ]


def loss_of(function: Any, weight: Any, given: Any) -> Any:
    return lambda a, b, x: np.sum(weight * function(a, b, x, given))


def reverse(function: Any, arguments: tuple[Any, ...], want: Slopes) -> str | None:
    """What differs in reverse mode."""
    weights, given = weights_of(want.value), arguments[3]
    _, rebuild = flatten(want.result, [])
    value, pull = ag.vjp(lambda a, b, x: function(a, b, x, given), *arguments[:3])
    gradient = pull(rebuild(list(weights)))
    found = leaves_of(value)
    if not all_close(found, want.value):
        return None if is_beside_jump(found, function, arguments, want.value) else "value"
    if want.slopes is None:
        return None
    slope = sum(np.sum(weight * leaf) for weight, leaf in zip(weights, want.slopes, strict=True))
    parts = [np.asarray(one * step) for one, step in zip(gradient, DIRECTION, strict=True)]
    scale = max(1.0, sum(float(np.sum(np.abs(part))) for part in parts))
    along = sum(float(np.sum(part)) for part in parts)
    return None if close(along / scale, slope / scale, 3e-5) else "derivative"


def second(function: Any, arguments: tuple[Any, ...], want: Slopes) -> str | None:
    """What differs in forward over reverse mode, against reverse over forward, of numbers and arrays."""
    if want.slopes is None or isinstance(want.result, (tuple, list, dict)):
        return None
    loss, along = loss_of(function, weights_of(want.value)[0], arguments[3]), typed(arguments)
    _, found = ag.jvp(ag.grad(loss, (0, 1, 2)), arguments[:3], along)
    again = ag.grad(lambda a, b, x: ag.jvp(loss, (a, b, x), along)[1], (0, 1, 2))(*arguments[:3])
    scale = max(1.0, *(float(np.max(np.abs(one))) for one in found))
    pairs = zip(found, again, strict=True)
    return None if all(close(one / scale, other / scale, 1e-8) for one, other in pairs) else "derivative"


def rows(function: Any, arguments: tuple[Any, ...], want: Slopes) -> str | None:
    """What differs where three points are rows of one call."""
    points = [moved(arguments, distance) for distance in (0.0, 0.35, -0.6)]
    try:
        wanted = [leaves_of(plain(function, tuple(point))) for point in points]
    except PLAIN_ERRORS:
        return None
    given = arguments[3]
    stacked = [np.stack(parts) for parts in zip(*(point[:3] for point in points), strict=True)]
    if any([np.shape(leaf) for leaf in one] != [np.shape(leaf) for leaf in wanted[0]] for one in wanted):
        return None
    found = leaves_of(ag.vmap(lambda a, b, x: function(a, b, x, given))(*stacked))
    by_row = [[leaf[row] for leaf in found] for row in range(len(points))]
    compared = zip(by_row, map(tuple, points), wanted, strict=True)
    are_same = all(
        all_close(row, want_of_row) or is_beside_jump(row, function, point, want_of_row)
        for row, point, want_of_row in compared
    )
    return None if are_same else "value"


def kept(function: Any, arguments: tuple[Any, ...], want: Slopes) -> str | None:
    """What differs where a derivative is asked for after the function has run, several times or in rows."""
    given, along = arguments[3], typed(arguments)

    def with_given(a, b, x):
        return function(a, b, x, given)

    value, pull = ag.vjp(with_given, *arguments[:3])
    _, rebuild = flatten(value, [])
    cotangent = rebuild(weights_of(leaves_of(value)))
    again = ag.function(lambda primals, cotangent: ag.vjp(with_given, *primals)[1](cotangent))
    wanted = again(arguments[:3], cotangent)
    if not all(scaled(pull(cotangent), wanted) for _ in range(2)):
        return "kept derivative"
    doubled = rebuild([np.stack([leaf, leaf * 2.0]) for leaf in leaves_of(cotangent)])
    if all(np.ndim(leaf) == 0 or len(leaf) for leaf in leaves_of(cotangent)):
        by_row = ag.vmap(pull)(doubled)
        if not scaled([part[0] for part in by_row], wanted):
            return "rows of cotangents"
    _, push = ag.linearize(with_given, *arguments[:3])
    tangent = ag.jvp(with_given, arguments[:3], along)[1]
    return None if scaled(leaves_of(push(*along)), leaves_of(tangent)) else "kept tangent"


def scaled(found: Any, wanted: Any) -> bool:
    """Whether two lists of derivatives are close, measured by the largest."""
    scale = max([1.0, *(float(np.max(np.abs(one), initial=0.0)) for one in wanted)])
    if not np.isfinite(scale):
        return True
    pairs = zip(found, wanted, strict=True)
    return all(close(np.asarray(one) / scale, np.asarray(other) / scale, 1e-8) for one, other in pairs)


def ruled(function: Any, arguments: tuple[Any, ...], want: Slopes) -> str | None:
    """What differs where the function is one with a rule, or computed again by its gradient."""
    if want.slopes is None or isinstance(want.result, (tuple, list, dict)):
        return None
    given = arguments[3]

    def with_given(a, b, x):
        return function(a, b, x, given)

    reversed_, forwards = ag.custom_vjp(with_given), ag.custom_jvp(with_given)
    reversed_.defvjp(
        lambda *primals: (with_given(*primals), primals),
        lambda primals, cotangent: ag.vjp(with_given, *primals)[1](cotangent),
    )
    forwards.defjvp(lambda primals, tangents: ag.jvp(with_given, primals, tangents))
    weight = weights_of(want.value)[0]
    plain_gradient = gradient_of(with_given, weight)(*arguments[:3])
    for one in (reversed_, forwards, ag.checkpoint(with_given)):
        if not scaled(gradient_of(one, weight)(*arguments[:3]), plain_gradient):
            return f"derivative of {type(one).__name__}"
    return None


def gradient_of(function: Any, weight: Any) -> Any:
    return ag.grad(lambda a, b, x: np.sum(weight * function(a, b, x)), (0, 1, 2))


def batched(function: Any, arguments: tuple[Any, ...], want: Slopes) -> str | None:
    """What differs between gradients of rows, the gradient of their sum, and one gradient a row."""
    if want.slopes is None or isinstance(want.result, (tuple, list, dict)):
        return None
    given, weight = arguments[3], weights_of(want.value)[0]
    points = [moved(arguments, distance)[:3] for distance in (0.0, 0.35, -0.6)]
    loss = loss_of(function, weight, given)
    try:
        shapes = [np.shape(plain(function, (*point, given))) for point in points]
    except PLAIN_ERRORS:
        return None
    if any(shape != np.shape(want.result) for shape in shapes):
        return None
    stacked = [np.stack(parts) for parts in zip(*points, strict=True)]
    by_row = [ag.grad(loss, (0, 1, 2))(*point) for point in points]
    wanted = [np.stack(parts) for parts in zip(*by_row, strict=True)]
    in_rows = ag.vmap(ag.grad(loss, (0, 1, 2)))(*stacked)
    if not scaled(in_rows, wanted):
        return "gradients of rows"
    of_sum = ag.grad(lambda a, b, x: np.sum(ag.vmap(loss)(a, b, x)), (0, 1, 2))(*stacked)
    return None if scaled(of_sum, wanted) else "gradient of rows"


WAYS = {
    "forward": forward,
    "reverse": reverse,
    "second": second,
    "rows": rows,
    "kept": kept,
    "ruled": ruled,
    "batched": batched,
}


def try_text(text: str, file: str, places: Any, ways: Any) -> Verdicts:
    """Runs a program at some of the points in some of the ways."""
    code, verdicts = remember(text, file), []
    try:
        for place in places:
            try:
                want = measured(function_of(code), ARGUMENTS[place]())
            except PLAIN_ERRORS:
                verdicts.append("plain: raises")
                continue
            if not all(np.asarray(leaf).dtype == np.float64 for leaf in want.value):
                verdicts.append("plain: no floats")
                continue
            where = "plain" if place < SPECIAL else "special point"
            verdicts.append(f"{where}: smooth" if want.slopes is not None else f"{where}: not smooth")
            for name in ways:
                verdict, got = tried(name, code, place, want)
                if verdict == "same" or verdict.startswith("refused"):
                    verdicts.append(f"{name}: {verdict}")
                else:
                    return Failure(name, verdict, (place,), text, got, want), verdicts
    finally:
        linecache.cache.pop(file, None)
    return None, verdicts


_RAGGED = "vmap: rows have different sizes", "vmap: rows have lists of different lengths"


def tried(name: str, code: CodeType, place: int, want: Slopes) -> tuple[str, Any]:
    """A verdict, and what was raised."""
    arguments, before = ARGUMENTS[place](), ARGUMENTS[place]()
    try:
        with np.errstate(all="ignore"):
            part = WAYS[name](function_of(code), arguments, want)
    except (TooLong, KeyboardInterrupt):
        raise
    except (ag.StagingError, ag.ConversionError) as error:
        is_located = bool(error.code) and error.location is not None
        return (f"refused {error.code}" if is_located else "refusal"), error
    except ag.GraphRuntimeError as error:
        # Rows of a batch whose lists hold arrays of other sizes are refused where the graph runs.
        is_known = any(words in str(error) for words in _RAGGED) and error.location is not None
        return (f"refused {error.code}" if is_known else "error GraphRuntimeError"), error
    except BaseException as error:  # A panic of the core is not an Exception.
        return f"error {type(error).__name__}", error
    if not np.array_equal(arguments[2], before[2]):
        return "array", arguments[2]
    return part or "same", None


def try_smooth(seed: int) -> Verdicts:
    """Writes the program of a seed and differentiates it at one of the points."""
    more = ("second", "kept", "rows", "ruled", "batched")[seed % 5]
    place = seed // 5 % len(ARGUMENTS)
    return try_text(
        SmoothWriter(seed).program(), f"<fuzz smooth {seed}>", [place], ["forward", "reverse", more]
    )


def shrunk(failure: Failure) -> Failure:
    """The smallest program found that fails in the same way."""
    best = failure

    def fails(text: str) -> bool:
        nonlocal best
        found, _ = try_text(text, "<shrinking>", failure.arguments, [failure.way])
        if found is None or found.part != failure.part or str(found.got)[:40] != str(failure.got)[:40]:
            return False
        best = found
        return True

    shrink(failure.text, fails)
    return best


def report(failure: Failure) -> str:
    """A failing program as a file that runs."""
    arguments = ARGUMENTS[failure.arguments[0]]()
    notes = f"expected {failure.want}\ngot {failure.got}".replace("\n", "\n#   ")
    return (
        f"# way: {failure.way}; differs: {failure.part}; call: f{arguments!r}\n# {notes}\n"
        f"import numpy as np\n\n\n{failure.text}"
    )
