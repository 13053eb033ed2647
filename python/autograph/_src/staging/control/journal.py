"""The journal of a trace: the writes of staged blocks, so that they can be undone and become outputs.

Recording a branch runs it as Python, with its writes to arrays, attributes and containers, also those in
the functions that it calls:

    if x > 0:                 # staged
        self.total += x       # runs while the branch is recorded ...
        best[0] = x
    # ... is undone when it ends, and each written place becomes an output of the `if`

Converted code tells the journal of each write before it happens, and each block around saves the old value.
When a block ends, a snapshot reveals writes by unconverted code, which are refused.
"""

from __future__ import annotations

import dataclasses
import weakref
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CellType, CodeType, GeneratorType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.operators.places import Attribute, Contents, GlobalVariable, Place
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.frames import here, user_frame, variable_of
from autograph._src.staging.trace.iterator_places import GROUP, groups_of, is_iterator_of_python
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.signals import HasEffects
from autograph._src.staging.trace.statements import contents_differ
from autograph._src.staging.trace.watch import Snapshot, Watch
from autograph.errors import StagingError

if TYPE_CHECKING:
    from autograph._src.staging.tensors.tensor import Tensor

_IMMUTABLE = frozenset({str, bytes, int, float, complex, bool, type(None), range, slice})
"""Classes whose objects never change."""

DEEPEST = 40
"""How deep a staged statement may contain itself by recursion before it is taken to be endless."""


@dataclass(eq=False)  # Blocks of one statement in itself may hold the same, and are not the same.
class Block:
    """A staged block that is being recorded, with its writes so far.

    Attributes:
        what: The statement in words, for messages: "a staged `if`".
        statement: The place of the statement in the program, which identifies it.
        serial: The last serial number before the block; tensors and objects with a higher one are its own.
        tensors: Tensors from before the block that it wrote in place, with the value and version to
            restore.
        places: Places from before the block that it wrote, with the value to restore.
        parameters: For a function of the graph, the identities of its parameters. They belong to the caller,
            which would not see a write, so writes to them are refused.
        is_isolated: Whether nothing that the block writes is seen after it: rows of tables that it adds are
            its own, and it must not write to others.
    """

    what: str
    serial: int
    statement: tuple[CodeType, int] | None = None
    tensors: dict[int, tuple[Tensor, int, int]] = field(default_factory=dict)
    places: dict[tuple[int, str], tuple[Place, Any]] = field(default_factory=dict)
    parameters: frozenset[int] | None = None
    is_isolated: bool = False


Reads = dict[int, "Value | StagingError"]
"""By the identity of a tensor: its graph value, or the error that says why it cannot be read."""


@dataclass
class Writes:
    """The writes of a finished block.

    Attributes:
        tensors: The tensors with their new values.
        places: The places with their new values, in the order of the first write.
        reads: The graph values at the end of the block, before its writes were undone, of the tensors in
            its outputs.
    """

    tensors: dict[int, tuple[Tensor, int]]
    places: dict[tuple[int, str], tuple[Place, Any]]
    reads: Reads

    def has_written(self, value: object) -> bool:
        """Whether the block wrote to an object: to its contents, or to one of its attributes."""
        return any(owner == id(value) for owner, _ in self.places)


def note_reads(writes: Writes, values: tuple[Any, ...]) -> None:
    """Adds the graph values that these values had at the end of a block.

    The block did not write the places that hold them, so it has not noted them itself::

        if c:
            x -= 1              # `model.x` is `x`: what it was when this branch ended
        else:
            model.x = x * 2
    """
    entry = [(tensor, tensor.value_id, tensor.version) for tensor, _ in writes.tensors.values()]
    for tensor, value in writes.tensors.values():
        tensor.value_id = value
        tensor.version += 1
    try:
        for leaf, known in _reads(values, is_written=bool(writes.tensors)).items():
            writes.reads.setdefault(leaf, known)
    finally:
        for tensor, value, version in entry:
            tensor.value_id, tensor.version = value, version


