"""Which dicts and sets of the program are tables, and how they are made.

    d = {}                  # the second recording makes a table here ...
    for n in range(count):  # `count` is staged
        d[n] = n * n        # ... since the first has found a key here that only the run knows

A plain dict cannot become a table, as other variables may be bound to it: it has to be one from the start.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.operators.calls import WALKERS, converted_call
from autograph._src.policy import request_own
from autograph._src.staging.builtins.staged_builtins import TABLE
from autograph._src.staging.keyed.callers_sets import set_of_caller
from autograph._src.staging.keyed.counters import KeyedCounter, counter_of, keyed_counter
from autograph._src.staging.keyed.deques import deque_of, keyed_deque
from autograph._src.staging.keyed.dicts import KeyedDict, keyed_dict, pairs_of, put
from autograph._src.staging.keyed.keyed import Keyed, Table, Value, new_table
from autograph._src.staging.keyed.sets import keyed_set, set_of
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.lists.list_contents import StagedElements, element_type
from autograph._src.staging.lists.list_lengths import Length, unknown
from autograph._src.staging.lists.traced_list import scratch_list
from autograph._src.staging.objects.row_of import RowOf
from autograph._src.staging.tensors.tensor import Tensor, emit
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import current_trace, require_trace
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.object_sites import ObjectSites, RecordKind, Site, site_here
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import begin_again
from autograph._src.staging.trace.statements import records

CLASSES: dict[type, Callable[[type[Any], Any, Any], Any]] = {
    **dict.fromkeys((dict, defaultdict, OrderedDict), keyed_dict),
    Counter: keyed_counter,
    set: keyed_set,
    deque: keyed_deque,
}
"""The classes that can be tables, with what makes a table of a plain object of theirs."""


def made_keyed(value: Value) -> Value:
    """The table that a site of the program makes in place of a plain dict or set; else the object itself."""
    trace = current_trace()
    if trace is None or type(value) not in CLASSES:
        return value
    site = site_here()
    if site in trace.facts.keyed:
        return CLASSES[type(value)](type(value), getattr(value, "default_factory", None), value)
    trace.keyed_sites[id(value)] = (value, site)
    return value


@records(statements.contents_differ)
def contents_differ(*values: Table) -> None:
    """See :func:`autograph._src.staging.trace.statements.contents_differ`."""
    learn_rows([number for one in values for number in _dicts_of_numbers(one)])
    learn_keyed(*[one for one in values if type(one) is deque or _has_numbers(one)])


@records(statements.joins_beside)
def joins_beside(one: object, other: object) -> None:
    """See :func:`autograph._src.staging.trace.statements.joins_beside`."""
    if isinstance(one, Keyed) != isinstance(other, Keyed):
        contents_differ(one, other)


def _has_numbers(value: Value) -> bool:
    return type(value) in CLASSES and all(map(_is_of_numbers, value))


def is_key(key: object) -> bool:
    """Whether a key, plain or staged, is a number or a tuple of such."""
    if type(key) is tuple:
        return all(map(is_key, key))
    return isinstance(key, (Tensor, StagedUnion)) or _is_of_numbers(key)


def _is_of_numbers(key: object) -> bool:
    if type(key) is tuple:
        return all(map(_is_of_numbers, key))
    return isinstance(key, (bool, int, float, np.bool_, np.integer, np.floating))


def _dicts_of_numbers(value: object) -> list[int]:
    """The table of a dict that is a row, or of the kind of such, if its keys are numbers."""
    number = (
        value.number if isinstance(value, RowOf) else value.ag_table.number if is_reference(value) else None
    )
    if number is None:
        return []
    kind = require_trace().facts.objects.kind_of(number)
    is_dict = (
        isinstance(kind, RecordKind) and kind.of_class in CLASSES and all(map(_is_of_numbers, kind.names))
    )
    return [number] if is_dict else []


def learn_rows(numbers: list[int]) -> None:
    """Has the sites that made dicts which are rows make tables; begins the recording again."""
    trace = require_trace()
    if not numbers or trace.builder.value_types:
        return
    trace.facts.keyed.update(site for number in numbers for site in trace.facts.objects.sites_of(number))
    trace.facts.objects = ObjectSites()  # What lists hold is found out anew: tables, no rows of dicts.
    begin_again(Fact.KEYED)


def learn_keyed(*values: Table) -> None:
    """Has the sites that made plain dicts, sets or deques make tables; begins the recording again.

    Does nothing if the program has not made them, or not where tables can be made.
    """
    trace = require_trace()
    if trace.builder.value_types:
        return  # Another library's recorder.
    found = [trace.keyed_sites[id(value)] for value in values if id(value) in trace.keyed_sites]
    sites: list[Site] = [site for value, site in found]
    if sites:
        trace.facts.keyed.update(sites)
        begin_again(Fact.KEYED)


def table_of(kind: Any, values: Table) -> Value:
    """``dict(values)`` or ``set(values)`` of staged keys."""
    return set_of(values) if kind is set else dict_of(values)


def dict_of(items: Table = (), /, **named: Any) -> Value:
    """``dict(items)``."""
    made = converted_call(_filled, new_table(KeyedDict, dict), items)
    for name, value in named.items():
        converted_call(put, made, name, value)
    return made


@records(statements.table_of_columns)
def table_of_columns(of_class: Any, factory: Value, runs: list[list[tuple[Any, list[Tensor]]]]) -> Value:
    """The table of a dict or set of the caller.

    Args:
        of_class: Its class.
        factory: That of a ``defaultdict``.
        runs: For each run of items of one type, for the keys, and for the values of a dict: a sample, and the
            arrays of their numbers.
    """
    if of_class is set:
        return set_of_caller([_list_of(*keys) for (keys,) in runs])
    made = new_table(KeyedCounter if of_class is Counter else KeyedDict, of_class, factory)
    for run in runs:
        converted_call(_filled_from, made, *[_list_of(*one) for one in run])
    return made


def _list_of(sample: Value, columns: list[Tensor]) -> Value:
    """A list of the keys, or of the values."""
    size = columns[0].shape[0]
    length = unknown() if size is None else Length(None, size)
    lists = tuple(emit("list_unstack", one.read()) for one in columns)
    return scratch_list(StagedElements(element_type(sample), lists, length, "the dict"))


def _filled_from(made: Table, keys: Table, values: Table) -> None:
    for place in range(len(keys)):
        put(made, keys[place], values[place])


def _default_dict_of(factory: Value = None, items: Table = (), /) -> Value:
    return converted_call(_filled, new_table(KeyedDict, defaultdict, factory), items)


def _ordered_dict_of(items: Table = (), /) -> Value:
    return converted_call(_filled, new_table(KeyedDict, OrderedDict), items)


def _from_keys(keys: Table, value: Value = None, /) -> Value:
    return converted_call(_filled_with, new_table(KeyedDict, dict), keys, value)


def _filled(made: Table, items: Table) -> Value:
    for key, value in pairs_of(items):
        put(made, key, value)
    return made


def _filled_with(made: Table, keys: Table, value: Value) -> Value:
    for key in keys:
        put(made, key, value)
    return made


for _one in (_filled, _filled_with, _filled_from):
    request_own(_one)

CALLS: dict[Any, Callable[..., Any]] = {
    set: set_of,
    deque: deque_of,
    dict: dict_of,
    Counter: counter_of,
    defaultdict: _default_dict_of,
    OrderedDict: _ordered_dict_of,
    dict.fromkeys: _from_keys,
}
"""Calls that make a table of a staged iterable."""

TABLE.update(CALLS)
WALKERS.update((set, Counter))
