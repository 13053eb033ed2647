"""``next(iter(d))``: the first item of a dict, set or deque whose keys only the run knows.

    oldest = next(iter(cache))

An iterator takes one step: further ones would have to find out whether the dict has changed since.
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.keyed.dicts import KeyedDict, first_entry
from autograph._src.staging.keyed.keyed import Keyed, Table, Value, refusal
from autograph._src.staging.keyed.sets import KeyedSet, require_order
from autograph._src.staging.keyed.views import View


class KeyedIterator:
    """``iter(table)`` or ``iter(view)``."""

    type_name = "iterator"

    def __init__(self, walked: Keyed | View) -> None:
        self.table = walked.table if isinstance(walked, View) else walked
        self.what = walked.what if isinstance(walked, View) else "keys"
        self.is_begun = False
        if not isinstance(self.table, (KeyedDict, KeyedSet)):
            raise refusal(self.table, "given to `iter`")

    def first(self, *default: Value) -> Value:
        """``next(iterator)``."""
        if self.is_begun:
            raise refusal(self.table, "walked by more than one `next`")
        self.is_begun = True
        if isinstance(self.table, KeyedSet):
            require_order(self.table)
        return converted_call(_first_of, self.table, self.what, default)

    def __iter__(self) -> NoReturn:
        raise refusal(self.table, "walked by an iterator")


def _first_of(table: Table, what: str, default: tuple[Any, ...]) -> Value:
    if len(default) > 0:
        return _item_of(table, what) if table.ag_counts[0] > 0 else default[0]
    if table.ag_counts[0] == 0:
        raise StopIteration
    return _item_of(table, what)


def _item_of(table: Table, what: str) -> Value:
    if table.ag_class is set:
        slot = 0
        while table.ag_index[slot] < 0:
            slot += 1
        entry = table.ag_index[slot]
    else:
        entry = first_entry(table)
    if what == "keys":
        item = table.ag_keys[entry]
    elif what == "values":
        item = table.ag_values[entry]
    else:
        item = (table.ag_keys[entry], table.ag_values[entry])
    return item


for _one in (_first_of, _item_of):
    request_own(_one)
