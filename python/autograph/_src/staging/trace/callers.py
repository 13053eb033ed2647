"""The origin of each graph node: an instruction of the user's program, and the calls that led there.

    def checked(k):            file.py:2   a node of `k < 0`: [file.py:7 in f, file.py:3 in checked]
        if k < 0:
            raise ValueError   file.py:4 [file.py:7 in f, file.py:4 in checked]
    @ag.function
    def f(k):
        checked(k)             file.py:7

A place has a number and stores the number of the place that called it. Each call of converted code notes
its own frame. Looking up a node's place walks the stack only to the innermost noted frame, so the cost does
not grow with the depth of the call. Generated functions for blocks (`if_body`) count as part of the user's
function around them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, TracebackType
from typing import Any

from autograph._src.policy import is_user_file
from autograph._src.staging.trace.frames import is_around, is_internal_file, locations_of
from autograph._src.staging.trace.plain_handlers import ends_iteration, may_have_handlers, takes
from autograph._src.tracebacks import entries_of
from autograph.errors import Location

Step = tuple[CodeType, int]
"""A code object of the user's program, and the byte offset of an instruction in it."""

Statement = tuple[tuple[Step, ...], int]
"""The place of a statement: the steps from the last call to it, and the number of that call."""

NO_CALLER = -1
"""The number of the caller of the function that is traced, and of a function of the graph."""


