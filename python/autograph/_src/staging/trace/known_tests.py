"""What is known of staged tests where a part of the program is recorded.

    if x is None:           # a staged test: not `present`
        return 0.0          # here `present` is false,
    return type(x)          # and here it is true: nothing has to ask whether `x` is `None`

A branch knows its test, and what follows a `raise` knows that the test before it was false. A statement
whose test is known is recorded as in Python with a plain bool: the other branch is not recorded, and what
it would have done to the types of variables is not done.

What is known holds for the open blocks of the graph: the end of a block forgets what was found in it, since
the block may not run at all. Values of the graph never change, so nothing else has to be forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph._src.staging.trace.active import require_trace

if TYPE_CHECKING:
    from autograph._src.staging.trace.recorder import Value

Meaning = tuple[Any, ...]
"""How a test is made of others: ``("not", x)``, ``("and", x, y)``, ``("or", x, y)``, ``("is", True)``,
``("if", test, then, otherwise)``, or ``("equal", code, number)``, which compares a value of the run."""

_DEEPEST = 8
"""How many meanings are looked through: the truth of a longer formula is not worth its time."""


class KnownTests:
    """The tests whose truth is known in the open blocks, and what tests are made of.

    Example:
        >>> tests = KnownTests()
        >>> tests.means(2, "not", 1)
        >>> tests.assume(2, False)
        >>> tests.truth(1)
        True
    """

    __slots__ = ("_known", "_meanings")

    def __init__(self) -> None:
        self._meanings: dict[Value, Meaning] = {}
        self._known: dict[Any, Any] = {}  # In the order of their finding; the end of a block takes the last.

    def means(self, test: Value, *meaning: Any) -> None:
        """Notes what a test is made of."""
        self._meanings[test] = meaning

    def is_constant(self, test: Value) -> bool:
        """Whether a test is a literal."""
        meaning = self._meanings.get(test)
        return meaning is not None and bool(meaning[0] == "is")

    def truth(self, test: Value, depth: int = 0) -> bool | None:
        """Whether a test is true; ``None`` if only the run knows."""
        known = self._known.get(test)
        if known is not None:
            return bool(known)
        meaning = self._meanings.get(test)
        if meaning is None or depth > _DEEPEST:
            return None
        kind, *parts = meaning
        if kind == "is":
            return bool(parts[0])
        if kind == "equal":
            code, number = parts
            value = self._known.get(code)
            return self._known.get((code, number)) if value is None else value == number
        first = self.truth(parts[0], depth + 1)
        if kind == "not":
            return None if first is None else not first
        if kind == "if":
            return None if first is None else self.truth(parts[1 if first else 2], depth + 1)
        deciding = kind == "or"  # One true operand decides an `or`, one false operand an `and`.
        if first is deciding:
            return deciding
        second = self.truth(parts[1], depth + 1)
        return deciding if second is deciding else (None if first is None else second)

    def number(self, code: Value, numbers: list[int]) -> int | None:
        """Which of these numbers a code is; ``None`` if only the run knows."""
        if not self._known:
            return None
        known = self._known.get(code)
        if known is not None:
            return int(known)
        left = [number for number in numbers if (code, number) not in self._known]
        return left[0] if len(left) == 1 else None

    def assume(self, test: Value, truth: bool, depth: int = 0) -> None:
        """Notes the truth of a test, and what follows from it, until the innermost block ends."""
        if self.truth(test) is not None or depth > _DEEPEST:
            return
        self._known[test] = truth
        kind, *parts = self._meanings.get(test, ("",))
        if kind == "not":
            self.assume(parts[0], not truth, depth + 1)
        elif kind == "equal":
            code, number = parts
            self._known[code if truth else (code, number)] = number if truth else False
        elif kind in ("and", "or"):
            if truth is (kind == "and"):  # Both operands are.
                for part in parts:
                    self.assume(part, truth, depth + 1)
            elif self.truth(parts[0]) is not None:  # The other one decides.
                self.assume(parts[1], truth, depth + 1)
            elif self.truth(parts[1]) is not None:
                self.assume(parts[0], truth, depth + 1)
        elif kind == "if":
            self._assume_branch(parts, truth, depth + 1)

    def _assume_branch(self, parts: list[Value], truth: bool, depth: int) -> None:
        """Where one branch cannot give this result, the other one has run."""
        test, then, otherwise = parts
        for runs, result, other in ((True, then, otherwise), (False, otherwise, then)):
            if self._gives(result, test, runs, depth) is (not truth):
                self.assume(test, not runs, depth)
                self.assume(other, truth, depth)
                return

    def _gives(self, result: Value, test: Value, runs: bool, depth: int) -> bool | None:
        """What a result is if a test has this truth: in ``x is None or x is not None``, for instance."""
        mark = self.mark()
        self.assume(test, runs, depth)
        found = self.truth(result, depth)
        self.forget(mark)
        return found

    # Blocks

    def mark(self) -> int:
        """The present state, for :meth:`forget`."""
        return len(self._known)

    def forget(self, mark: int) -> None:
        """Forgets what was found since the mark."""
        while len(self._known) > mark:
            self._known.popitem()

    def drop(self, count: int) -> None:
        """Drops the tests that were rolled back: those whose numbers are not below a count."""
        meanings = self._meanings  # In the order of their numbers.
        while meanings and next(reversed(meanings)) >= count:
            meanings.popitem()


def known_truth(test: Value) -> bool | None:
    """Whether a staged test is true where the recording is; ``None`` if only the run knows."""
    tests = require_trace().builder.known_tests
    return None if tests is None else tests.truth(test)


def assume(test: Value, truth: bool) -> None:
    """Notes that a staged test is true, or false, until the innermost block of the graph ends."""
    tests = require_trace().builder.known_tests
    if tests is not None:
        tests.assume(test, truth)


def means(test: Value, *meaning: Any) -> None:
    """Notes what a staged test is made of."""
    tests = require_trace().builder.known_tests
    if tests is not None:
        tests.means(test, *meaning)


def note_choices(test: Value, results: list[Value], then: list[Value], otherwise: list[Value]) -> None:
    """Notes which results of an ``if`` are formulas: one branch gives a literal, as in ``a and b``."""
    tests = require_trace().builder.known_tests
    if tests is None:
        return
    for result, first, second in zip(results, then, otherwise, strict=True):
        if tests.is_constant(first) or tests.is_constant(second):
            tests.means(result, "if", test, first, second)
