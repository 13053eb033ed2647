"""What holds for the derivative of every program: against differences, `ag.grad`, and the plain call."""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
from autograph import tangent
from autograph._src.tangent.guard_errors import GuardAside
from autograph.errors import ConversionError
from tangent_case import LOG, Program

STEP = 1e-6
LARGE = 1e6
"""Above it the digits of a value do not allow a difference of `STEP`."""


@dataclass
class Outcome:
    """What a call did."""

    result: Any
    error: BaseException | None
    printed: str
    logged: list[Any]
    arguments: Any


def call(function: Callable[..., Any], args: tuple[Any, ...], **keywords: Any) -> Outcome:
    """A call with copies of the arguments."""
    given = copy.deepcopy(args)
    LOG.clear()
    printed = io.StringIO()
    result, error = None, None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(*given, **keywords)
        except Exception as caught:
            error = caught
    return Outcome(result, error, printed.getvalue(), list(LOG), given)


def is_same(left: Any, right: Any) -> bool:
    """Whether two values are equal to the bit, and of one type."""
    if isinstance(left, (list, tuple)):
        return (
            type(left) is type(right)
            and len(left) == len(right)
            and all(is_same(*pair) for pair in zip(left, right, strict=True))
        )
    if isinstance(left, dict):
        return (
            type(left) is type(right)
            and list(left) == list(right)
            and all(is_same(left[key], right[key]) for key in left)
        )
    if isinstance(left, (np.ndarray, np.generic)):
        return (
            type(left) is type(right)
            and left.dtype == right.dtype
            and left.shape == right.shape
            and left.tobytes() == right.tobytes()
        )
    if hasattr(left, "__dict__") and not callable(left):
        return type(left) is type(right) and is_same(vars(left), vars(right))
    return type(left) is type(right) and (left == right or left is right or left != left)


def is_close(found: Any, wanted: Any, tolerance: float) -> bool:
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    return found.shape == wanted.shape and np.allclose(
        found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True
    )


def is_single(tree: Any) -> bool:
    return any(getattr(leaf, "dtype", None) == np.float32 for leaf in leaves_of(tree))


def with_leaf(tree: Any, place: int, change: Callable[[Any], Any]) -> Any:
    """A copy of a tree of lists, tuples and dicts, with one leaf changed."""
    count = iter(range(10**6))

    def walk(node: Any) -> Any:
        if isinstance(node, (list, tuple)):
            return type(node)([walk(one) for one in node])
        if isinstance(node, dict):
            return {key: walk(one) for key, one in node.items()}
        return change(node) if next(count) == place else copy.copy(node)

    return walk(tree)


def leaves_of(tree: Any) -> list[Any]:
    """The leaves of lists, tuples and dicts, in order."""

    def walk(node: Any) -> Iterator[Any]:
        if isinstance(node, (list, tuple)):
            for one in node:
                yield from walk(one)
        elif isinstance(node, dict):
            for one in node.values():
                yield from walk(one)
        else:
            yield node

    return list(walk(tree))


def is_float(leaf: Any) -> bool:
    return isinstance(leaf, float) or (
        isinstance(leaf, (np.ndarray, np.generic)) and np.issubdtype(leaf.dtype, np.floating)
    )


def differences(
    function: Callable[..., Any], args: tuple[Any, ...], wrt: int, weigh: Callable[[Any], Any], step: float
) -> list[Any]:
    """The derivative of the weighed result by differences, by leaf of one argument."""
    found: list[Any] = []
    for place, leaf in enumerate(leaves_of(args[wrt])):
        if not is_float(leaf):
            found.append(None)
            continue
        flat = np.asarray(leaf, float)
        slope = np.zeros(flat.shape)
        for index in np.ndindex(flat.shape):
            values = []
            for sign in (1, -1):

                def moved(value: Any, index: Any = index, sign: int = sign) -> Any:
                    if isinstance(value, np.ndarray):
                        new = value.copy()
                        new[index] += sign * step
                        return new
                    return type(value)(value + sign * step)

                changed = list(args)
                changed[wrt] = with_leaf(args[wrt], place, moved)
                outcome = call(function, tuple(changed))
                if outcome.error is not None:
                    raise outcome.error
                values.append(weigh(outcome.result))
            slope[index] = (values[0] - values[1]) / (2 * step)
        found.append(slope)
    return found


def seed_of(result: Any) -> Any:
    """An adjoint for a result: 1.0 for a scalar."""
    if isinstance(result, np.ndarray) and result.shape:
        return np.cos(np.arange(1.0, result.size + 1)).reshape(result.shape).astype(result.dtype)
    return 1.0


