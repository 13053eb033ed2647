"""What a staged function writes to objects of its caller: attributes, variables, lists, dicts.

    self.coef_ = w                # `self` is the caller's: each run has to set its attribute
    self.history.append(loss)     # and to append to its list
    cache[key] = value
    count += 1                    # `global count`

While a function is traced it runs as Python, so it reads and writes the caller's own objects. A *place* that
it writes (an attribute, a variable) is an argument of the graph: what is there in a call is a leaf, as what
the call passes is. While the trace runs, the place holds what stands for the leaf, or a *stand-in* for the
list or dict that is there (``shared_trees.py``). What it holds at the end is a result of the graph, which
each run puts into the place. Blocks undo and join such writes as those to objects of the trace.

A trace learns what is written when it meets the first write, and begins again with the place as an argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from autograph._src.articles import with_article
from autograph._src.class_slots import slot_names
from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.operators.places import Attribute, Contents, GlobalVariable, Place
from autograph._src.operators.undefined import Undefined
from autograph._src.own_attributes import has_own
from autograph._src.staging.lists.traced_list import TracedList, scratch_list
from autograph._src.staging.objects.callers_tables import what_is_in_the_way
from autograph._src.staging.objects.shared_trees import ABSENT, Made, SharedTree, attributes_of_record
from autograph._src.staging.objects.ways import ways_to
from autograph._src.staging.objects.written_places import Written
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.facts import Fact
from autograph._src.staging.trace.outside import LEAVE_IT_TO_PYTHON
from autograph._src.staging.trace.restarts import begin_again, learn_makers
from autograph._src.staging.trace.surroundings import Surroundings
from autograph._src.staging.trace.watch import Watch
from autograph.errors import StagingError


@dataclass(frozen=True)
class Change:
    """A write that a run makes when it is over.

    Attributes:
        target: The place, or the number of the container among those of the arguments.
        keys: For a dict its keys, for an object of a dataclass the names of the attributes.
        is_other: Whether the place has no value afterwards, or the elements are added to those of a list.
        value: What is there afterwards, for a container a tuple of its elements, or a list of the graph.
    """

    target: Place | int
    keys: tuple[Any, ...] | None
    is_other: bool
    value: Any


class CallersObjects:
    """The caller's objects that one trace writes.

    Attributes:
        can_write: Whether the runs of the graph can write to the caller's objects.
        function: The function that is recorded.
        arrays: The arrays among the arguments with what stands for them, by their identities.
        changes: What the runs of the graph write, in the order in which the program first does, once the
            function has run.
    """

    def __init__(self, written: Written | None, tree: SharedTree | None, *, can_write: bool) -> None:
        """Begin a trace.

        Args:
            written: What the function is known to write, if anything.
            tree: The arguments and what is at its places, likewise.
            can_write: Whether the runs of the graph can write to the caller's objects.
        """
        self._written = Written() if written is None else written
        self._places = list(self._written.places)
        self._known = {place.identity() for place in self._places}
        self._tree = tree
        self.can_write = can_write
        self._made: Made = {}
        self._begun: dict[int, list[Any]] = {}
        self._values: list[Any] = []
        self._before: list[tuple[Place, Any, list[str]]] = []
        self.function: object = None
        self.arrays: dict[int, tuple[Any, Any]] = {}
        self.changes: list[Change] = []

    @property
    def writes(self) -> bool:
        """Whether the function is known to write to objects of its caller."""
        return self._tree is not None

    # Stand-ins

    def numbered(self) -> dict[int, tuple[Any, int]]:
        """The stand-ins with their numbers, by their identities."""
        return {id(one): (one, number) for number, one in self._made.items()}

    def put_in(self, made: Made, values: Sequence[Any]) -> None:
        """Puts what stands for the arguments into their places.

        Args:
            made: The stand-ins for the containers of the arguments.
            values: What stands for the values of the places.
        """
        trace = require_trace()
        self._made = made
        for number, one in made.items():
            if is_table(one):  # Its lists are of the trace.
                self._begun[number] = _parts_of(one)
                continue
            trace.journal.existed(one)
            trace.journal.watch(one)
            self._begun[number] = _parts_of(one)
            if self._tree is not None and number in self._tree.logs:
                one.log = partial(_begin_again, looked_at=self._tree.names[number])
        for place in self._places:
            _hold(trace.surroundings, place)
        self._values = list(values)
        for place, value in zip(self._places, values, strict=True):
            self._before.append((place, place.read(), list(getattr(place.owner, "__dict__", ()))))
            if value is not ABSENT:
                place.write(value)

    def take_out(self) -> None:
        """Puts back what the places held before the trace."""
        for place, value, names in reversed(self._before):
            if not (isinstance(value, Undefined) and isinstance(place.read(), Undefined)):
                place.write(value)
            _restore_order(place, names)
        self._before = []

    # Writes

    def require(self, place: Place) -> None:
        """Checks that a write to an object that the trace has not made is one that each run will make.

        Raises:
            Learned: If the place has to be an argument, and is not yet.
            StagingError: If the write cannot be made by a run (AG122).
        """
        if place.identity() in self._known:
            return
        trace = require_trace()
        if not self.can_write:
            learn_makers()
            raise _refusal(place.name)
        if id(place.owner) in trace.given:
            if self.writes:  # A named tuple, which cannot be written.
                raise _refusal(place.name)
            _begin_again()
        if type(place.owner) is set and not place.is_variable:
            self._learn_leaf(place.owner)
        new = [
            one for one in self._places_for(trace.surroundings, place) if one.identity() not in self._known
        ]
        if not new:
            learn_makers()
            raise _refusal(place.name)
        _begin_again(new)

    def require_arguments(self) -> None:
        """Makes the containers of the arguments such that the trace can write.

        Raises:
            Learned: If they are not yet.
        """
        if self.can_write and not self.writes:
            _begin_again()

    def _places_for(self, surroundings: Surroundings, place: Place) -> list[Place]:
        """The places that have to be arguments where this one is written."""
        if place.is_variable:
            return [place]
        if isinstance(place, Attribute) and attributes_of_record(place.owner) is None:
            return [place] if _is_stored(place.owner, place.attribute) else []
        return [one for one in ways_to(surroundings, place.owner, self.function) if one is not None]

    def takes(self, place: Place) -> bool:
        """Whether a variable is an argument of the graph."""
        return place.identity() in self._known

    def refuse_original(self, value: object) -> None:
        """Refuses to read an object for which there is a stand-in, which alone sees the writes.

        Raises:
            StagingError: If the value is such an object (AG122).
        """
        if self._tree is None or isinstance(value, tuple):  # What is in a tuple is asked for itself.
            return
        if any(value is one for one in self._tree.objects):
            if type(value) in (Counter, set):
                self._learn_leaf(value)  # Another way to it is a leaf of the tree, or no argument yet.
                self._require_all_ways(value)
            raise _refusal(type(value).__name__)

    def result(self, value: Any) -> Any:
        """What code that is not converted has given, with the stand-in for an object that has one.

        Raises:
            StagingError: If the value holds such an object (AG122).
        """
        if self._tree is None:
            return value
        numbers = {id(one): number for number, one in enumerate(self._tree.objects)}
        if id(value) in numbers:
            return self._made[numbers[id(value)]]
        if id(value) in self.arrays:
            return self.arrays[id(value)][1]
        reached = Watch()
        reached.add(value)
        for identity in (numbers.keys() | self.arrays.keys()) & reached.seen.keys():
            raise _refusal(type(reached.seen[identity]).__name__)
        return value

    def refuse_callback(self, what: str) -> None:
        """Refuses a call of Python by the running graph, which would not see what the graph will write.

        Raises:
            StagingError: If the function writes to objects of its caller (AG122).
        """
        if self.writes:
            raise staging_error(
                "AG122",
                f"{what} is called while the graph runs, and what the staged function writes to objects that"
                " outlive the call is written when it is over",
                "call it outside of the staged function, or return the values instead of writing them",
            )

    def _learn_leaf(self, one: object) -> None:
        """Makes a counter or a set a table, which is a leaf of the tree until then."""
        if require_trace().journal.was_created(one):
            return
        if self._tree is None:
            _begin_again()  # It may be an argument.
        leaves = zip(self._tree.leaves, self._tree.paths, strict=True)
        path = next((path for leaf, path in leaves if leaf is one), None)
        if path is not None and path not in self._written.tables:
            _begin_again(table=path)
        if path is not None:
            raise _refused_table(one)

    def is_as_given(self, one: Any) -> bool:
        """Whether a table stands for a set of the caller that the trace has not changed so far."""
        number = next((number for number, made in self._made.items() if _is_table_of(made, one)), None)
        if number is None or (self._tree is not None and number in self._tree.grouped):
            return False
        return [*map(id, _parts_of(one))] == [*map(id, self._begun[number])]

    def learn_table(self, one: object) -> None:
        """Makes a dict or set of the caller a table of the graph, since the run asks it for keys of its own.

        Raises:
            Learned: If it becomes one, or an argument first.
        """
        if type(one) not in (Counter, set, *DICT_CLASSES) or not self.can_write:
            return
        if type(one) in (Counter, set):
            self._learn_leaf(one)
        number = next((number for number, made in self._made.items() if made is one), None)
        if number is None:
            if require_trace().surroundings.knows(one) or id(one) in require_trace().given:
                self.require(Contents(one))
            return
        name = self._tree.names[number] if self._tree is not None else ""
        if name and name not in self._written.tables:
            _begin_again(table=name)
        if name and self._tree is not None and not is_table(one):
            raise _refused_table(self._tree.objects[number])

    def learn_array(self, array: object) -> None:
        """Makes an array that the trace writes an argument, if it is not one and can be.

        Raises:
            Learned: If it becomes one.
        """
        if self.can_write and isinstance(array, np.ndarray):
            found = ways_to(require_trace().surroundings, array, self.function)
            places = [one for one in found if one is not None and one.identity() not in self._known]
            if places:
                _begin_again(places)

    def learn_locked(self) -> None:
        """Makes all arrays of the caller's objects arguments, since one of them is written.

        Raises:
            Learned: If there are any that are none yet.
        """
        for array in require_trace().surroundings.locked.arrays():
            self.learn_array(array)

    def rebound(self, places: list[Place]) -> None:
        """Makes variables that the trace has rebound arguments.

        Raises:
            Learned: If runs can write to them.
        """
        new = [place for place in places if place.identity() not in self._known]
        if self.can_write and new:
            _begin_again(new)

    # The end of the trace

    def note_changes(self) -> None:
        """Finds what the trace has written.

        Raises:
            Learned: If there is another way to what it has written, which has to be an argument, too.
            StagingError: If that way cannot be one (AG122).
        """
        if self._tree is None:
            return
        for place, value in zip(self._places, self._values, strict=True):
            now = place.read()
            is_absent = isinstance(now, Undefined)
            if not is_absent and now is not value:
                self.changes.append(Change(place, None, False, now))
            elif is_absent and value is not ABSENT:
                self.changes.append(Change(place, None, True, None))
        for number, one in self._made.items():
            change = self._change_of(number, one)
            if change is not None:
                self.changes.append(change)
                self._require_all_ways(self._tree.objects[number])
        for one in self._tree.objects[: self._tree.count_at_places]:
            if not isinstance(one, tuple):  # It never changes, and what is in it is asked for itself.
                self._require_all_ways(one)
        for array, tensor in self.arrays.values():
            if getattr(tensor, "version", 0):
                self._require_all_ways(array)

    def _change_of(self, number: int, one: Any) -> Change | None:
        if is_table(one):
            is_same = [*map(id, _parts_of(one))] == [*map(id, self._begun[number])]
            lists: tuple[Any, ...] = (one.ag_keys, one.ag_values, one.ag_marks)
            if one.ag_class is set:
                lists = (one.ag_values, one.ag_counts)
            return None if is_same else Change(number, None, False, tuple(map(_copied, lists)))
        staged = one.contents if isinstance(one, TracedList) else None
        parts = _parts_of(one)
        begun = self._begun[number]
        if (
            staged is None
            and len(parts) == len(begun)
            and all(left is right for left, right in zip(parts, begun, strict=True))
        ):
            return None
        count = len(parts) // 2
        if isinstance(one, TracedList):
            name = self._tree.names[number] if self._tree is not None else ""
            if one.log is None and name not in self._written.looked_at:
                _begin_again(appended=name)
            value = tuple(parts) if staged is None else scratch_list(staged)
            return Change(number, None, one.log is not None, value)
        return Change(number, tuple(parts[:count]), False, tuple(parts[count:]))

    def _require_all_ways(self, one: object) -> None:
        """Makes each way to an object that is written an argument: all names have to see the write."""
        found = list(ways_to(require_trace().surroundings, one, self.function))
        new = [place for place in found if place is not None and place.identity() not in self._known]
        if new:
            _begin_again(new)
        if None in found:
            raise _refusal(type(one).__name__)

    def let_go(self, surroundings: Surroundings) -> None:
        """Removes the guards on what are arguments of the graph, which may differ from call to call."""
        if self._tree is None:
            return
        numbered = set(map(id, self._tree.objects[: self._tree.count_at_places]))
        surroundings.watch.snapshot.let_go(numbered, self._known)
        surroundings.let_go(self._known)


def _begin_again(
    places: Sequence[Place] = (),
    appended: str | None = None,
    looked_at: str | None = None,
    table: str | None = None,
) -> NoReturn:
    """Begins the trace again, with these places as arguments, too, or with another way to take a list."""
    facts = require_trace().facts
    facts.places, facts.appended, facts.looked_at, facts.table = list(places), appended, looked_at, table
    begin_again(Fact.PLACES)


def _parts_of(one: Any) -> list[Any]:
    """What a container holds: its elements; of a dict its keys and values, of an object the attributes."""
    if is_table(one):
        lists = (one.ag_keys, one.ag_values, one.ag_marks, *([one.ag_counts] if one.ag_class is set else ()))
        return [part for values in lists for part in (values.contents, *list.copy(values))]
    if isinstance(one, list):
        return list.copy(one)
    if type(one) in DICT_CLASSES:
        return [*one, *one.values()]
    names = attributes_of_record(one)
    return [] if names is None else [*names, *(getattr(one, name) for name in names)]


def is_table(one: object) -> bool:
    """Whether a stand-in is a table of the graph."""
    return has_own(one, "ag_marks")


def _is_table_of(one: Any, other: Any) -> bool:
    return is_table(one) and one.ag_index is other.ag_index


def _copied(values: Any) -> TracedList:
    """A list of what a list of a table holds at the end."""
    made = scratch_list(values.contents)
    if values.contents is None:
        list.extend(made, list.copy(values))
    return made


def _refused_table(one: Any) -> StagingError:
    why, remedy = what_is_in_the_way(one)
    return staging_error(
        "AG120",
        f"{with_article(type(one).__name__)} of the caller is asked for a key that only the run knows, and"
        f" {why}",
        remedy,
    )


def _refusal(name: str) -> StagingError:
    return staging_error(
        "AG122",
        f"a write to `{name}` of an object that outlives the call would happen only while tracing",
        LEAVE_IT_TO_PYTHON,
    )


def _is_stored(owner: object, name: str) -> bool:
    """Whether an attribute is one that a run can store: in the object, in a slot, in a class or a module."""
    if name.startswith("__") or not require_trace().surroundings.knows(owner):
        return False
    if isinstance(owner, (type, ModuleType, FunctionType)):
        return True
    found = next((vars(base)[name] for base in type(owner).__mro__ if name in vars(base)), None)
    if found is not None and hasattr(type(found), "__set__"):
        return name in slot_names(type(owner))
    return isinstance(getattr(owner, "__dict__", None), dict)


def _of_module(place: Attribute) -> Place:
    """The place itself, or the global variable that an attribute of a module is."""
    if isinstance(place.owner, ModuleType):
        return GlobalVariable(vars(place.owner), place.attribute)
    return place


def _hold(surroundings: Surroundings, place: Place) -> None:
    """Notes what is at a place before the trace puts something else there."""
    if place.is_variable:
        surroundings.hold(place)
    else:
        surroundings.watch.add(place.owner)


def _restore_order(place: Place, names: list[str]) -> None:
    """Puts the attributes of an object back into their order, which a deletion has changed."""
    variables = getattr(place.owner, "__dict__", None)
    if type(variables) is dict and list(variables) != names and set(variables) == set(names):
        values = [variables[name] for name in names]
        variables.clear()
        variables.update(zip(names, values, strict=True))