class Callers:
    """The places of a trace.

    Args:
        has_libraries: Whether handlers in libraries count. Those of a library that records for itself, and
            calls the program's blocks for that, do not.
    """

    def __init__(self, *, has_libraries: bool = True) -> None:
        self._has_libraries = has_libraries
        # The key is (id of the code, instruction, number of the caller).
        self._numbers: dict[tuple[int, int, int], int] = {}
        # The key is the caller's number and then all steps since; a block adds a step, but is no call.
        self._chains: dict[tuple[Any, ...], int] = {}
        self._places: list[tuple[CodeType, int, str, int]] = []
        # For each place whether its function, or one that called it, is not converted and has a handler.
        self._handled: list[bool] = []
        self._blocks = 0
        # One entry per call or block under way: the frame of ours that runs it, the number of the place of
        # the call, and the steps from that place to the frame.
        self._entered: list[tuple[FrameType, int, tuple[Step, ...]]] = []
        # For each of these whether code around it, down to the start of the recording, is not converted and
        # has a handler.
        self._have_handlers: list[bool] = [False]

    @contextmanager
    def within(self) -> Iterator[None]:
        """Records a graph, or a function of a graph, whose places have no caller."""
        frame = sys._getframe(2)
        self._enter(frame, NO_CALLER, (), False)
        try:
            yield
        finally:
            self.leave()

    def enter(self) -> None:
        """Notes that the caller is about to call a function of the user; :meth:`leave` ends the call."""
        frame = sys._getframe(1)
        number = self.number_of(frame)
        self._enter(frame, number, (), self.have_handlers(number))

    @contextmanager
    def block(self) -> Iterator[None]:
        """Records a block of a function; the frames around the block are walked only once, here."""
        frame = sys._getframe(2)
        steps, number = self._steps_to(frame)
        self._enter(frame, number, tuple(steps), any(self._counts(code) for code, _ in steps))
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
            self.leave()

    def statement(self) -> Statement:
        """The place of the statement that the calling frame runs."""
        steps, number = self._steps_to(sys._getframe(1))
        return tuple(steps), number

    @contextmanager
    def held_by(self, statement: Statement, frame: FrameType) -> Iterator[None]:
        """Records what a statement holds, wherever it is called from.

            for x in positives(xs):
                y = z[x]                # `positives` calls it, and is not around it

        Args:
            statement: The statement's place.
            frame: The frame of ours that runs it.
        """
        steps, number = statement
        self._enter(frame, number, steps, any(self._counts(code) for code, _ in steps))
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
            self.leave()

    def _enter(self, frame: FrameType, number: int, around: tuple[Step, ...], has_handlers: bool) -> None:
        """Notes a frame of ours that runs a call or a block, and whether handlers are around it."""
        self._entered.append((frame, number, around))
        self._have_handlers.append(self._have_handlers[-1] or has_handlers)

    def have_handlers(self, number: int) -> bool:
        """Whether code that is not converted, and is around a running place, has handlers.

        Args:
            number: The place's number.
        """
        return self._have_handlers[-1] or (number != NO_CALLER and self._handled[number])

    def is_in_iterator(self, frame: FrameType | None) -> bool:
        """Whether a ``StopIteration`` that a frame raises would come to an iterator, or to a generator."""
        first = self._entered[0][0] if self._entered else None
        while frame is not None and frame is not first:
            if ends_iteration(frame):
                return True
            frame = frame.f_back
        return False

    def are_taken(
        self, frame: FrameType | None, error: type[BaseException], passed: frozenset[str] = frozenset()
    ) -> bool:
        """Whether code that is not converted, and is around a frame, may handle exceptions of a class.

        Args:
            frame: The frame.
            error: The class.
            passed: The handlers of no class that do not count, see :func:`plain_handlers.takes`.
        """
        place = len(self._entered)
        while frame is not None:
            while place and frame is self._entered[place - 1][0]:
                place -= 1
                if not self._have_handlers[place + 1]:
                    return False
            code = frame.f_code
            is_internal = is_internal_file(code.co_filename)
            if not is_internal and self._counts(code) and takes(frame, error, passed):
                return True
            if not place:
                return False
            frame = frame.f_back
        return False

    def _counts(self, code: CodeType) -> bool:
        """Whether a code object is not converted, and has handlers that may take what a run raises."""
        return may_have_handlers(code) and (self._has_libraries or is_user_file(code.co_filename))

    def innermost(self) -> FrameType | None:
        """The frame of ours that runs the innermost call or block under way."""
        return self._entered[-1][0] if self._entered else None

    @property
    def depth(self) -> int:
        """How many calls are under way."""
        return len(self._entered) - self._blocks

    def leave(self) -> None:
        """Notes that the call has ended."""
        self._entered.pop()
        self._have_handlers.pop()

    def number_of(self, frame: FrameType | None, inner: list[Step] | None = None) -> int:
        """The number of the place that a frame is executing.

        Args:
            frame: The frame.
            inner: Further steps below the frame, outermost first.
        """
        steps, number = self._steps_to(frame)
        if inner:
            steps = [*reversed(inner), *steps]
        return self._number_of(steps, number)

    def _number_of(self, steps: list[Step], number: int) -> int:
        """The number of the place that steps from the place of a number lead to, innermost first."""
        if len(steps) == 1:  # The common case.
            ((code, instruction),) = steps
            return self._place(code, instruction, code.co_name, number)
        chain = (number, *((id(code), instruction) for code, instruction in steps))
        known = self._chains.get(chain)
        if known is None:
            for code, instruction, name in reversed(_calls(steps)):
                number = self._place(code, instruction, name, number)
            known = self._chains[chain] = number
        return known

    def _steps_to(self, frame: FrameType | None) -> tuple[list[Step], int]:
        """The steps from the last noted call to a frame, innermost first, and that call's number."""
        end, number, around = self._entered[-1] if self._entered else (None, NO_CALLER, ())
        steps: list[Step] = []
        while frame is not None and frame is not end:
            if not is_internal_file(frame.f_code.co_filename):
                steps.append((frame.f_code, frame.f_lasti))
            frame = frame.f_back
        if frame is not None:
            steps += around
        return steps, number

    def _place(self, code: CodeType, instruction: int, name: str, caller: int) -> int:
        """The number of an instruction, in a function that the place `caller` called."""
        key = id(code), instruction, caller
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self._places)
            self._places.append((code, instruction, name, caller))
            self._handled.append(self._counts(code) or (caller != NO_CALLER and self._handled[caller]))
        return known

    def adopt(self, other: Callers) -> list[int]:
        """Takes over the places of another trace, as calls that this one is making; their numbers here."""
        numbers: list[int] = []
        for code, instruction, name, caller in other._places:
            above = NO_CALLER if caller == NO_CALLER else numbers[caller]
            numbers.append(self._place(code, instruction, name, above))
        return numbers

    def step(self, number: int) -> Step:
        """The code and instruction of a place."""
        return self._places[number][:2]

    def locations(self) -> list[Location]:
        """The locations of all places; the index is the number."""
        found = locations_of([(code, instruction) for code, instruction, _, _ in self._places])
        names = [name for _, _, name, _ in self._places]
        return [
            one if one.function == name else one.named(name) for one, name in zip(found, names, strict=True)
        ]

    def callers(self) -> list[int]:
        """For each place the number of its caller."""
        return [caller for _, _, _, caller in self._places]


def _calls(steps: list[Step]) -> list[tuple[CodeType, int, str]]:
    """The calls, innermost first, with function names; a block and the function around it are one call."""
    calls: list[tuple[CodeType, int, str]] = []
    position = 0
    while position < len(steps):
        code, instruction = steps[position]
        around = code
        while position + 1 < len(steps) and is_around(steps[position + 1][0], around):
            position += 1
            around = steps[position][0]
        calls.append((code, instruction, around.co_name))
        position += 1
    return calls


def steps_of(traceback: TracebackType | None) -> list[Step]:
    """The places of the user's program in a traceback, outermost first."""
    entries = [(one.tb_frame.f_code, one.tb_lasti) for one in entries_of(traceback)]
    return [one for one in entries if not is_internal_file(one[0].co_filename)]