class Journal:
    """The writes, block by block.

    Attributes:
        blocks: The blocks that are being recorded, outermost first.
        probes: How many probes are under way; their writes will be undone.
    """

    def __init__(self, outside: Watch) -> None:
        self.blocks: list[Block] = []
        self.probes = 0
        self.serial = 0
        self._is_reading = False
        self._undo: list[Callable[[], None]] = []
        self._undone: list[Any] = []
        self._created: dict[int, tuple[Any, int]] = {}
        self._without_place: dict[int, object] = {}
        self._variables: dict[int, object] = {}
        self._links: list[weakref.ref[Tensor]] = []
        self._closed: list[tuple[int, int]] = []
        # Objects that blocks may not change unnoticed: those from outside the trace, and those made in it.
        self._watches = (outside, Watch())

    def next_serial(self) -> int:
        """A number for a new tensor or object; numbers increase with time."""
        self.serial += 1
        return self.serial

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Raises :class:`HasEffects` where the code inside writes to an object."""
        before, self._is_reading = self._is_reading, True
        try:
            yield
        finally:
            self._is_reading = before

    # Blocks

    @contextmanager
    def block(
        self,
        what: str,
        parameters: frozenset[int] | None = None,
        *,
        is_isolated: bool = False,
        moving: Sequence[object] = (),
        is_rest: bool = False,
    ) -> Iterator[Block]:
        """Notes the writes of a block; the caller opens and closes the block in the graph builder.

        Args:
            what: The statement in words.
            parameters: See :class:`Block`.
            is_isolated: See :class:`Block`.
            moving: Iterators that the caller advances in the block.
            is_rest: Whether the block is the rest of another one, and no statement.
        """
        place = None if parameters is not None or is_rest else _place_of_statement()
        entered = Block(what, self.serial, place, parameters=parameters, is_isolated=is_isolated)
        self._refuse_recursion(entered)
        before = self.snapshots()
        self._let_go()
        self.blocks.append(entered)
        try:
            yield entered
        except BaseException:
            self.take(entered)
            raise
        finally:
            if entered in self.blocks:
                del self.blocks[self.blocks.index(entered) :]
            if not moving:
                self._note_closed(entered.serial)
        for snapshot in before:
            snapshot.let_move(moving)
            self._refuse_unseen(snapshot, what)

    def _note_closed(self, serial: int) -> None:
        """Notes that a block is closed which began at a serial number."""
        while self._closed and self._closed[-1][0] >= serial:
            self._closed.pop()
        self._closed.append((serial, self.serial))

    def is_of_closed_block(self, tensor: Tensor) -> bool:
        """Whether a tensor was made in a block that is closed: only what the block gave back may be used."""
        place = bisect_left(self._closed, (tensor.serial,))
        return place > 0 and tensor.serial <= self._closed[place - 1][1]

    def snapshots(self) -> list[Snapshot]:
        """Snapshots of all objects that unconverted code may write."""
        return [watch.snapshot.again() for watch in self._watches]

    def put_back(self, before: list[Snapshot]) -> None:
        """Undoes the writes of unconverted code since the snapshots."""
        self._undone += [
            value for snapshot in before for value in (*snapshot.advanced(), *snapshot.put_back())
        ]

    def require_undone(self) -> None:
        """Checks that a piece of the program that was undone can run again.

        Raises:
            StagingError: If it started a generator, whose remaining code would run as well, or advanced an
                iterator, which would not give the same items again (AG121).
        """
        if any(is_iterator_of_python(type(one)) for one in self._undone):
            raise StagingError(
                "an iterator from before a staged loop is advanced in it by a statement of Python's own, and"
                " would not give the same items again",
                code="AG121",
                location=here(),
                help="have the loop unrolled: `for … in ag.unroll(…)`",
            )
        watch = Watch()
        for value in self._undone:
            watch.add(value)
        if any(isinstance(one, GeneratorType) and one.gi_frame is not None for one in watch.seen.values()):
            raise StagingError(
                "a generator, or a `with` that one makes, is begun in a staged loop and goes on after it",
                code="AG121",
                location=here(),
                help="have the loop unrolled: `for … in ag.unroll(…)`",
            )

    def _refuse_unseen(self, before: Snapshot, what: str) -> None:
        """Refuses a block whose undone writes do not restore the snapshot: some write was not noted."""
        changed = before.first_change()
        if changed is not None:
            self.put_back([before])  # The caller may run the statement in another way.
            raise StagingError(
                f"{changed} was changed inside {what} by code that is not converted",
                code="AG121",
                location=here(),
                help="make the change in a function or method that is called by its name, or after the"
                " statement",
            )

    def _refuse_recursion(self, entered: Block) -> None:
        """Refuses a branch that contains itself by recursion, which would be recorded without end."""
        again = sum(block.statement == entered.statement for block in self.blocks)
        if entered.statement is None or again < DEEPEST:
            return
        name = entered.statement[0].co_name
        raise StagingError(
            f"`{name}` comes to this statement again and again while {entered.what} is recorded",
            code="AG138",
            location=here(),
            help="write it as a loop; of a generator take all items first: `for x in list(items(n - 1))`",
        )

    def take(self, block: Block, state: tuple[Any, ...] = ()) -> Writes:
        """The writes of a finished block; undoes them.

        Args:
            block: The block.
            state: The values of its variables at its end; none if an exception leaves the block.
        """
        if state:
            require_trace().objects.require_unchanged(self.blocks)
        places = {identity: (place, place.read()) for identity, (place, _) in block.places.items()}
        values = (state, *(value for _, value in places.values()))
        reads = _reads(values, is_written=bool(block.tensors))
        tensors = {}
        for tensor, value, version in block.tensors.values():
            tensors[id(tensor)] = (tensor, tensor.value_id)
            tensor.value_id, tensor.version = value, version
        for place, before in block.places.values():
            place.write(before)
            _hold(before, -1)
        block.tensors, block.places = {}, {}
        return Writes(tensors, places, reads)

    # Writes

    def will_write_tensor(self, tensor: Tensor) -> None:
        """Notes that a tensor is about to be written, in every block around that is younger than it."""
        value, version = tensor.value_id, tensor.version
        for block in self.blocks:
            if tensor.serial <= block.serial:
                if id(tensor) in (block.parameters or ()):
                    name = (
                        "an array, or the state of a generator,"
                        if tensor.name is None
                        else f"`{tensor.name}`"
                    )
                    raise StagingError(
                        f"{name} is written in place inside {block.what}, and is from before its call",
                        code="AG113",
                        location=here(),
                        help="copy it first, `.copy()`, and return the new array",
                    )
                block.tensors.setdefault(id(tensor), (tensor, value, version))

        def restore() -> None:
            tensor.value_id, tensor.version = value, version

        if self.probes:
            self._undo.append(restore)

    def is_older(self, tensor: Tensor) -> bool:
        """Whether a tensor is older than the innermost block that is being recorded."""
        return bool(self.blocks) and tensor.serial <= self.blocks[-1].serial

    def note_link(self, view: Tensor) -> None:
        """Notes a view that is read from its array."""
        self._links.append(weakref.ref(view))

    def will_let_go(self, view: Tensor) -> None:
        """Notes that a view is about to become an array of its own."""
        value, path, shared = view.value_id, view._path, view.shared

        def restore() -> None:
            view.value_id, view._path, view.shared = value, path, shared

        if self.probes:
            self._undo.append(restore)

    def _let_go(self) -> None:
        """Makes views of arrays that nothing else reaches arrays of their own, before a block begins.

        Within the block they would be written by way of these arrays.
        """
        alive = [view for view in self._links if view() is not None]
        self._links = alive
        for reference in alive:
            _let_go_unwritten(reference)

    def will_write(self, place: Place) -> None:
        """Notes that converted code is about to write to an object.

        Raises:
            StagingError: If the object outlives the trace, or cannot be an output of the block.
        """
        if self._is_reading:
            raise HasEffects
        if is_reference(place.owner):
            return  # The table notes its own writes.
        may_be_written = place.is_variable  # Where a function is called that has a statement for it.
        if isinstance(place, Attribute) and isinstance(place.owner, ModuleType):
            place = GlobalVariable(vars(place.owner), place.attribute)
        objects = require_trace().objects
        objects.joined.will_write(place.owner, self.blocks)
        objects.errors.will_write(place.owner)
        created = self._created.get(id(place.owner))
        if isinstance(place, Contents) and has_own(place.owner, "memory"):
            place.owner.require_sole()
            place.owner.memory.version += 1
        if created is None:
            callers = require_trace().callers_objects
            if may_be_written and not callers.takes(place) and not (self.blocks and callers.can_write):
                return  # `Surroundings` finds out when the trace ends.
            callers.require(place)
            created = (place.owner, 0)
        if self.probes and isinstance(place.owner, (set, bytearray, array, np.ndarray)):
            require_trace().will_advance(place.owner)  # `set.pop` depends on more than the elements.
        blocks = [block for block in self.blocks if created[1] <= block.serial]
        if blocks and isinstance(place.owner, (set, bytearray, array, np.ndarray)):
            contents_differ(place.owner)
            raise StagingError(
                f"a {place.name} cannot be changed inside {blocks[-1].what}",
                code="AG121",
                location=here(),
                help="keep the values in an array, for instance one `bool` for each possible element",
            )
        owner = id(place.owner)
        function = next((block for block in blocks if owner in (block.parameters or ())), None)
        if function is not None:
            from autograph._src.staging.kinds.static import Static
            from autograph._src.staging.trace.restarts import learn_objects

            learn_objects(Static(place.owner))  # If it becomes a row, the function can write its table.
            _name(place)
            raise StagingError(
                f"`{place.name}` is written inside {function.what}, and its owner is from before the call",
                code="AG121",
                location=here(),
                help="return the value instead",
            )
        if not blocks and not self.probes:
            return
        if any(place.identity() not in block.places for block in blocks):
            _name(place)
        before = place.read()
        for block in blocks:
            if place.identity() not in block.places:
                block.places[place.identity()] = (place, before)
                _hold(before, 1)
        if self.probes:
            self._undo.append(lambda: place.write(before))

    def before_isolated(self, place: Place) -> Iterator[tuple[Block, Any]]:
        """The isolated blocks around, each with the value that a place had when it began."""
        for block in self.blocks:
            if block.is_isolated:
                written = block.places.get(place.identity())
                yield block, place.read() if written is None else written[1]

    def created(self, value: object) -> Any:
        """Notes that an object was made while tracing, so that the trace may write to it."""
        if type(value) in _IMMUTABLE:
            return value
        if id(value) not in self._created and id(value) not in self._watches[0].seen:
            self._created[id(value)] = (value, self.next_serial())
            if not isinstance(value, CellType):
                self._watches[1].add(value)
            if isinstance(value, BaseException):
                require_trace().objects.note_error(value)
        return value

    def note_variables(self, variables: object) -> None:
        """Notes the dict of the attributes of an object that was made while tracing."""
        self._variables[id(variables)] = variables

    def are_variables(self, value: object) -> bool:
        """Whether it is the dict of the attributes of such an object."""
        return id(value) in self._variables

    def lose_place(self, iterator: object) -> None:
        """Notes that how far an iterator has come is known in the run only."""
        self._without_place[id(iterator)] = iterator

    def has_lost_place(self, iterator: object) -> bool:
        """Whether only the run knows how far an iterator has come."""
        return id(iterator) in self._without_place

    def existed(self, value: object) -> None:
        """Notes an object of this package as one from before all blocks, so that each undoes its writes."""
        self._created[id(value)] = (value, 0)

    def watch(self, value: object) -> None:
        """Includes an object in the snapshots of blocks, since its writers cannot tell the journal."""
        self._watches[1].add(value)

    def was_created(self, value: object) -> bool:
        """Whether the object was made while tracing; a group of ``groupby`` is made where that is."""
        return id(value if type(value) is not GROUP else groups_of(value)) in self._created

    def is_from_before(self, value: object, serial: int) -> bool:
        """Whether an object already existed when this serial number was given out."""
        created = self._created.get(id(value))
        return created is None or created[1] <= serial

    def serial_of(self, value: object) -> int:
        """The serial number of an object; 0 for one from before the trace."""
        return self._created.get(id(value), (None, 0))[1]

    def is_older_than_block(self, value: object) -> bool:
        """Whether an object existed before the innermost block that is being recorded."""
        if not self.blocks:
            return False
        created = self._created.get(id(value))
        return created is None or created[1] <= self.blocks[-1].serial

    # Probes

    def mark(self) -> tuple[int, int]:
        """The present state."""
        return (len(self.blocks), len(self._undo))

    def roll_back(self, mark: tuple[int, int]) -> None:
        """Undoes the writes made since the mark."""
        while len(self._undo) > mark[1]:
            self._undo.pop()()
        del self.blocks[mark[0] :]

    @contextmanager
    def probing(self) -> Iterator[None]:
        """While the ``with`` block runs, writes can be undone with :meth:`roll_back`."""
        self.probes += 1
        try:
            yield
        finally:
            self.probes -= 1
        if not self.probes:  # If the probe failed, its exception keeps the entries for the caller's rollback.
            self._undo.clear()


def _let_go_unwritten(reference: weakref.ref[Tensor]) -> None:
    """Makes a view an array of its own, unless its array was written since: that would record something."""
    view = reference()
    if view is None or view._path is None or view._path.base._is_stale():
        return
    if view._path.seen == view._path.base.value_id:
        view._let_go()


def _place_of_statement() -> tuple[CodeType, int] | None:
    frame = user_frame()
    return None if frame is None else (frame.f_code, frame.f_lasti)


def _hold(value: object, count: int) -> None:
    """Counts how often the journal holds a tensor."""
    if isinstance(value, Tensor):
        value.held += count


def _reads(values: tuple[Any, ...], *, is_written: bool) -> Reads:
    """The present graph values of the tensors in these values, or why they cannot be read.

    Args:
        values: What a block leaves.
        is_written: Whether the block wrote tensors. Then those in containers are read too::

            x[0] = 7.0
            r = {"z": x}        # `x` with the 7, also when the write is undone
    """
    found: Reads = {}
    seen: set[int] = set()
    rest = leaves_of(values)
    while rest:
        one: object = rest.pop()
        if is_reference(one):
            continue
        leaf = one.contents if isinstance(one, list) and has_own(one, "contents") else one  # type: ignore[attr-defined]
        if isinstance(leaf, (Tensor, StagedElements)):
            array = leaf._array() if isinstance(leaf, Tensor) else leaf  # A view is read from its array.
            try:
                known: Any = array.read()
                found[id(array)] = known if isinstance(array, Tensor) else 0
            except StagingError as error:
                found[id(array)] = error
        elif is_written and id(one) not in seen:
            seen.add(id(one))
            rest += leaves_of(_elements(one))
    return found


def _elements(value: object) -> tuple[Any, ...]:
    """What a dict, a list or an object of a dataclass holds; nothing of any other value."""
    if isinstance(value, dict):
        return tuple(dict.values(value))
    if isinstance(value, list):
        return tuple(list.__iter__(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in dataclasses.fields(value)]
        return tuple(getattr(value, name) for name in names if hasattr(value, name))
    return ()


def _name(place: Place) -> None:
    """Names a container by a variable of the running function that is bound to it."""
    if isinstance(place, Contents):
        place.name = variable_of(place.owner) or place.name
