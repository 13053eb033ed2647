"""Programs that tests make, of an array and a number, held against differences in each way to differentiate.

A program is called as ``program(x, s, *more)``, where `more` is made anew for each call. Its derivative is
right in all modes and motions, its value is that of the program to the bit, and it leaves of its arguments
what the program leaves, or it is refused with its place.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
from autograph import tangent
from autograph.errors import StagingError
from program_texts import run_text
from tangent_checks import is_guard, is_located, is_same
from whole import in_turn

X, S = np.array([1.3, 0.7, 0.9]), 1.25
DX, DS = np.array([0.4, -1.1, 0.6]), 0.7

Given = Callable[[dict[str, Any]], tuple[Any, ...]]
"""What a program is given beside `x` and `s`, of the variables of its module."""


def nothing(variables: dict[str, Any]) -> tuple[Any, ...]:
    """A program has no other arguments."""
    return ()


class Made:
    """A program, and its arguments.

    Args:
        text: A module with a function `program`.
        name: That of the module.
        given: What else it is given.
    """

    def __init__(self, text: str, name: str, given: Given = nothing) -> None:
        self.text = text
        # The dataclasses of a text ask for its module.
        sys.modules[name] = ModuleType(name)
        self.variables = run_text(text, f"<{name}>", np=np, tangent=tangent, __name__=name)
        self.program: Callable[..., Any] = self.variables["program"]
        self._given = given

    def more(self) -> tuple[Any, ...]:
        """The arguments beside `x` and `s`."""
        return self._given(self.variables)

    def value(self, x: Any, s: Any) -> Any:
        """What the program gives."""
        return self.program(x, s, *self.more())

    def runs(self) -> bool:
        """Whether CPython runs it."""
        try:
            with np.errstate(all="ignore"):
                value = self.value(X.copy(), S)
        except Exception:
            return False
        return bool(np.isfinite(value))


def indented(text: str, by: int) -> str:
    """A text at another depth."""
    return "".join(f"{' ' * by}{line}\n" for line in text.split("\n"))


def along(function: Callable[..., Any]) -> Any:
    """The derivative in a direction, by differences."""
    ends = [function(X + sign * 1e-6 * DX, S + sign * 1e-6 * DS) for sign in (1, -1)]
    return (ends[0] - ends[1]) / 2e-6


def reverse(derivative: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative in a direction, of a gradient."""

    def found(x: Any, *more: Any) -> Any:
        bx, bs = derivative(x, S, *more)
        return np.sum(bx * DX) + bs * DS

    return found


