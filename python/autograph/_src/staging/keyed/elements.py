"""``Counter.elements()`` of a counter whose keys only the run knows: an iterator that is walked once.

list(Counter(xs).elements())     # each key as often as it is counted
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.control.iteration import StandIn, staged_iterable
from autograph._src.staging.keyed.keyed import Keyed, Table, Value, refusal
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.references import is_reference


@looked_at(lambda _: "elements() of a Counter whose keys depend on data", lambda _: None, lambda _: None)
class Elements(StandIn):
    """The elements that a counter has when the walk begins.

    Attributes:
        table: The counter.
    """

    holds_items = True
    type_name = kind = "itertools.chain"

    def __init__(self, table: Keyed) -> None:
        self.table = table
        self._counted = _contents(table)
        self._is_walked = False

    def staged(self) -> StagedIterable:
        """The walk over them.

        Raises:
            StagingError: If they were walked before, or the counter was changed since (AG120).
        """
        if self._is_walked:
            raise refusal(self.table, "walked by its `elements()` a second time")
        if _contents(self.table) != self._counted:
            raise refusal(self.table, "changed between `elements()` and the walk over them")
        self._is_walked = True
        found = staged_iterable(converted_call(_repeated, self.table))
        assert found is not None
        return found

    def sequence(self) -> StagedIterable:
        """As :meth:`staged`."""
        return self.staged()

    def _refuse(self, *_: object) -> NoReturn:
        raise refusal(self.table, "used by its `elements()`")

    __iter__ = __bool__ = __eq__ = __ne__ = __repr__ = __contains__ = _refuse
    __hash__ = None  # type: ignore[assignment]


def _contents(table: Keyed) -> list[Any]:
    """What the graph holds for the counts and keys: other values after each change."""
    lists = (table.ag_values, table.ag_marks)
    if is_reference(table.ag_values):
        return [one.ag_table.contents.values for one in lists]
    return [list.copy(one) if one.contents is None else one.contents.values for one in lists]


def _repeated(table: Table) -> Value:
    made = []
    for key, count in table.items():
        for _ in range(count):
            made.append(key)
    return made


request_own(_repeated)