class Checker:
    """Checks one program; what is wrong is in `faults`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.faults: list[str] = []
        self.sources: dict[str, str] = {}
        self.checked = 0

    def fault(self, what: str, args: Any, found: Any, wanted: Any, source: str = "") -> None:
        if isinstance(found, BaseException):
            found = "".join(traceback.format_exception(found)[-3:])
        self.faults.append(
            f"{what} of {self.program.name}{args!r}:\n  found {found!s}\n  wanted {wanted!s}\n{source}"
        )

    def run(self) -> list[str]:
        """All checks.

        Raises:
            ConversionError: It is refused.
        """
        program = self.program
        wrt = program.wrt
        plain = tangent.tangent(program.function) if program.wanted else program.function
        reverse = tangent.vjp(program.function, wrt)
        default = tangent.grad(program.function, wrt)
        others = {
            "raw": tangent.autodiff(program.function, wrt, optimized=False),
            "split": tangent.autodiff(program.function, wrt, motion="split"),
        }
        both = tangent.value_and_grad(program.function, wrt)
        self.sources["reverse"] = tangent.to_source(default)
        self.sources["raw"] = tangent.to_source(others["raw"])
        self.sources["split"] = tangent.to_source(others["split"])
        forward = None
        if program.wanted is None:
            forward = tangent.jvp(program.function, wrt)
            self.sources["forward"] = tangent.to_source(forward)
        for args in program.inputs:
            self._check(args, plain, default, reverse, both, others, forward)
        return self.faults

    def _check(
        self,
        args: tuple[Any, ...],
        plain: Any,
        default: Any,
        reverse: Any,
        both: Any,
        others: dict[str, Any],
        forward: Any,
    ) -> None:
        program = self.program
        expected = call(plain, args)
        source = self.sources["reverse"]
        if expected.error is not None:
            found = call(default, args)
            if is_guard(found.error):
                raise found.error
            if type(found.error) is not type(expected.error) or str(found.error) != str(expected.error):
                self.fault("error", args, found.error or found.result, repr(expected.error), source)
            return
        seed = seed_of(expected.result)
        is_scalar = np.ndim(seed) == 0
        found = call(default, args) if is_scalar else call(reverse, (*args, seed))
        if is_guard(found.error):
            raise found.error
        if found.error is not None:
            self.fault("crash", args, found.error, "a gradient", source)
            return
        self._effects("gradient", args, found, expected, source)
        gradients = list(found.result) if len(program.wrt) > 1 else [found.result]
        slopes = self._values(args, expected.result, plain, gradients, seed, source)
        if not is_scalar and not is_same(found.arguments[-1], seed):
            self.fault("the adjoint of the result is written", args, found.arguments[-1], seed, source)
        again = call(default, args) if is_scalar else call(reverse, (*args, seed))
        if not is_same(again.result, found.result):
            self.fault("second call", args, again.error or again.result, found.result, source)
        if is_scalar:
            pair = call(both, args)
            if pair.error is not None:
                self.fault("value_and_grad", args, pair.error, expected.result)
            else:
                self._effects("value_and_grad", args, pair, expected, source)
                if not is_same(pair.result[0], expected.result):
                    self.fault("value", args, repr(pair.result[0]), repr(expected.result), source)
                if not is_same(pair.result[1], found.result):
                    self.fault("value_and_grad's gradient", args, pair.result[1], found.result)
            for name, other in others.items():
                outcome = call(other, args)
                if outcome.error is not None:
                    self.fault(f"crash ({name})", args, outcome.error, found.result, self.sources[name])
                    continue
                self._effects(name, args, outcome, expected, self.sources[name])
                left, right = leaves_of(outcome.result), leaves_of(found.result)
                if len(left) != len(right) or not all(
                    is_close(*pair, 1e-12 if not is_single(found.result) else 1e-5)
                    for pair in zip(left, right, strict=True)
                ):
                    self.fault(name, args, outcome.result, found.result, self.sources[name])
        if forward is not None:
            self._forward(args, expected, slopes, seed, forward)
        self.checked += 1

    def _effects(self, what: str, args: Any, found: Outcome, expected: Outcome, source: str) -> None:
        if found.printed != expected.printed:
            self.fault(f"{what}: printed", args, found.printed, expected.printed, source)
        if not is_same(found.logged, expected.logged):
            self.fault(f"{what}: logged", args, found.logged, expected.logged, source)
        count = len(expected.arguments)
        if not is_same(found.arguments[:count], expected.arguments):
            self.fault(f"{what}: arguments", args, found.arguments, expected.arguments, source)

    def _values(
        self, args: Any, expected: Any, plain: Any, gradients: list[Any], seed: Any, source: str
    ) -> list[list[Any]]:
        """Compares gradients with differences; gives the differences, by argument and leaf."""
        program = self.program
        single = is_single(args)
        size = float(np.sum(np.abs(np.asarray(expected, float) * np.asarray(seed, float))))
        # What the digits of the value allow a difference to say.
        tolerance = 2e-2 if single else max(program.tolerance, 1e-5, 1e-9 * size)
        found: list[list[Any]] = []

        def weigh(result: Any) -> Any:
            return np.sum(np.asarray(result, float) * np.asarray(seed, float))

        for place, gradient in zip(program.wrt, gradients, strict=True):
            if program.wanted is not None:
                wanted = [program.wanted(*args)]
            else:
                wanted = differences(plain, args, place, weigh, 1e-2 if single else STEP)
            if not size < LARGE:
                wanted = [None] * len(wanted)
            found.append(wanted)
            leaves = leaves_of(gradient)
            originals = leaves_of(args[place])
            if len(leaves) != len(wanted):
                self.fault(f"gradient {place}", args, gradient, wanted, source)
                continue
            for leaf, slope, original in zip(leaves, wanted, originals, strict=True):
                if slope is None:
                    continue
                if not is_close(leaf, slope, tolerance):
                    self.fault(f"gradient {place}", args, gradient, wanted, source)
                    break
                if isinstance(original, np.ndarray) and getattr(leaf, "dtype", None) != original.dtype:
                    self.fault(f"dtype of gradient {place}", args, leaf.dtype, original.dtype, source)
            if program.wanted is None and np.ndim(seed) == 0:
                self._staged(args, place, gradient, tolerance, source)
        return found

    def _staged(self, args: Any, place: int, gradient: Any, tolerance: float, source: str) -> None:
        staged = call(lambda *given: ag.grad(self.program.function, place)(*given), args)
        if staged.error is not None:
            return
        left, right = leaves_of(gradient), leaves_of(staged.result)
        if len(left) != len(right) or not all(
            is_close(a, b, tolerance) for a, b in zip(left, right, strict=True) if is_float(b)
        ):
            self.fault(f"ag.grad {place}", args, gradient, staged.result, source)

    def _forward(
        self, args: Any, expected: Outcome, slopes: list[list[Any]], seed: Any, forward: Any
    ) -> None:
        wrt = self.program.wrt
        directions = [map_leaves(args[place], direction_of) for place in wrt]
        wanted = sum(
            float(np.sum(np.asarray(direction, float) * slope))
            for one, found in zip(directions, slopes, strict=True)
            for direction, slope in zip(leaves_of(one), found, strict=True)
            if slope is not None
        )
        source = self.sources["forward"]
        names = [f"d{inspect.getfullargspec(self.program.function).args[place]}" for place in wrt]
        if names[0] in inspect.getfullargspec(forward).kwonlyargs:
            found = call(forward, args, **dict(zip(names, directions, strict=True)))
        else:
            found = call(forward, (*args, *directions))
            if not is_same(found.arguments[len(args) :], tuple(directions)):
                self.fault("tangents are written", args, found.arguments[len(args) :], directions, source)
        if found.error is not None:
            self.fault("crash of jvp", args, found.error, "a tangent", source)
            return
        self._effects("jvp", args, found, expected, source)
        value = float(np.sum(np.asarray(found.result, float) * np.asarray(seed, float)))
        size = float(np.sum(np.abs(np.asarray(expected.result, float) * np.asarray(seed, float))))
        if size < LARGE and not is_close(value, wanted, 2e-2 if is_single(args) else max(2e-5, 1e-9 * size)):
            self.fault("jvp", args, value, wanted, source)
        if np.shape(found.result) != np.shape(expected.result):
            self.fault("shape of jvp", args, found.result, expected.result, source)


def direction_of(leaf: Any) -> Any:
    """A tangent for a leaf."""
    if isinstance(leaf, np.ndarray):
        return np.sin(np.arange(1.0, leaf.size + 1)).reshape(leaf.shape).astype(leaf.dtype)
    return type(leaf)(np.sin(1.0)) if is_float(leaf) else 0.0


def map_leaves(tree: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(tree, (list, tuple)):
        return type(tree)([map_leaves(one, change) for one in tree])
    if isinstance(tree, dict):
        return {key: map_leaves(one, change) for key, one in tree.items()}
    return change(tree)


def is_guard(error: BaseException | None) -> bool:
    """Whether a derivative has found that its arguments are not what it takes them to be, and says where."""
    if isinstance(error, GuardAside):
        return all(part in str(error) for part in ("error[AG", "-->", "= help:"))
    is_refusal = isinstance(error, ConversionError) and isinstance(error, (TypeError, ValueError))
    return is_refusal and is_located(error) and bool(error.help)


def is_located(error: ConversionError) -> bool:
    """Whether a refusal says where, and has a code."""
    return bool(error.code) and "-->" in str(error)