def forward(function: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative in a direction, in forward mode."""
    derivative = tangent.jvp(function, wrt=(0, 1))
    return lambda x, *more: derivative(x, S, *more, DX.copy(), DS)


WAYS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "joint": lambda f: reverse(tangent.grad(f, wrt=(0, 1))),
    "split": lambda f: reverse(tangent.autodiff(f, wrt=(0, 1), motion="split")),
    "raw": lambda f: reverse(tangent.autodiff(f, wrt=(0, 1), optimized=False)),
    "forward": forward,
}


def first(derivative: Callable[..., Any]) -> Callable[..., Any]:
    """The number whose gradient is a second derivative in a direction."""

    def directional(x: Any, s: Any, *more: Any) -> Any:
        return np.sum(derivative(x, s, *more) * DX)

    return directional


SECOND: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "reverse over reverse": lambda f: tangent.grad(first(tangent.grad(f))),
    "forward over reverse": lambda f: lambda x, s, *more: tangent.hvp(f)(x, s, *more, DX),
    "reverse over forward": lambda f: (
        lambda x, s, *more: tangent.grad(tangent.jvp(f))(x, s, *more, DX.copy())
    ),
}


def refusal(error: Exception, text: str) -> str:
    """How a program is refused: with its place, or by a guard."""
    if isinstance(error, ag.ConversionError):
        assert is_located(error), text
        assert "help:" in str(error), error
        return "refused"
    assert is_guard(error), f"{text}\n{type(error)} {error}"
    return "guard"


def outcome(made: Made, way: str) -> str:
    """Holds a derivative against differences; gives "right", or how it is refused."""
    given, more = X.copy(), made.more()
    try:
        found = WAYS[way](made.program)(given, *more)
    except (ag.ConversionError, TypeError) as error:
        return refusal(error, made.text)
    wanted = along(made.value)
    assert np.allclose(found, wanted, rtol=1e-5, atol=1e-5), (made.text, way, found, wanted)
    after, own = X.copy(), made.more()
    made.program(after, S, *own)
    assert np.array_equal(given, after), (made.text, way)
    assert is_same(more, own), (made.text, way, more, own)
    return "right"


def second_outcome(made: Made, way: str) -> str | None:
    """Holds a second derivative against differences of the gradient; ``None`` if there is no gradient."""
    try:
        gradient = tangent.grad(made.program)
        ends = [gradient(X + sign * 1e-6 * DX, S, *made.more()) for sign in (1, -1)]
    except (ag.ConversionError, TypeError):
        return None
    try:
        found = SECOND[way](made.program)(X.copy(), S, *made.more())
    except (ag.ConversionError, TypeError) as error:
        return refusal(error, made.text)
    wanted = (ends[0] - ends[1]) / 2e-6
    assert np.allclose(found, wanted, rtol=1e-4, atol=1e-4), (made.text, way, found)
    return "right"


def value_outcome(made: Made) -> str:
    """Holds the value that a derivative gives against the program, to the bit."""
    try:
        found = tangent.autodiff(made.program, preserve_result=True)(X.copy(), S, *made.more())[-1]
    except (ag.ConversionError, TypeError) as error:
        return refusal(error, made.text)
    assert found == made.value(X.copy(), S), made.text
    return "right"


def graph_outcome(made: Made) -> str:
    """Holds a gradient against that of the graph."""
    try:
        wanted = ag.grad(made.program)(X.copy(), S, *made.more())
        found = tangent.grad(made.program)(X.copy(), S, *made.more())
    except (ag.ConversionError, StagingError, TypeError):
        return "refused"
    assert np.allclose(found, wanted, rtol=1e-9, atol=1e-12), made.text
    return "right"


class Crossing:
    """The texts of programs, of which a run takes some.

    Args:
        texts: The modules.
        name: What they are called, with their numbers.
        given: What else a program is given.
    """

    def __init__(self, texts: Iterable[str], name: str, given: Given = nothing) -> None:
        self._texts = list(texts)
        self._name = name
        self._given = given

    def made(self, number: int) -> Made | None:
        """A program, if CPython runs it."""
        made = Made(self._texts[number], f"{self._name}_{number}", self._given)
        return made if made.runs() else None

    def taken(self, among: int, shift: int = 0) -> Iterator[Made]:
        """One program in so many, of those that CPython runs."""
        for number in range(len(self._texts)):
            if in_turn(number + shift, among=among) and (made := self.made(number)) is not None:
                yield made

    def count(self, among: int, shift: int, check: Callable[[Made], str | None]) -> Counter[str]:
        """What a check says of one program in so many."""
        count: Counter[str] = Counter()
        for made in self.taken(among, shift):
            found = check(made)
            if found is not None:
                count[found] += 1
        return count

    def in_a_way(self, way: str, among: int) -> Counter[str]:
        """What comes of one in so many, in one of `WAYS`."""
        return self.count(among, list(WAYS).index(way), lambda made: outcome(made, way))

    def twice(self, way: str, among: int) -> Counter[str]:
        """What comes of their second derivatives."""
        return self.count(among, len(way), lambda made: second_outcome(made, way))

    def values(self, among: int) -> Counter[str]:
        """What comes of their values."""
        return self.count(among, 0, value_outcome)

    def of_the_graph(self, among: int) -> Counter[str]:
        """What comes of their gradients beside those of the graph."""
        return self.count(among, 0, graph_outcome)


def is_mostly_right(count: Counter[str], times: float) -> bool:
    """Whether so many times as many are right as are refused."""
    return count["right"] > times * (count["refused"] + count["guard"])
