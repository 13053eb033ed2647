"""What staging makes of a program: the same as CPython, a refusal, or a fault."""

from __future__ import annotations

import copy
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
from crossing.judge import STAGED_SECONDS, Seen, are_the_same, called
from fuzzer.time_limit import TooLong, time_limit

TOPICS = sorted(
    module.name
    for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    if not module.name.startswith("_")
)
TOPICS.remove("judge")


@dataclass(frozen=True)
class Program:
    """A function, and the arguments of its calls.

    Attributes:
        topic: The module that it is in.
        function: The function.
        calls: The arguments of each call, which together take every path.
    """

    topic: str
    function: Callable[..., Any]
    calls: tuple[tuple[Any, ...], ...]

    @property
    def name(self) -> str:
        """Its topic and its function's name."""
        return f"{self.topic}.{self.function.__name__}"


@dataclass(frozen=True)
class Verdict:
    """What came of a program.

    Attributes:
        program: The program.
        refusal: The code and text of the first call that was refused; none if all were staged.
        differences: For each call that was not CPython's, what CPython did and what we did.
    """

    program: Program
    refusal: str | None
    differences: tuple[tuple[Seen, Seen], ...]


def programs() -> Iterator[Program]:
    """All programs, topic by topic."""
    for topic in TOPICS:
        for function, *calls in importlib.import_module(f"reach.{topic}").PROGRAMS:
            yield Program(topic, function, tuple(calls))


def of_numpy(value: Any) -> Any:
    """An argument with NumPy's numbers in place of Python's: none of them is known while tracing."""
    if type(value) is int:
        return np.int64(value)
    if type(value) is float:
        return np.float64(value)
    if type(value) in (list, tuple):
        return type(value)(map(of_numpy, value))
    return value


def judged(program: Program) -> Verdict:
    """Makes the calls of a program both ways, one staged function for all of them."""
    staged = ag.function(program.function)
    refusal, differences = None, []
    for arguments in program.calls:
        want = called(program.function, copy.deepcopy(arguments))
        try:
            with time_limit(STAGED_SECONDS):
                got = called(staged, copy.deepcopy(arguments))
        except TooLong:
            got = Seen("no end in time", "", None)
        if got.refusal is not None:
            refusal = refusal or got.refusal
        elif not are_the_same(got, want, rounds=True):
            differences.append((want, got))
    return Verdict(program, refusal, tuple(differences))


def reason(program: Program) -> str:
    """The first line of the message of the first call that is refused."""
    staged = ag.function(program.function)
    for arguments in program.calls:
        try:
            staged(*copy.deepcopy(arguments))
        except ag.AutographError as error:
            return str(error).splitlines()[0]
        except Exception:
            continue  # It is one of CPython's.
    return ""
