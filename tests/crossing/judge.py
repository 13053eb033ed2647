"""CPython is the judge: what a case does under it, and what it does as a staged function."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import itertools
import linecache
import math
import re
import sys
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
from autograph.errors import AutographError
from fuzzer.time_limit import TooLong, time_limit
from internal_names import in_error

from crossing.program import Case

PLAIN_SECONDS = 1.0
STAGED_SECONDS = 20.0
"""How long a call may take; what CPython does not end in its time is not judged."""


@dataclass(frozen=True)
class Seen:
    """All that can be seen of a call.

    Attributes:
        outcome: Result or exception, with types, dtypes, values, and which parts are one object.
        printed: What it wrote.
        arguments: The arguments afterwards.
        refusal: The code, if it was refused.
    """

    outcome: Any
    printed: str
    arguments: Any
    refusal: str | None = None


@dataclass(frozen=True, eq=False)
class Float:
    """A float, which equals one that is about as large; the signs of zeros, NaN and inf are the same.

    Attributes:
        value: The float.
        tolerance: How much it may differ, by its size: sums may be taken in another order.
    """

    value: float
    tolerance: float

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Float):
            return False
        one, two = self.value, other.value
        if one == 0.0 or two == 0.0 or not math.isfinite(one) or not math.isfinite(two):
            return repr(one) == repr(two)
        return math.isclose(one, two, rel_tol=self.tolerance)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.value)


def module_of(case: Case, number: str) -> dict[str, Any]:
    """The names of a case's module, with a source that is found."""
    file = f"<crossing {number}>"
    linecache.cache[file] = (len(case.source), None, case.source.splitlines(True), file)
    module = types.ModuleType("crossing_case")
    sys.modules[module.__name__] = module  # A dataclass looks its module up.
    exec(compile(case.source, file, "exec"), module.__dict__)
    return module.__dict__


def seen(function: Any, expression: str, module: dict[str, Any]) -> Seen:
    """Calls a function with arguments of its own."""
    return called(function, eval(expression, module))


