"""``d.keys()``, ``d.values()`` and ``d.items()`` of dicts whose keys only the run knows, and their operators.

for word in counts.keys() & others.keys():      # a set, in the order that CPython's algorithm gives it
    ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from autograph._src.operators.calls import converted_call
from autograph._src.operators.identity import not_
from autograph._src.operators.spelled import operated
from autograph._src.policy import request_own
from autograph._src.staging.control.iteration import StandIn
from autograph._src.staging.keyed.keyed import Key, Keyed, Table, Value, refusal
from autograph._src.staging.keyed.set_slots import added_to_set
from autograph._src.staging.keyed.sets import (
    UNKNOWN,
    KeyedSet,
    added_from,
    as_set,
    copied_set,
    elements_of,
    exclude,
    new_set,
    switched_by,
    taken_out,
)
from autograph._src.staging.keyed.walks import listed, walk_of
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.lookers import looked_at

_PLAIN_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.items()))


@looked_at(lambda view: f"{view.what}() of a dict whose keys depend on data", lambda _: None, lambda _: None)
class View(StandIn):
    """``d.keys()``, ``d.values()`` or ``d.items()``.

    Attributes:
        table: The dict.
        what: The name of the method.
    """

    def __init__(self, table: Keyed, what: str) -> None:
        self.table = table
        self.what = what

    holds_items = True
    type_name = kind = "view of a dict"

    def staged(self) -> StagedIterable:
        """The walk over it."""
        return walk_of(self.table, self.what)

    def sequence(self) -> StagedIterable:
        """As :meth:`staged`, over a list of its items."""
        return listed(self.table, self.staged())

    def ag_truth(self) -> Tensor:
        """``bool(view)``."""
        return self.table.ag_truth()

    def ag_class(self) -> type:
        """The class that it has in Python."""
        return type(getattr({}, self.what)())

    def isdisjoint(self, other: Table, /) -> Value:
        """``d.keys().isdisjoint``."""
        self._require_set("isdisjoint")
        return converted_call(_is_disjoint, self, _operand(other))

    def _require_set(self, name: str) -> None:
        if self.what == "values":
            raise AttributeError(f"'dict_values' object has no attribute {name!r}")

    def _refuse(self, *_: object) -> NoReturn:
        raise refusal(self.table, f"used by `{self.what}()`")

    def __and__(self, other: Table) -> Value:
        return _of_views(_common, self, other)

    def __sub__(self, other: Table) -> Value:
        return _of_views(_difference, self, other)

    def __or__(self, other: Table) -> Value:
        return _of_views(_union, self, other)

    def __xor__(self, other: Table) -> Value:
        return _of_views(_either, self, other)

    def __rand__(self, other: Table) -> Value:
        return _of_views(_common, self, other)  # As CPython does, which takes the view for the first operand.

    def __rsub__(self, other: Table) -> Value:
        return _of_views(_difference, self, other, is_reflected=True)

    def __ror__(self, other: Table) -> Value:
        return _of_views(_union, self, other, is_reflected=True)

    def __rxor__(self, other: Table) -> Value:
        return _of_views(_either, self, other, is_reflected=True)

    def __eq__(self, other: object) -> Value:
        return _compared(_are_equal, self, other)

    def __ne__(self, other: object) -> Value:
        same = self.__eq__(other)
        return same if same is NotImplemented else not_(same)

    def __le__(self, other: object) -> Value:
        return _compared(_is_subset, self, other)

    def __ge__(self, other: object) -> Value:
        return _compared(lambda one, two: converted_call(_is_subset, two, one), self, other)

    def __lt__(self, other: object) -> Value:
        return _compared(_is_less, self, other)

    def __gt__(self, other: object) -> Value:
        return _compared(lambda one, two: converted_call(_is_less, two, one), self, other)

    __iter__ = __len__ = __bool__ = __repr__ = __contains__ = _refuse
    __hash__ = None  # type: ignore[assignment]


def _of_views(
    operation: Callable[[Any, Any], Any], view: View, other: Table, is_reflected: bool = False
) -> Value:
    """An operator of a view and a set, a view or another iterable; CPython has none of ``values()``."""
    if view.what == "values":
        return NotImplemented
    operands = (_operand(other), view) if is_reflected else (view, _operand(other))
    return converted_call(operation, *operands)


def _compared(operation: Callable[[Any, Any], Any], view: View, other: Table) -> Value:
    """A comparison with a set or a view; ``NotImplemented`` if the other operand is neither."""
    if view.what == "values" or (isinstance(other, View) and other.what == "values"):
        return NotImplemented
    if not isinstance(other, (View, KeyedSet, set, frozenset, *_PLAIN_VIEWS)):
        return NotImplemented
    return converted_call(operation, view, _operand(other))


def _operand(other: Table) -> Table:
    """A set as a table; a view or another iterable as it is."""
    is_plain = isinstance(other, (set, frozenset, *_PLAIN_VIEWS))
    return as_set(other) if is_plain else other


def _walked(one: Table) -> Table:
    """What is walked: of a set a list of its elements."""
    return elements_of(one) if isinstance(one, KeyedSet) else one


def _size(one: Table) -> Value:
    return (one.table if isinstance(one, View) else one).ag_counts[0]


def _is_known(one: Table) -> bool:
    """Whether the order is CPython's in which this is walked."""
    return not (isinstance(one, KeyedSet) and one.ag_factory is UNKNOWN)


