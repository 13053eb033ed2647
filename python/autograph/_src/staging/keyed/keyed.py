"""What stands for a dict or set whose keys only the run knows: a named tuple of staged lists.

    seen = {}
    while n not in seen:        # `n` is staged
        seen[n] = len(seen)     # an entry of `keys`, one of `values`, and its number in `index`

Branches join it, loops carry it and functions take it as they do a tuple of lists: no kind is needed. The
program must not see that it is a tuple: its parts are given to few modules of this package only.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, ClassVar, NoReturn

from autograph._src.operators.places import fill_dict
from autograph._src.staging.control.iteration import StandIn
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import TracedList, list_made_at
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import compare
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import current_trace, staging_error
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.object_sites import site_here

Key = Any
"""A key, an element or an item: plain, or staged."""

Value = Any
"""What a dict has for a key, or what a method of the program's returns: plain, or staged."""

Number = Any
"""An int: plain, or staged."""

Table = Any
"""A :class:`Keyed`, or a dict, set or iterable beside it."""

FREE = -1
"""A slot of an index that no entry has had."""

REMOVED = -2
"""A slot of an index whose key was removed; in a set less the number of the entry, which is used again."""

GONE = -(1 << 62)
"""The mark of an entry whose key was removed; no hash is so small."""

LEAST = 8
"""The number of slots of the index of a new table."""


@looked_at(
    lambda table: f"{table.ag_class.__name__} whose keys depend on data",
    lambda table: None,
    lambda table: None,
)
class Keyed(StandIn, tuple[Any, ...]):
    """A dict or set whose keys only the run knows.

    Attributes:
        ag_class: ``dict``, ``defaultdict``, ``Counter``, ``OrderedDict`` or ``set``.
        ag_factory: The factory of a ``defaultdict``; else ``None``.
        ag_keys: The keys, in the order in which they came; removed ones stay until the index is made anew.
        ag_values: For each key its value; of a set nothing.
        ag_marks: For each key its hash, or ``GONE``.
        ag_index: The slots: the number of an entry, ``FREE`` or ``REMOVED``.
        ag_counts: How many keys there are, how often one was added or removed, and where ``set.pop`` goes on.
    """

    __slots__ = ()
    holds_items = True
    ag_words: ClassVar[str]
    """What messages call a value of this class."""
    _fields = ("ag_class", "ag_factory", "ag_keys", "ag_values", "ag_marks", "ag_index", "ag_counts")

    ag_class: type[Any]
    ag_factory: Any
    ag_keys: Any
    ag_values: Any
    ag_marks: Any
    ag_index: Any
    ag_counts: Any

    def __new__(cls, *parts: Any) -> Value:
        """A table of these parts while a trace records; the dict or set itself of a run's plain lists."""
        trace = current_trace()
        if trace is None:
            return plain(*parts[:5])
        lists = [trace.journal.created(TracedList(one)) if type(one) is list else one for one in parts[2:]]
        return tuple.__new__(cls, (*parts[:2], *lists))

    @classmethod
    def _make(cls, parts: Iterable[Any]) -> Value:
        """What a named tuple is made by from the values of a run, as for `print`."""
        return plain(*list(parts)[:5])

    @classmethod
    def ag_of_row(cls, parts: list[Any], outputs: Any) -> Value:
        """The dict, set or deque of a run's rows: one for each index, filled when its lists are.

        Args:
            parts: Those of the table.
            outputs: What the run gives, see :mod:`autograph._src.staging.objects.object_results`.
        """
        of_class, factory, keys, values, marks, index, _ = parts
        make = partial(_empty, of_class, factory)
        return outputs.once(index, make, lambda made: _fill(made, keys, values, marks))

    # The program sees neither a tuple nor its parts.

    def __iter__(self) -> Iterator[Any]:
        _refuse_outside(self, "walked")
        return tuple.__iter__(self)

    def __len__(self) -> int:
        _refuse_outside(self, "counted")
        return tuple.__len__(self)

    def __getitem__(self, place: Number) -> Value:
        _refuse_outside(self, "read")
        return tuple.__getitem__(self, place)

    def __contains__(self, item: object) -> NoReturn:
        raise refusal(self, "asked for a key")

    def __bool__(self) -> NoReturn:
        raise refusal(self, "tested")

    def __repr__(self, *_: object) -> str:
        raise refusal(self, "shown")

    def _refuse_operator(self, other: Table, /) -> Value:
        raise refusal(self, "an operand")

    __add__ = __radd__ = __mul__ = __rmul__ = _refuse_operator
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse_operator
    __str__ = __format__ = __reduce_ex__ = __repr__

    def __copy__(self) -> Value:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        raise refusal(self, "copied with all that is in it")

    __hash__ = None  # type: ignore[assignment]

    def ag_truth(self) -> Tensor:
        """``bool(table)``."""
        return compare("greater", lift(self.ag_counts[0]), 0)

    @property
    def index(self) -> NoReturn:
        """Raises: a tuple has it, and a dict and a set have not."""
        self._refuse_attribute("index")

    @property
    def count(self) -> NoReturn:
        """Raises as :meth:`index`."""
        self._refuse_attribute("count")

    def __getattr__(self, name: str) -> NoReturn:
        self._refuse_attribute(name)

    def _refuse_attribute(self, name: str) -> NoReturn:
        kind = self.ag_class
        if not hasattr(kind, name):
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
        raise staging_error(
            "AG120", f"`{name}` of a {kind.__name__} whose keys depend on data", "write it as a loop"
        )

    @property
    def type_name(self) -> str:
        """The name of its class, for messages."""
        return self.ag_class.__name__

    def sequence(self) -> StagedIterable:
        """As :meth:`staged`, for ``zip``: over a list of the items."""
        raise NotImplementedError


