"""Ends the recordings of a loop whose carries never fit.

    chain = None
    for x in xs:              # staged
        chain = (x, chain)    # `(float, None)`, `(float, (float, None))`, … has another type each time

A loop is recorded until it ends with the types that it began with. Each recording passes a type on, from a
variable to another or to a wider one of the same. A number has a handful of wider types, but a container that
holds itself has no end of them.
"""

from __future__ import annotations

from autograph._src.staging.control.carries import Carries
from autograph._src.staging.kinds.value_kind import ValueKind, quoted
from autograph._src.staging.objects.list_object import ListObject
from autograph._src.staging.trace.active import staging_error

MOST_DEEPER = 10
"""How often one variable may be found to hold deeper containers than before.

Once for each variable between it and the display that makes the innermost container: no program nests ten in
one loop. What grows without an end doubles each time at the worst, `t = (t, t)`, to a thousand parts."""

MOST_ROUNDS = 200
"""How often a loop may be recorded: nearly as many variables may each pass on what the next holds."""


class Rounds:
    """Counts the recordings of one loop, and how often each of its variables has become deeper."""

    def __init__(self) -> None:
        self._count = 0
        self._deeper: dict[int, int] = {}

    def next(self, known: Carries, wider: Carries) -> None:
        """Notes that a recording has found wider carries.

        Args:
            known: What it was recorded with.
            wider: What the next one is to be recorded with.

        Raises:
            StagingError: If there have been too many (AG131).
        """
        self._count += 1
        pairs = zip(known.types, wider.types, strict=False)  # New places come last.
        for position, (before, after) in enumerate(pairs):
            if before is None or after is None or depth(after) <= depth(before):
                continue
            self._deeper[position] = self._deeper.get(position, 0) + 1
            if self._deeper[position] > MOST_DEEPER:
                name = quoted(wider.names[position])
                raise staging_error(
                    "AG131",
                    f"{name} holds what it held before, one container deeper after each iteration of"
                    f" {wider.statement}",
                    f"keep the parts in a list: `parts.append(…)`, or make {name} an object or a dict",
                )
        if self._count > MOST_ROUNDS:
            raise staging_error(
                "AG131",
                f"what {wider.statement} changes has another type each time that it is looked at",
                "give each variable one type before the loop: `x = 0.0`, `x = np.zeros(3)`",
            )


def depth(kind: ValueKind) -> int:
    """How many containers are in each other in a value of a kind; what may be ``None`` counts as one.

    >>> from autograph._src.staging.kinds.static import Static
    >>> from autograph._src.staging.kinds.tuple_of import TupleOf
    >>> depth(Static("a")), depth(TupleOf(tuple, (Static("a"), TupleOf(tuple, (Static("b"),)))))
    (0, 2)
    """
    inside = (kind.contents,) if isinstance(kind, ListObject) else kind.inside()
    return 1 + max(map(depth, inside)) if inside else 0
