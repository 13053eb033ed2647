"""Starts a recording over when it finds out a fact that it should have known from its beginning.

    rows.append([])     # `rows` is staged: the `[]` has to be a row of a table when it is made

See :mod:`autograph._src.staging.trace.facts`.
"""

from __future__ import annotations

import dis
from types import CodeType, FrameType
from typing import TYPE_CHECKING, NoReturn

from autograph._src.load import is_converted_code
from autograph._src.staging.trace.active import current_trace, require_trace, staging_error
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.frames import is_internal_file, user_frame
from autograph._src.staging.trace.signals import Learned

if TYPE_CHECKING:
    from autograph._src.staging.kinds.value_kind import ValueKind

_WITHOUT_END = {
    Fact.OBJECTS: (
        100,
        "AG131",
        "what a list or an object holds here has another type each time that it is looked at",
        "give it one type: a number, an array, or a tuple of a fixed depth",
    ),
    Fact.GENERATORS: (
        32,
        "AG123",
        "more than 32 random generators from outside are drawn from",
        "pass the generator as an argument",
    ),
    Fact.NODES: (
        100,
        "AG138",
        "other objects of the arguments are walked over each time that the function is recorded",
        "pass objects whose attributes are of one type",
    ),
    Fact.PLACES: (
        300,
        "AG122",
        "other objects that outlive the call are written each time that the function is recorded",
        "return the values instead",
    ),
}
"""For each kind of fact: how many recordings may end with it, and the error after that.

Without a limit a type that grows with each recording would never settle, nor would unconverted code that
makes a new generator in each. The number of facts of other kinds is finite."""


def begin_again(fact: Fact) -> NoReturn:
    """Ends the recording because it has found a fact of this kind; the next recording knows the fact.

    Raises:
        Learned: The signal that ends the recording.
        StagingError: If too many recordings have ended with a fact of this kind.
    """
    facts = require_trace().facts
    if fact in _WITHOUT_END:
        most, *refusal = _WITHOUT_END[fact]
        if facts.found[fact] >= most:
            raise staging_error(*refusal)
    facts.new = fact
    raise Learned


def begin_again_with_objects() -> None:
    """Starts the recording over if it has found out something new about the objects the program makes.

    Raises:
        Learned: If it has.
    """
    if require_trace().facts.objects.has_changed:
        begin_again(Fact.OBJECTS)


def learn_operators(asking: FrameType) -> None:
    """Has operators spelled out, since Python asks a staged value for its truth.

    It does in `(a, b) < (c, d)`, and in methods of the user that it calls for an operator.

    Args:
        asking: The frame that runs when it asks.

    Raises:
        Learned: If they are not spelled out yet.
    """
    trace = current_trace()
    code = asking.f_code
    is_converted = is_converted_code(code)
    if trace is None or trace.facts.spells_operators:
        return
    if is_internal_file(code.co_filename) and not is_converted:
        return
    if is_converted and dis.opname[code.co_code[asking.f_lasti]].startswith(_TESTS):
        return  # A statement that stays Python's: operators are not what asks.
    trace.facts.spells_operators = True
    begin_again(Fact.OPERATORS)


def learn_makers() -> None:
    """Has operators spelled out where an object is written of which nobody knows who has made it.

        total = a + b       # `Vector.__add__` makes an object
        total.x += 1.0

    Raises:
        Learned: If they are not spelled out yet.
    """
    facts = require_trace().facts
    if not facts.spells_operators:
        facts.spells_operators = True
        begin_again(Fact.OPERATORS)


def learn_template() -> None:
    """Has operators spelled out where the running one is ``%``, whose left operand may be a template.

        return "%d items" % n       # `str.__mod__` asks a staged `n` for its value

    Raises:
        Learned: If they are not spelled out yet.
    """
    frame = user_frame()
    if frame is not None and current_trace() is not None and fills_template(frame.f_code, frame.f_lasti):
        learn_operators(frame)


def fills_template(code: CodeType, instruction: int) -> bool:
    """Whether an instruction is ``%``, or what CPython makes of it where the template is known."""
    opcode, argument = code.co_code[instruction : instruction + 2]
    is_remainder = dis.opname[opcode] == "BINARY_OP" and argument in _REMAINDERS
    return is_remainder or dis.opname[opcode].startswith(("FORMAT_", "CONVERT_VALUE"))


_REMAINDERS = (6, 19)
"""CPython's arguments of ``BINARY_OP`` for ``%`` and ``%=``."""

_TESTS = ("POP_JUMP", "TO_BOOL")
"""What the names of the instructions begin with that test a value."""


def learn_objects(*kinds: ValueKind) -> None:
    """Makes the objects of these kinds rows of tables, since a staged statement binds variables to them.

    Raises:
        Learned: If they are not rows yet.
    """
    for one in kinds:
        one.as_rows()
    begin_again_with_objects()
