"""The values that a staged loop carries from iteration to iteration, as far as they are known.

Recording the body shows what it changes: variables that end with a wider type than was carried, tensors
written in place, attributes and containers. The loop is recorded again with these until nothing is new.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.dtype_names import dtype_name
from autograph._src.operators.places import Elements, Place
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.control.aliases import (
    Known,
    alias_of,
    alias_of_view,
    are_same,
    common,
    note_alias,
    without_aliases,
)
from autograph._src.staging.control.hidden_values import refuse_hidden
from autograph._src.staging.control.journal import Writes
from autograph._src.staging.control.owned_arrays import owned, shared_position
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.kinds.static import Static, same_static
from autograph._src.staging.kinds.union_values import narrowed, with_constants
from autograph._src.staging.kinds.unions import StagedUnion
from autograph._src.staging.kinds.value_kind import ValueKind, join, kind_of, quoted
from autograph._src.staging.lists.list_joins import lists_in, note_length
from autograph._src.staging.lists.sharing import memories_in, note_sharing
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.list_object import ListObject, lists_type
from autograph._src.staging.objects.origins import (
    are_containers,
    held_twice,
    note_origins,
    note_own,
    origins_of,
)
from autograph._src.staging.tensors.memory import Memory, Role, distinct
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.restarts import learn_objects
from autograph._src.staging.trace.state import State
from autograph._src.staging.trace.statements import joins_beside

PATHS = ("before the loop", "after an iteration")


@dataclass
class Carries:
    """What is known so far of a loop's carried values, or of what a function of the graph writes.

    Attributes:
        names: The variables.
        entry: Their values before the loop.
        types: Their types; ``None`` for a variable that is bound to one array throughout: to a tensor that is
            written in place, or to a view, as far as the recordings of the loop have shown.
        memories: For each variable, the memories from before the loop that it may refer to.
        origins: For each variable, the memories of other lists from before the loop it may be bound to.
        aliases: For each variable, the array from before the loop that it is wherever it is bound.
        tensors: Tensors from before the loop that the body writes in place.
        owned: The variables whose arrays nothing else refers to, see ``owned_arrays.py``; ``None`` before
            that is asked.
        variables: How many are variables; what follows are places.
        statement: The name of the statement in messages.
        follows_views: Whether variables that are bound to views are taken to stay so. What a function of the
            graph writes is of many calls, in which an attribute is bound to other ones.
    """

    names: tuple[str, ...]
    entry: tuple[Any, ...]
    types: list[ValueKind | None]
    memories: list[list[Memory]]
    origins: list[list[Memory]]
    aliases: list[Known] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    owned: frozenset[int] | None = None
    variables: int = 0
    statement: str = "a staged loop"
    follows_views: bool = True

    def initial(self) -> list[Value]:
        """The graph values that enter the loop."""
        values: list[Value] = []
        for value, target in zip(self.entry, self.types, strict=True):
            values += [] if target is None else target.pack(value)
        return values + [tensor.read() for tensor in self.tensors]

    def graph_types(self) -> list[GraphType]:
        """The types of the graph values that the loop carries."""
        types = [one for target in self.types if target is not None for one in target.graph_types()]
        return types + [(dtype_name(tensor.dtype), list(tensor.sizes)) for tensor in self.tensors]

    def enter(self, params: list[Value]) -> list[Any]:
        """The state at the start of the body: stand-ins for the carried variables, other values unchanged."""
        return self.restored(params, self.memories, Role.CARRIED)

    def restored(self, values: list[Value], memories: list[list[Memory]], role: Role) -> list[Any]:
        """Rebuilds the state from graph values.

        Args:
            values: The graph values; those used are removed from the front of the list.
            memories: For each variable, the memories that it may refer to.
            role: Why it may refer to them.
        """
        state: list[Any] = []
        journal = require_trace().journal
        serial = journal.serial
        for name, value, target in zip(self.names, self.entry, self.types, strict=True):
            state.append(value if target is None else target.unpack(values, name))
        for tensor in self.tensors:
            journal.will_write_tensor(tensor)
            tensor.become(values.pop(0))
        self._note_sharing(state, memories, role, serial)
        for value, alias in zip(state, self.aliases, strict=True):
            note_alias(value, alias, serial)
        self._note_origins(state, serial, role)
        return state

    def leave(self, results: list[Value], last: Iteration, trips: int | None) -> list[Any]:
        """The state after the loop.

        Args:
            results: The graph values that the loop gives.
            last: The recording of the body that fits the carries.
            trips: The number of iterations, if it is known.
        """
        ends = [memories_in(value) for value in last.state]
        has_run = bool(trips) and not last.raises
        pairs = zip(self.memories, ends, strict=True)
        memories = ends if has_run else [distinct([*known, *end]) for known, end in pairs]
        state = self.restored(results, memories, Role.JOINED)
        if has_run:
            state = [narrowed(one, kind_of(end)) for one, end in zip(state, last.state, strict=True)]
            written = [value for _, value in last.writes.places.values()]
            note_own(state, list(last.state), written, last.serial)
        for position, value in enumerate(state):
            note_length(value, self.entry[position], last.stand_ins[position], last.state[position], trips)
        return state

    def types_with(self, state: tuple[Any, ...]) -> list[ValueKind | None]:
        """The types of the variables, widened so that they hold the values of ``state`` too."""
        types: list[ValueKind | None] = []
        for name, value, known in zip(self.names, state, self.types, strict=True):
            is_known = isinstance(known, Static) and same_static(known.value, value)
            if known is None or is_known:
                types.append(known)
                continue
            found = kind_of(value)
            are_lists = known.is_list() and isinstance(found, ListObject)
            types.append((lists_type if are_lists else join)(name, known, found, PATHS))
        return types

    def _note_origins(self, state: list[Any], serial: int, role: Role) -> None:
        """Notes the lists that each variable may be bound to: the one before the loop, and later ones."""
        for value, entry, others in zip(state, self.entry, self.origins, strict=True):
            note_origins(value, entry, serial, role, others)

    def _note_sharing(self, state: list[Any], memories: list[list[Memory]], role: Role, serial: int) -> None:
        for position, (value, target, shared) in enumerate(zip(state, self.types, memories, strict=True)):
            if position in (self.owned or ()):
                continue
            if target is not None and not isinstance(target, Static):
                note_sharing(value, shared, role, serial)


@dataclass
class Iteration:
    """One recording of a loop body.

    Attributes:
        carries: The carries it was recorded with.
        stand_ins: The state it began with.
        state: The state it ended with.
        writes: Its other writes, with the new values.
        test: For a loop with a test, the graph value that says whether there is another iteration.
        raises: Whether the body always raises.
        serial: The serial number before the loop; objects with a higher one were made in the body.
    """

    carries: Carries
    stand_ins: list[Any]
    state: tuple[Any, ...]
    writes: Writes
    test: Value | None
    raises: bool
    serial: int

    def widened(self) -> Carries | None:
        """Carries that hold the values at the end of this iteration; ``None`` if the present ones do."""
        known = self.carries
        owning = self._owning()
        if owning is not None:
            return owning
        tensors = list(known.tensors)
        for tensor, _ in self.writes.tensors.values():
            if not any(tensor is other for other in tensors):
                tensors.append(tensor)
        types = list(known.types)
        for position, stand_in in enumerate(self.stand_ins):
            is_owned = position in (known.owned or ())
            written = None if is_owned else _written_in_place(known, position, stand_in)
            for part in [] if written is None else written:
                if not any(part is other for other in tensors):
                    tensors.append(part)
        for position, value in enumerate(self.state):
            types[position] = found = self._type_of(position, value, tensors)
            if found is not None and not self.raises and value is not self.stand_ins[position]:
                refuse_hidden(known.names[position], found, self.serial, known.statement)
        for name, value, target in zip(known.names, self.state, types, strict=True):
            if target is None:
                continue
            for one in target.copied_lists(value):
                if self.writes.has_written(one):
                    learn_objects(target, Static(one))
                    _refuse_older(name)
        memories = [self._memories(position) for position in range(len(self.state))]
        origins = [self._origins(position) for position in range(len(self.state))]
        aliases = [self._alias(position) for position in range(len(self.state))]
        widened = types, memories, origins
        is_known = all(one is other for one, other in zip(aliases, known.aliases, strict=True))
        is_known = is_known and len(tensors) == len(known.tensors)
        if is_known and widened == (known.types, known.memories, known.origins):
            for value in self.state:
                for one in lists_in(value):
                    one.require_current()
            for position, name in enumerate(known.names):
                if self._is_rebound_list_of_another(position):
                    learn_objects(kind_of(self.state[position]), kind_of(known.entry[position]))
                    _refuse_older(name)
            self._refuse_two_places()
            return None
        wider = replace(known, types=types, memories=memories, origins=origins, tensors=tensors)
        return replace(wider, aliases=aliases)

    def _owning(self) -> Carries | None:
        """Carries that own arrays which the body both writes and passes on to other variables, if they can.

        Raises:
            StagingError: If an iteration ends with two names for an array that they own (AG134).
        """
        known = self.carries
        if known.owned is not None:
            shared = None if self.raises else shared_position(self.state, known.owned, self.serial)
            if shared is not None:
                _refuse_two_ways(known.names[shared], known.statement)
            return None
        if not known.follows_views or not any(map(self._is_passed_on, range(known.variables))):
            return None
        found = frozenset(place for place in owned(known.entry, self.serial) if place < known.variables)
        if not all(place in found for place in range(known.variables) if self._is_passed_on(place)):
            return None
        kinds, memories = list(known.types), list(known.memories)
        for place in found:
            kinds[place], memories[place] = kind_of(known.entry[place]), []
        return replace(known, owned=found, types=kinds, memories=memories)

    def _is_passed_on(self, position: int) -> bool:
        """Whether a variable is written in place, and bound to something else at the end of the iteration."""
        stand_in, value = self.stand_ins[position], self.state[position]
        is_bound_anew = value is not stand_in and value is not self.carries.entry[position]
        return is_bound_anew and not self.raises and isinstance(stand_in, Tensor) and bool(stand_in.version)

    def _refuse_two_places(self) -> None:
        """Refuses a list or object of the body at two places that the loop carries: each would get a copy."""
        if self.raises:
            return
        ends = zip(self.state, self.carries.types, strict=True)
        values = [None if kind is None or isinstance(kind, Static) else value for value, kind in ends]
        found = held_twice(self.carries.names, values, self.serial, self.carries.variables)
        if found is not None:
            one, first, name = found
            learn_objects(Static(one))
            raise staging_error(
                "AG133",
                f"{quoted(first)} and {quoted(name)} hold one {type_name(one)} that"
                f" {self.carries.statement} makes",
                "put it into one of them, and a copy into the other: `list(xs)`, `copy.copy(state)`",
            )

    def _memories(self, position: int) -> list[Memory]:
        """The memories from before the loop that a variable may refer to after this iteration."""
        known, value = self.carries.memories[position], self.state[position]
        is_owned = position in (self.carries.owned or ())
        if self.raises or is_owned or value is self.stand_ins[position]:
            return known
        return distinct([*known, *(one for one in memories_in(value) if one.serial <= self.serial)])

    def _alias(self, position: int) -> Known:
        """The array from before the loop that a variable is, before this iteration or after it."""
        known, value = self.carries.aliases[position], self.state[position]
        if known is None or self.raises or value is self.stand_ins[position]:
            return known
        found = alias_of(value, self.serial)
        both = common((known, found))
        return known if are_same(known, both) else both

    def _origins(self, position: int) -> list[Memory]:
        """The memories of lists from before the loop that a variable may be bound to after this iteration."""
        known, value = self.carries.origins[position], self.state[position]
        if self.raises or value is self.stand_ins[position]:
            return known
        return distinct([*known, *(one for one in origins_of(value) if one.serial <= self.serial)])

    def new_places(self, state: State) -> list[Place]:
        """The attributes and containers that the body wrote and that are not in the state yet."""
        known = {place.identity() for place in state.places}
        return [place for identity, (place, _) in self.writes.places.items() if identity not in known]

    def _type_of(self, position: int, value: object, tensors: list[Tensor]) -> ValueKind | None:
        name, entry = self.carries.names[position], self.carries.entry[position]
        known = self.carries.types[position]
        if isinstance(entry, Tensor) and any(part is one for part in leaves_of(entry) for one in tensors):
            if value is entry or value is self.stand_ins[position]:
                return None
            _refuse_two_ways(name, self.carries.statement)
        if (
            value is self.stand_ins[position]
            or self.raises
            or (known is None and _is_as_before(value, entry))
        ):
            return known
        if self._is_rebound_list_of_another(position):
            return known  # The next recording carries the other variable as a list of its own.
        joins_beside(entry, value)
        found = kind_of(value, self.serial)
        first = known if known is not None else kind_of(entry)
        if first.is_list() and isinstance(found, ListObject):
            return lists_type(name, first, found, PATHS)
        if (
            isinstance(known, Static)
            and not same_static(known.value, value)
            and not are_containers(known, found)
        ):
            learn_objects(found)
            if known.value is not None:
                _refuse_container(name, value, found)
        found = with_constants(found, value)
        return join(name, first, found, PATHS).carried(first, found, entry)

    def _is_rebound_list_of_another(self, position: int) -> bool:
        """Whether `a, b = b, []` happened: a variable took over the list of another, which got a new one."""
        value = self.state[position]
        if not isinstance(value, TracedList) or value is self.stand_ins[position]:
            return False
        return any(
            stand_in is value
            and isinstance(self.carries.types[other], Static)
            and self.state[other] is not value
            for other, stand_in in enumerate(self.stand_ins)
            if other != position
        )

    def results(self) -> list[Value]:
        """The graph values of the carries at the end of the iteration."""
        values: list[Value] = []
        for position, target in enumerate(self.carries.types):
            value = self.stand_ins[position] if self.raises else self.state[position]
            packed = [] if target is None else target.pack(value, self.writes.reads)
            alias, before = self.carries.aliases[position], self.stand_ins[position]
            values += packed if target is None else without_aliases(target, alias, packed, before)
        for tensor in self.carries.tensors:
            values.append(self.writes.tensors[id(tensor)][1])
        return values


def _written_in_place(carries: Carries, position: int, stand_in: object) -> list[Tensor] | None:
    """The entry tensor (or both parts of a complex one) of a carried variable written in place.

    ``None`` if the body did not write the variable in place.
    """
    written = [leaf for leaf in leaves_of(stand_in) if isinstance(leaf, Tensor) and leaf.version]
    if carries.types[position] is None or not written:
        return None
    entry = carries.entry[position]
    if isinstance(stand_in, StagedUnion):
        raise staging_error(
            "AG134",
            f"`{carries.names[position]}` is written in place in {carries.statement}, and is a number or"
            " another array before",
            f"assign a new array: `{carries.names[position]} = {carries.names[position]} + ...`",
        )
    if isinstance(entry, Tensor) and stand_in is entry:
        return None
    if may_stay(entry) and isinstance(
        entry, Tensor
    ):  # As it is not carried as one array, the body binds another to its variable.
        _refuse_two_ways(carries.names[position], carries.statement)
    if isinstance(entry, Tensor):
        return leaves_of(entry)
    if isinstance(entry, tuple):
        raise staging_error(
            "AG134",
            f"an element of `{carries.names[position]}` is both written in place and replaced in"
            f" {carries.statement}",
            "use one of the two ways",
        )
    raise staging_error(
        "AG114",
        f"`{carries.names[position]}` is an array from outside the staged function and is written in it",
        "pass it as an argument, or copy it first",
    )


def _refuse_two_ways(name: str, statement: str) -> NoReturn:
    raise staging_error(
        "AG134",
        f"`{name}` is both written in place and bound to another array in {statement}",
        f"copy it before that: `{name} = {name}.copy()`, and use one of the two ways",
    )


def _refuse_older(name: str) -> None:
    raise staging_error(
        "AG133",
        f"{quoted(name)} is bound to a list from before the loop in a staged loop",
        f"make a list of its own: `{name} = list(...)`",
    )


def _refuse_container(name: str, value: object, found: ValueKind) -> None:
    if isinstance(value, (list, dict)) and isinstance(found, Static):
        raise staging_error(
            "AG133",
            f"{quoted(name)} is bound to {with_article(type_name(value))} in a staged loop",
            "bind its elements to variables of their own",
        )


def first_carries(names: tuple[str, ...], entry: tuple[Any, ...]) -> Carries:
    """Carries with the types of the values before the loop."""
    types = [_first_type(value) for value in entry]
    memories = [memories_in(value) for value in entry]
    aliases = [_first_alias(value) for value in entry]
    return Carries(names, entry, types, memories, [[] for _ in entry], aliases, variables=len(names))


def _first_type(value: object) -> ValueKind | None:
    """The type with which the recording of a loop begins.

    A view is taken to stay what its variable is bound to, so that a write to it is one to its array, and
    arrays are taken to stay in the list that holds them::

        row = a[0]
        for x in xs:
            row += x        # binds `row` to what it was bound to
            rows[0] += x    # and `rows[0]`
    """
    return None if may_stay(value) else kind_of(value)


def _first_alias(value: object) -> Known:
    """The array that a variable is before the loop, if it is unbound, ``None``, or known as a view."""
    return alias_of_view(value, require_trace().journal.serial)


def may_stay(value: object) -> bool:
    """Whether a variable may be bound to this value throughout: to a view, or a place to a list of arrays."""
    if isinstance(value, Elements):
        return any(isinstance(leaf, Tensor) and leaf.form is Form.ARRAY for leaf in leaves_of(value))
    parts = leaves_of(value) if isinstance(value, Tensor) else []
    return any(part._path is not None for part in parts)


def _is_as_before(value: object, entry: object) -> bool:
    """Whether a list holds the very objects that it held before."""
    if not (isinstance(value, Elements) and isinstance(entry, Elements) and len(value) == len(entry)):
        return False
    return all(one is other for one, other in zip(value, entry, strict=True))


def with_places(carries: Carries, places: list[Place]) -> Carries:
    """Carries extended by places, with the types of their values before the loop."""
    values = [place.read() for place in places]
    for place, value in zip(places, values, strict=True):
        if isinstance(value, Undefined) and not place.may_be_unbound:
            raise staging_error(
                "AG121",
                f"`{place.name}` is set in {carries.statement}, and not before it",
                "set it before that as well, for instance in `__init__`",
            )
    names = (*carries.names, *(place.name for place in places))
    first = _first_type if carries.follows_views else kind_of
    types = [*carries.types, *map(first, values)]
    memories = [*carries.memories, *(memories_in(value) for value in values)]
    origins = [*carries.origins, *([] for _ in values)]
    entry = (*carries.entry, *values)
    aliases = [*carries.aliases, *map(_first_alias, values)]
    found = replace(carries, names=names, entry=entry, types=types, memories=memories, origins=origins)
    return replace(found, aliases=aliases)
