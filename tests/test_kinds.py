"""The kinds of staged variables: each says what it has to, and any two join or are refused."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields
from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import _core
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.control.kind_order import KINDS
from autograph._src.staging.kinds.flagged import FlaggedKind
from autograph._src.staging.kinds.foreign_of import ForeignOf
from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.ragged_of import RaggedOf
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.value_kind import ValueKind, join, kind_of
from autograph._src.staging.lists.list_joins import contents_of
from autograph._src.staging.objects.flagged_row import FlaggedRow
from autograph._src.staging.objects.list_arrays import Arrays
from autograph._src.staging.objects.list_object import ListObject
from autograph._src.staging.objects.maybe_unbound import MaybeUnbound
from autograph._src.staging.objects.record_object import RecordObject
from autograph._src.staging.tensors.tensor import Form
from autograph._src.staging.trace.signals import Learned
from tree_programs import Item, linked_list

WHERE = ("in one branch", "in the other")
CODES = {code for code, _, _ in _core.error_catalogue()}


@dataclass(frozen=True)
class MadeUp(ValueKind):
    """A kind that is in no list and says nothing."""


class Point:
    pass


@ag.do_not_convert
def within(use: Any, *values: Any) -> None:
    use(*values)


@ag.function
def recorded(use: Any, x: float, n: int, y: np.ndarray, node: Item | None) -> float:
    """Has values of all kinds."""
    several = 0 if x > 0 else x
    z = x + 1j
    maybe = None if x > 1 else x
    label = "a" if x > 1 else "b"
    label_or_number = "a" if x > 1 else x
    text = f"{x} of {[x]}"
    longer = ""
    for i in range(n):
        longer += f"{i}, "
    grown: tuple[Any, ...] = ()
    for i in range(n):
        grown += (i,)
    rows = []
    for i in range(n):
        rows.append([i])
    flat = []
    for i in range(n):
        flat.append(x)
    error = ValueError(x, "few")
    total = 0.0
    while node is not None:
        total += node.count
        within(
            use,
            x,
            y,
            z,
            several,
            maybe,
            (x, 1),
            [x],
            [x, "a"],
            flat,
            rows[0],
            node,
            label,
            label_or_number,
            longer,
            grown,
            error,
            text,
        )
        node = node.next
    return total


def values_of_all_kinds(*values: Any) -> list[tuple[ValueKind, Any]]:
    """Kinds with values of them; what stands for none is there without a flag and with one."""
    made, mixed, flat = values[6], values[7], values[8]
    staged = [one for place, one in enumerate(values) if place not in (6, 7, 8)]
    numbers = [1, 2.5, True, np.float32(1), np.int64(3), np.zeros((2, 3)), 1j, np.int16(3), 2**63]
    plain = [*numbers, None, "a", Point(), [1]]
    staged += [part[0] for part in values[-1].parts if not isinstance(part, str)]  # What a string is made of.
    found = [(kind_of(one), one) for one in (*staged, *plain)]
    found += [(kind_of(one, -1), one) for one in (made, mixed)]
    found += [(RecordObject.of_record(one), one) for one in ({"a": values[0], "b": "c"}, {})]
    found += [(kind_of(one), one) for one in map(contents_of, (made, mixed, flat))]
    found.append((kind_of(values[-2]).as_rows(), values[-2]))  # An exception.
    found += [(one.maybe_unbound(), value) for one, value in found if isinstance(one, FlaggedKind)]
    found.append((kind_of(Undefined("u")), Undefined("u")))
    found.append((MaybeUnbound(kind_of(made, -1)), made))  # type: ignore[arg-type]
    found.append((RaggedOf(TensorOf(np.dtype(float), (None, 2), Form.ARRAY)), np.zeros((2, 2))))
    return found


def run_with(use: Any) -> None:
    """Runs a test while a function is recorded; what it does to the recording is of no interest."""
    failures: list[BaseException] = []
    is_done = []

    def tested(*values: Any) -> None:
        if is_done:
            return
        try:
            use(*values)
        except Learned:  # The objects of the program become rows: all is asked again in the next recording.
            raise
        except BaseException as error:
            failures.append(error)
        is_done.append(True)

    arguments = (2.0, np.int64(3), np.ones(4), linked_list(Item, [1, 2, 3]))
    recorded(lambda *values: None, *arguments)
    with suppress(ag.AutographError):
        recorded(tested, *arguments)
    if failures:
        raise failures[0]
    assert is_done


def all_subclasses(kind: type) -> set[type]:
    return {kind, *(one for child in kind.__subclasses__() for one in all_subclasses(child))}


def test_all_kinds_are_in_the_list_once() -> None:
    found = all_subclasses(ValueKind) - {ValueKind, FlaggedKind, FlaggedRow, NumberKind, MadeUp}
    assert found == set(KINDS) and len(set(KINDS)) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_kind_says_what_it_has_to(kind: type[ValueKind]) -> None:
    for name in ("in_words", "graph_types", "pack", "unpack"):
        assert getattr(kind, name) is not getattr(ValueKind, name), name
    assert fields(kind), "a kind is a dataclass: two with the same fields are one"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_methods_of_all_kinds_are_in_one_order(kind: type[ValueKind]) -> None:
    order = [
        name for name in vars(ValueKind) if not name.startswith("_") and callable(getattr(ValueKind, name))
    ]
    own = [name for name in vars(kind) if name in order]
    assert own == sorted(own, key=order.index)


def test_there_is_a_value_of_each_kind_and_it_goes_through_a_graph() -> None:
    def use(*values: Any) -> None:
        seen = set()
        for kind, value in values_of_all_kinds(*values):
            seen.add(type(kind))
            packed = kind.pack(value)
            assert len(packed) == len(kind.graph_types()), kind
            rest = list(packed)
            back = kind.unpack(rest, "v")
            assert not rest, kind
            serial = -1 if isinstance(kind, (RecordObject, ListObject, MaybeUnbound)) else None
            if not isinstance(kind, RaggedOf):
                assert kind_of(back, serial).is_same(kind), kind
            assert kind.is_same(kind) and hash(kind.identity()) == hash(kind.identity())
        assert seen == set(KINDS) - {ForeignOf}  # No graph holds that: tests/test_recorders.py.

    run_with(use)


def test_any_two_kinds_have_one_that_holds_both_or_are_refused() -> None:
    """Also one that nobody knows: it is refused by its place, and never taken for another."""

    def use(*values: Any) -> None:
        kinds = [kind for kind, _ in values_of_all_kinds(*values)] + [MadeUp()]
        for left, right in product(kinds, kinds):
            try:
                found = join("v", left, right, WHERE)
            except ag.StagingError as error:
                assert error.code in CODES and error.location is not None, (left, right)
            else:
                assert type(found) in KINDS, (left, right)
                assert not isinstance(left, MadeUp) and not isinstance(right, MadeUp)

    run_with(use)


@pytest.mark.parametrize("name", ["graph_types", "pack", "unpack", "plain", "array"])
def test_what_a_kind_does_not_say_is_refused_where_it_is_asked_for(name: str) -> None:
    arguments: dict[str, tuple[Any, ...]] = {
        "graph_types": (),
        "pack": (1.0,),
        "unpack": ([], "v"),
        "plain": (iter([]),),
        "array": (Arrays("the list", 0, iter([]), None),),
    }

    def use(*values: Any) -> None:
        with pytest.raises(ag.StagingError) as raised:
            getattr(MadeUp(), name)(*arguments[name])
        assert raised.value.code == "AG120" and raised.value.location is not None

    run_with(use)