def _part(number: int) -> property:
    return property(lambda self: tuple.__getitem__(self, number))


for _number, _name in enumerate(Keyed._fields):
    setattr(Keyed, _name, _part(_number))


_OPENED_BY = frozenset(
    f"autograph._src.{name}"
    for name in (
        *("trees", "staging.kinds.tuple_of", "staging.kinds.leaves", "staging.kinds.unions"),
        *("staging.trace.given", "staging.trace.array_contents", "staging.lists.sharing"),
        *("staging.calls.call_results", "staging.calls.made_trees", "staging.objects.origins"),
        "staging.control.run_templates",
    )
)
"""The modules that open a named tuple for its parts."""


def _refuse_outside(value: Keyed, what: str) -> None:
    """Refuses all others: `len`, `list` and `*` of a dict are not those of the tuple that stands for it."""
    if sys._getframe(2).f_globals.get("__name__") not in _OPENED_BY:
        raise refusal(value, what)


def refusal(value: Value, what: str) -> Exception:
    """The error where code that is not staged needs a table's contents."""
    name = value.ag_class.__name__
    return staging_error(
        "AG120",
        f"a {name} whose keys depend on data is {what} where only plain values do",
        "do it in a statement of the staged function itself: a `for` loop, `in`, `len`",
    )


def new_table(kind: type[Keyed], of_class: type[Any], factory: Value = None) -> Value:
    """A new table without keys."""
    return kind(of_class, factory, *new_parts(([], [], [], [FREE] * LEAST, [0, 0, 0])))


def new_parts(contents: Iterable[list[Any]]) -> list[Any]:
    """The lists of a new table.

    A table in a list or a dict is a row, and so are its lists: each has a site of its own.
    """
    site = site_here()
    sites = (((new_parts.__code__, number), *site) for number in itertools.count())
    return [list_made_at(one, values) for one, values in zip(sites, contents, strict=False)]


def plain(of_class: type[Any], factory: Value, keys: list[Any], values: list[Any], marks: list[int]) -> Value:
    """The dict or set of a run."""
    made = _empty(of_class, factory)
    _fill(made, keys, values, marks)
    return made


def _empty(of_class: type[Any], factory: Value) -> Any:
    if of_class is deque:
        return deque(maxlen=factory)
    return defaultdict(factory) if of_class is defaultdict else of_class()


def _fill(made: Any, keys: list[Any], values: list[Any], marks: list[int]) -> None:
    """Fills an empty dict, set or deque with what a run has left in a table."""
    if isinstance(made, deque):
        made.extend(keys[marks[0] :])
        return
    kept = [place for place, mark in enumerate(marks) if mark != GONE]
    if len(kept) < len(keys):
        keys, values = [keys[place] for place in kept], [values[place] for place in kept if values]
    if isinstance(made, dict):
        fill_dict(made, zip(keys, values, strict=True))
    else:
        made.update(keys)


def left_items(keys: list[Any], values: list[Any], marks: list[int]) -> list[tuple[Any, Any]]:
    """The items that a run has left in a table, in order."""
    found = zip(keys, values, marks, strict=True)
    return [(key, value) for key, value, mark in found if mark != GONE]


def parts_of_result(value: Keyed) -> tuple[Any, ...]:
    """What a run has to give for :func:`plain` to make the dict or set."""
    return value.ag_class, value.ag_factory, value.ag_keys, value.ag_values, value.ag_marks


DICTS = (dict, OrderedDict, defaultdict, Counter)
"""The classes of dicts that can be tables."""