def _is_sized(one: Table) -> bool:
    return isinstance(one, (View, KeyedSet))


def _set_of(one: Table) -> Value:
    """``set(one)``; of the keys of a dict CPython makes it as of the dict."""
    if isinstance(one, KeyedSet):
        return converted_call(copied_set, one)
    made = new_set()
    converted_call(added_from, made, one.table if isinstance(one, View) and one.what == "keys" else one)
    return made


def _common(one: Table, other: Table) -> Value:
    made = new_set(_is_known(other))
    if _is_sized(other):
        if _walks_first(one, other):
            _add_common(made, one, other)
        else:
            _add_common(made, other, one)
    else:
        _add_common(made, other, one)
    return made


def _walks_first(one: View, other: Table) -> Value:
    """Whether CPython walks the first operand: one that is not longer than a set, or shorter than a view."""
    if isinstance(other, KeyedSet):
        return operated("le", _size(one), _size(other))
    return operated("lt", _size(one), _size(other))


def _add_common(made: Table, walked: Table, asked: Table) -> None:
    for key in _walked(walked):
        if key in asked:
            added_to_set(made, key)


def _difference(one: Table, other: Table) -> Value:
    made = _set_of(one)
    if _is_set(other):
        taken_out(made, other)
    else:
        exclude(made, other)
    return made


def _union(one: Table, other: Table) -> Value:
    made = _set_of(one)
    added_from(made, other)
    return made


def _either(one: Table, other: Table) -> Value:
    made = _set_of(one)
    switched_by(made, other)
    return made


def _is_set(one: Table) -> bool:
    return isinstance(one, KeyedSet)


def _is_disjoint(one: Table, other: Table) -> Value:
    is_disjoint = True
    for key in _walked(other):
        if key in one:
            is_disjoint = False
            break
    return is_disjoint


def _is_subset(one: Table, other: Table) -> Value:
    is_subset = _size(one) <= _size(other)
    if is_subset:
        for key in _walked(one):
            if key not in other:
                is_subset = False
                break
    return is_subset


def _is_less(one: Table, other: Table) -> Value:
    return _size(one) < _size(other) and _is_subset(one, other)


def _are_equal(one: Table, other: Table) -> Value:
    return _size(one) == _size(other) and _is_subset(one, other)


def has_item(table: Table, item: Key) -> Value:
    """``item in d.items()``."""
    if len(item) != 2:
        return False
    key, value = item
    return key in table and table[key] == value


def has_value(table: Table, value: Value) -> Value:
    """``value in d.values()``."""
    is_there = False
    for one in table.values():
        if one == value:
            is_there = True
            break
    return is_there


for _one in (
    *(_common, _add_common, _difference, _union, _either, _is_disjoint, _is_subset, _is_less, _are_equal),
    *(has_item, has_value),
):
    request_own(_one)
