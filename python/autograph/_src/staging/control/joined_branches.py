"""Recorded branches, and the variables and places after them: what either writes is an output of the `if`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.operators.places import Place
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.control.aliases import alias_of, common, note_alias
from autograph._src.staging.control.hidden_values import hides_values, refuse_hidden
from autograph._src.staging.control.iteration import StagedIterator
from autograph._src.staging.control.journal import Writes, note_reads
from autograph._src.staging.control.kind_order import LIST_KINDS
from autograph._src.staging.kinds.numbers import is_numeric
from autograph._src.staging.kinds.optional_of import OptionalOf
from autograph._src.staging.kinds.static import Static, same_static
from autograph._src.staging.kinds.tuple_of import is_tuple
from autograph._src.staging.kinds.union_values import with_constants
from autograph._src.staging.kinds.value_kind import ValueKind, first_joined, join, kind_of, quoted
from autograph._src.staging.lists.sharing import memories_in, note_sharing
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.objects.list_object import ListObject, lists_type
from autograph._src.staging.objects.maybe_unbound import MaybeUnbound
from autograph._src.staging.objects.origins import are_containers, held_twice, note_origins_of_branches
from autograph._src.staging.objects.record_object import RecordObject
from autograph._src.staging.tensors.lifting import is_python_scalar
from autograph._src.staging.tensors.memory import Role
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.known_tests import note_choices
from autograph._src.staging.trace.recorder import Block, Region, Value
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import learn_objects
from autograph._src.staging.trace.signals import UnknownResult
from autograph._src.staging.trace.state import State
from autograph._src.staging.trace.statements import joins_beside

PATHS = ("in one branch", "in the other")


@dataclass
class Ended:
    """What a recording of a branch ended with.

    Attributes:
        values: The state at its end, outputs first.
        known: The same, as far as the branch knows better: values that may be ``None``, but not there.
        writes: Its other writes, with the new values.
        raises: Whether it always raises; its values then have no meaning.
        serial: The serial number at its start; objects with a higher one were made in the branch.
        fails: Whether it always ends with an exception in flight. What it leaves unbound has no meaning then:
            nothing reads it but the handler, which knows.
        unknown: Set if it stopped at a call whose result is not known yet; until then it counts as raising.
    """

    values: tuple[Any, ...]
    known: tuple[Any, ...]
    writes: Writes
    raises: bool
    serial: int
    unknown: UnknownResult | None = None
    fails: bool = False

    def leaves(self) -> bool:
        """Whether no code after it runs."""
        return self.raises or self.fails

    def lacks(self, value: object) -> bool:
        """Whether one of its values has no meaning."""
        return self.raises or (self.fails and isinstance(value, Undefined))


class Branch:
    """A branch that was tried.

    Attributes:
        block: Its block, without results yet.
        end: What it ended with.
        values: Its outputs: the state, then the places that either branch writes.
    """

    def __init__(self, block: Block[Ended]) -> None:
        self.block = block
        self.end = block.made
        self.values = self.end.values
        self._places: list[Place] = []

    def add_places(self, places: list[Place]) -> None:
        """Adds the values of attributes and containers to the outputs."""
        self._places = places
        self.values = self.outputs(self.end)

    def outputs(self, end: Ended) -> tuple[Any, ...]:
        """The outputs of a recording of the branch."""
        written = end.writes.places
        values = [
            written[place.identity()][1] if place.identity() in written else place.read()
            for place in self._places
        ]
        note_reads(end.writes, tuple(values))
        return (*end.values, *values)


def merge(test: int, then: Branch, otherwise: Branch, names: tuple[str, ...]) -> list[Any]:
    """Records the ``if`` of two recorded branches; gives the values of the variables after it.

    The places that a branch wrote (attributes, containers) are outputs too; this function writes them.
    """
    ends = (then.end, otherwise.end)
    _take_known(then, otherwise)
    unknown = [one.unknown for one in ends if one.unknown is not None]
    if then.end.raises and otherwise.end.raises and unknown:
        # No code runs after the `if`, but the effects of both branches are part of the function.
        regions = [branch.block.complete(lambda _: []) for branch in (then, otherwise)]
        require_trace().record_control("if_", test, *regions)
        raise UnknownResult(frozenset().union(*(one.of for one in unknown)))
    places = _with_places(then, otherwise)
    state = State(lambda: (), lambda _: None, (), tuple(places))
    values = _merge(test, then, otherwise, (*names, *state.names), len(names))
    state.set(tuple(values[len(names) :]))
    return values[: len(names)]


def _take_known(then: Branch, otherwise: Branch) -> None:
    """Takes what a branch knows of a variable that the other branch binds to something else."""
    for branch, other in ((then, otherwise), (otherwise, then)):
        branch.values = tuple(
            known if known is not value and value is not beside else value
            for value, known, beside in zip(
                branch.end.values, branch.end.known, other.end.values, strict=True
            )
        )
    for branch in (then, otherwise):
        branch.end.values = branch.values


def _with_places(then: Branch, otherwise: Branch) -> list[Place]:
    """Appends the places that either branch wrote to the outputs of both branches; gives the places."""
    written = {**then.end.writes.places, **otherwise.end.writes.places}
    places = [place for place, _ in written.values()]
    for branch in (then, otherwise):
        branch.add_places(places)
    count = len(then.values) - len(places)
    for place, left, right in zip(places, then.values[count:], otherwise.values[count:], strict=True):
        is_set = [not isinstance(value, Undefined) for value in (left, right)]
        is_left = place.may_be_unbound or then.end.raises or otherwise.end.raises
        if is_set[0] != is_set[1] and not is_left:
            raise staging_error(
                "AG121",
                f"`{place.name}` is set {PATHS[0] if is_set[0] else PATHS[1]} of a staged `if` only",
                "set it before the `if` as well, for instance in `__init__`",
            )
    return places


def _merge(test: int, then: Branch, otherwise: Branch, names: tuple[str, ...], variables: int) -> list[Any]:
    trace = require_trace()
    for branch in (then, otherwise):
        _refuse_two_names(branch, names, variables)
    plan = [
        _joined(name, left, right, then, otherwise)
        for name, left, right in zip(names, then.values, otherwise.values, strict=True)
    ]
    for name, target in zip(names, plan, strict=True):
        refuse_hidden(name, target, then.end.serial, "a staged branch")
    for branch in (then, otherwise):
        for name, value, target in zip(names, branch.values, plan, strict=True):
            _refuse_written(name, value, target, branch)
    serial = trace.journal.serial
    written = {**then.end.writes.tensors, **otherwise.end.writes.tensors}
    tensors = [tensor for tensor, _ in written.values()]
    ends: list[list[Value]] = [[], []]
    regions = [
        _completed(branch, plan, tensors, end) for branch, end in zip((then, otherwise), ends, strict=True)
    ]
    results = trace.record_control("if_", test, *regions)
    note_choices(test, results, *ends)
    values = [target.unpack(results, name) for name, target in zip(names, plan, strict=True)]
    for tensor, value in zip(tensors, results, strict=True):
        trace.journal.will_write_tensor(tensor)
        tensor.become(value)
    pairs = zip(then.values, otherwise.values, strict=True)
    for value, target, pair in zip(values, plan, pairs, strict=True):
        if not isinstance(target, Static):
            note_sharing(value, memories_in(pair), Role.JOINED, serial)
            lacks = [end.lacks(one) for end, one in zip((then.end, otherwise.end), pair, strict=True)]
            bound = [one for one, is_left in zip(pair, lacks, strict=True) if not is_left]
            note_alias(value, common(alias_of(one, then.end.serial) for one in bound), serial)
        note_origins_of_branches(value, pair, target, then.end.serial, serial)
    return values


def _joined(name: str, left: object, right: object, then: Branch, otherwise: Branch) -> ValueKind:
    """The kind of a variable after the statement; a branch that raises does not count."""
    if left is right or same_static(left, right):
        return Static(left)
    if then.end.lacks(left) or otherwise.end.lacks(right):
        value, branch = (right, otherwise) if then.end.lacks(left) else (left, then)
        is_constant = is_python_scalar(value) and not isinstance(value, Tensor)
        if is_constant and (then.end.raises or otherwise.end.raises):
            return Static(value)  # What goes on knows it: `if ok: done = True` beside a `raise`.
        leaf = kind_of(value, branch.end.serial)
        if isinstance(value, (StagedIterable, StagedIterator)):
            _refuse_made_in_branch(name, value)
        if hides_values(leaf, branch.end.serial):
            learn_objects(leaf)
            _refuse_made_in_branch(name, value)
        return leaf
    joins_beside(left, right)
    first = with_constants(kind_of(left, then.end.serial), left)
    second = with_constants(kind_of(right, otherwise.end.serial), right)
    if are_containers(first, second):
        return join(name, first, second, PATHS)
    if first.is_list() and second.is_list():
        return lists_type(name, first, second, PATHS)
    joined = first_joined(LIST_KINDS, name, first, second, PATHS)
    if joined is not None:
        return joined
    are_tuples = is_tuple(first) and is_tuple(second)
    if not are_tuples and not any(
        isinstance(one, ListObject) or _may_be_list(one) for one in (first, second)
    ):
        _refuse_plain_containers(name, (left, first), (right, second))
    return join(name, first, second, PATHS)


def _may_be_list(kind: ValueKind) -> bool:
    """Whether a kind is that of a variable that may be unbound and is a list otherwise."""
    return isinstance(kind, MaybeUnbound) and not is_tuple(kind.inner)


def _refuse_made_in_branch(name: str, value: object) -> None:
    """Refuses to let an object leave its branch that is no graph value but holds one: `range(staged)`."""
    raise staging_error(
        "AG131",
        f"{quoted(name)} is {with_article(type_name(value))} that a staged branch makes, beside one that"
        " raises",
        "make it after the statement",
    )


def _refuse_written(name: str, value: object, target: ValueKind, branch: Branch) -> None:
    """Refuses a branch that changes an older list and binds it to a variable that may be another list."""
    if any(branch.end.writes.has_written(one) for one in target.copied_lists(value)):
        learn_objects(target, *map(Static, target.copied_lists(value)))
        raise staging_error(
            "AG133",
            f"{quoted(name)} is bound in a staged branch to a list from before that the branch changes",
            f"make a list of its own: `{name} = list(...)`",
        )


def _refuse_two_names(branch: Branch, names: tuple[str, ...], variables: int) -> None:
    """Refuses two variables bound to one list or object of a branch: after the `if` each would get a copy."""
    ends = (names, branch.values, branch.end.serial, variables)
    found = None if branch.end.raises else held_twice(*ends)
    if found is None:
        return
    one, first, name = found
    learn_objects(Static(one))
    places = (
        f"{quoted(name)} and {quoted(first)} are" if name != first else f"two places in {quoted(name)} are"
    )
    raise staging_error(
        "AG133",
        f"{places} bound to one {type_name(one)} that is made in a staged branch",
        "bind it to one of them, and to the other after the statement",
    )


def _refuse_plain_containers(name: str, *ends: tuple[object, ValueKind]) -> None:
    """Refuses a variable bound to a plain list or dict, which would need a join of every element.

    One that may be ``None`` is joined by its values, if it cannot be a row.
    """
    learn_objects(*(kind_of(value) for value, _ in ends))
    kinds = [kind for _, kind in ends]
    if any(map(_may_be_none, kinds)) and all(one.known() is None or _is_by_value(one) for one in kinds):
        return
    for value, _ in ends:
        if isinstance(value, (list, dict)) and not is_numeric(value) and not is_reference(value):
            raise staging_error(
                "AG133",
                f"{quoted(name)} is bound to {with_article(type_name(value))} in a staged `if`",
                "bind its elements to variables of their own",
            )


def _is_by_value(kind: ValueKind) -> bool:
    inner = kind.inner if isinstance(kind, OptionalOf) else kind
    return inner is None or isinstance(inner.by_value(), (RecordObject, ListObject))


def _may_be_none(kind: ValueKind) -> bool:
    return isinstance(kind, OptionalOf) or kind.known() is None


def _completed(branch: Branch, plan: list[ValueKind], tensors: list[Tensor], found: list[Value]) -> Region:
    """The block of a branch with its results: the joined variables, then the written tensors.

    Args:
        branch: The branch.
        plan: The kinds of the variables after the statement.
        tensors: The written tensors.
        found: Gets the results.
    """

    def results(end: Ended) -> list[Value]:
        values: list[Value] = []
        outputs = branch.values if end is branch.end else branch.outputs(end)
        for target, value in zip(plan, outputs, strict=True):
            # Nothing reads the results of a branch that raises.
            values += target.pack(Undefined("") if end.raises else value, end.writes.reads)
        for tensor in tensors:
            known = end.writes.tensors.get(id(tensor))
            values.append(tensor.value_id if known is None else known[1])
        found[:] = values
        return values

    return branch.block.complete(results)