def called(function: Any, arguments: tuple[Any, ...]) -> Seen:
    """Calls a function with arguments that nobody else has."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = function(*arguments)
        except AutographError as error:  # What CPython raises is raised as it is.
            if in_error(error):
                return Seen(f"names of our own in a message: {error}", "", None)
            is_fault = error.code == "AG208"
            return Seen("a fault of our own", "", None) if is_fault else Seen(None, "", None, f"{error.code}")
        except Exception as error:
            return Seen(_exception(error), printed.getvalue(), shown(arguments, {}))
        known: dict[int, int] = {}
        after = shown(arguments, known)
        return Seen(shown(result, known), printed.getvalue(), after)


def _exception(error: BaseException) -> Any:
    if isinstance(error, MemoryError):  # NumPy says what it wanted to allocate.
        return _NO_ROOM
    return "raised", type(error).__name__, str(getattr(error, "args", ""))


_NO_ROOM = "raised", "MemoryError"


def shown(value: Any, known: dict[int, int]) -> Any:
    """A value as something that is equal only for what nobody can tell apart.

    Args:
        value: The value.
        known: Numbers of the objects that were met and can be written to, by identity.
    """
    if isinstance(value, (np.ndarray, list, dict, set)) or hasattr(value, "__dict__"):
        if id(value) in known:
            return "again", known[id(value)]
        known[id(value)] = len(known)
        return "object", known[id(value)], _contents(value, known)
    return _contents(value, known)


def _contents(value: Any, known: dict[int, int]) -> Any:
    kind = type(value).__name__
    tolerance = 1e-4 if isinstance(value, (np.float32, np.complex64)) else 1e-10
    if isinstance(value, (float, np.floating)):
        return kind, Float(float(value), tolerance)
    if isinstance(value, (complex, np.complexfloating)):
        return kind, Float(float(value.real), tolerance), Float(float(value.imag), tolerance)
    if isinstance(value, np.ndarray):
        first = itertools.islice(value.flat, 64)  # A copy of what is broadcast may have no room.
        return kind, str(value.dtype), value.shape, tuple(shown(one, {}) for one in first)
    if isinstance(value, (list, tuple)):
        return kind, tuple(shown(one, known) for one in value)
    if isinstance(value, dict):
        return kind, tuple((repr(key), shown(one, known)) for key, one in value.items())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _DATACLASS, kind, tuple((name, shown(one, known)) for name, one in vars(value).items())
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return kind, shown(vars(value), known)
    return kind, repr(value)


_DATACLASS = "an object of a dataclass"

_BY_VALUE = ("list", "dict", "OrderedDict", "defaultdict", _DATACLASS)
"""The containers that a staged statement carries by what is in them."""


def _but_for_arguments(call: Seen, *, is_each_told: bool) -> Any:
    """What is seen, with arrays, and the containers of the arguments, told by what is in them.

    Which of its arguments a function returns, depending on data, is the stated difference of
    docs/differences.md. So a container that is met once in the result is told by what is in it too.

    Args:
        call: What is seen.
        is_each_told: Whether an argument that is met twice in the result is told twice, as two containers
            are, or once, as a new one that is met again.
    """
    outcome = call.outcome if is_each_told else _with_arguments_in_it(call)
    times = Counter(_met(outcome))
    arrays: dict[int, Any] = {}
    given: dict[int, Any] = {}
    numbers: dict[int, int] = {}

    def told(part: Any, is_given: bool) -> Any:
        if not isinstance(part, tuple):
            return part
        if len(part) == 2 and part[0] == "again":
            known = arrays.get(part[1], given.get(part[1]) if is_each_told else None)
            return ("again", numbers.get(part[1])) if known is None else known
        if len(part) == 3 and part[0] == "object":
            kind = part[2][0]
            if kind == "ndarray":
                arrays[part[1]] = part[2]
                return part[2]
            inside = tuple(told(one, is_given) for one in part[2])
            if is_given and kind in _BY_VALUE:
                given[part[1]] = inside
            if kind in _BY_VALUE and (is_given or times[part[1]] == 1):
                return inside
            numbers[part[1]] = len(numbers)
            return "object", numbers[part[1]], inside
        return tuple(told(one, is_given) for one in part)

    arguments = told(call.arguments, True)
    return told(outcome, False), call.printed, arguments


def _with_arguments_in_it(call: Seen) -> Any:
    """The outcome, in which a container of the arguments stands where it is met first."""
    given: dict[int, Any] = {}
    _collect(call.arguments, given)
    met: set[int] = set()

    def inlined(part: Any) -> Any:
        if not isinstance(part, tuple):
            return part
        if len(part) == 2 and part[0] == "again" and part[1] in given and part[1] not in met:
            return inlined(given[part[1]])
        if len(part) == 3 and part[0] == "object":
            if part[1] in met:
                return "again", part[1]
            met.add(part[1])
        return tuple(map(inlined, part))

    return inlined(call.outcome)


def _collect(part: Any, given: dict[int, Any]) -> None:
    """The containers in what is shown of the arguments that are told by what is in them."""
    if isinstance(part, tuple):
        if len(part) == 3 and part[0] == "object" and part[2][0] in _BY_VALUE:
            given[part[1]] = part
        for one in part:
            _collect(one, given)


def _met(part: Any) -> Iterator[int]:
    """The numbers of the objects in what is shown, once for each time that they are met."""
    if isinstance(part, tuple):
        if len(part) in (2, 3) and part[0] in ("object", "again") and isinstance(part[1], int):
            yield part[1]
        for one in part:
            yield from _met(one)


_TEXT_ASKED_NOBODY = ("raised", "TypeError", "('not all arguments converted during string formatting',)")
"""Text without a `%` in it does not ask a staged operand, see docs/differences.md."""

_ROUND_DIFFERENTLY = ("np.fft.", "np.linalg.", "np.corrcoef", "np.cov", "np.poly", "np.roots")
"""Functions whose sums cancel: what is nearly zero beside the rest may be zero in another order."""


def are_the_same(got: Seen, want: Seen, rounds: bool) -> bool:
    """Whether two calls are the same, but for stated differences, and for the order of sums that cancel."""
    if got == want or want.outcome == _NO_ROOM:  # An array that nobody reads is never made.
        return True
    if want.outcome == _TEXT_ASKED_NOBODY:
        return True
    for is_each_told in (True, False):
        one, other = (_but_for_arguments(call, is_each_told=is_each_told) for call in (got, want))
        if one == other or (rounds and _without_zeros(one) == _without_zeros(other)):
            return True
    return False


def _without_index(call: Seen) -> Any:
    """A call whose error does not say which of several indices it is, see docs/differences.md."""
    return re.sub(r"index -?\d+ is out", "index is out", str(call.outcome)), call.printed, call.arguments


def _without_zeros(part: Any) -> Any:
    """What is shown of a value, without the numbers that are nearly zero."""
    if isinstance(part, Float):
        return "0" if abs(part.value) < _NEARLY_ZERO else part
    return tuple(map(_without_zeros, part)) if isinstance(part, tuple) else part


_NEARLY_ZERO = 1e-12


@dataclass(frozen=True)
class Verdict:
    """What came of a case.

    Attributes:
        case: The case.
        refusals: The codes of the calls that were refused.
        agreed: How many calls were the same.
        differences: For each call that was not, its arguments, what CPython did and what we did.
    """

    case: Case
    refusals: tuple[str, ...]
    agreed: int
    differences: tuple[tuple[str, Any, Any], ...]


def judged(case: Case, number: int) -> Verdict:
    """Runs a case both ways."""
    plain, staged = (module_of(case, f"{number} {how}") for how in ("plain", "staged"))
    function = ag.function(staged["f"])
    refusals, differences, agreed = [], [], 0
    rounds = any(name in case.source for name in _ROUND_DIFFERENTLY)
    for expression in case.inputs:
        try:
            with time_limit(PLAIN_SECONDS):
                want = seen(plain["f"], expression, plain)
        except TooLong:
            continue  # `range(2**53 + 1)` has no end that could be compared.
        # Whatever follows where CPython has no room is right: a second shows whether it crashes.
        seconds = PLAIN_SECONDS if want.outcome == _NO_ROOM else STAGED_SECONDS
        try:
            with time_limit(seconds):
                got = seen(function, expression, staged)
        except TooLong:
            got = Seen("took too long", "", None)
        if got.refusal is not None:
            refusals.append(got.refusal)
        elif got.outcome == _NO_ROOM != want.outcome:  # A run makes arrays where NumPy gives views.
            refusals.append("AG205")
        elif are_the_same(got, want, rounds):
            agreed += 1
        elif case.name[0] == "view" and _without_index(got) == _without_index(want):
            agreed += 1
        else:
            differences.append((expression, want, got))
    return Verdict(case, tuple(refusals), agreed, tuple(differences))
