"""Beginning a recording again, once it has found out what it should have known from its beginning.

    rows.append([])     # a staged list: the `[]` has to be a row from its beginning

See :mod:`autograph._src.staging.trace.facts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.signals import Learned

if TYPE_CHECKING:
    from autograph._src.staging.kinds.leaf_kind import LeafKind

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
}
"""How many recordings may end with a fact of a kind, and the refusal of more: code, reason, remedy.

Types that grow with each, and generators that code which is not converted makes at each, would have no end.
Facts of other kinds are finitely many."""


def begin_again(fact: Fact) -> NoReturn:
    """Ends the recording, which has found out a fact of this kind; the next one knows it.

    Raises:
        Learned: The signal that ends it.
        StagingError: If too many recordings have ended so.
    """
    facts = require_trace().facts
    if fact in _WITHOUT_END:
        most, *refusal = _WITHOUT_END[fact]
        if facts.found[fact] >= most:
            raise staging_error(*refusal)
    facts.new = fact
    raise Learned


def begin_again_with_objects() -> None:
    """Begins the recording again if it has found out something of the objects that the program makes.

    Raises:
        Learned: If so.
    """
    if require_trace().facts.objects.has_changed:
        begin_again(Fact.OBJECTS)


def learn_objects(*kinds: LeafKind) -> None:
    """Has the objects of these kinds be rows, for variables that a staged statement binds to them.

    Raises:
        Learned: If they are not yet.
    """
    for one in kinds:
        one.as_rows()
    begin_again_with_objects()
