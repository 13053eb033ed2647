"""The trace: one recording of one function into one graph, and the journal of its writes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autograph import _core
from autograph.errors import DtypeError, Location, ShapeError, StagingError
from autograph.staging.frames import here, location_of, user_frame
from autograph.staging.surroundings import Surroundings

if TYPE_CHECKING:
    from autograph.staging.tensor import Tensor

DTYPES = {np.dtype(name) for name in ("bool", "uint8", "int32", "int64", "float32", "float64")}
"""The element types a graph has."""

_state = threading.local()


def current_trace() -> Trace | None:
    """The trace that records on this thread, or ``None``."""
    return getattr(_state, "trace", None)


def staging_error(code: str, message: str, help: str | None = None) -> StagingError:
    """An error at the place in the user's program that is running now."""
    return StagingError(message, code=code, location=here(), help=help)


def type_error(message: str) -> DtypeError:
    """A ``TypeError`` that is ours, so that it is not taken for one that the user's program raises."""
    return DtypeError(message, code="AG109", location=here())


def value_error(message: str) -> ShapeError:
    """A ``ValueError`` that is ours."""
    return ShapeError(message, code="AG102", location=here())


@dataclass
class Block:
    """A staged block that is being recorded, and what it has written so far.

    Attributes:
        what: The statement in words, for messages: "a staged `if`".
        serial: Tensors with a lower serial number existed before the block.
        written: Tensors from before the block that it wrote in place, with the value and version to
            restore.
    """

    what: str
    serial: int
    written: dict[int, tuple[Tensor, int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Mark:
    """A state of a trace to roll back to."""

    graph: _core.Mark
    values: int
    blocks: int
    undo: int
    sites: int


class OpEmitted(BaseException):
    """Stops a probe that only asks whether a piece of the program emits an op."""


class Trace:
    """Records the ops of one function into a graph.

    The journal: every write to a tensor in place, and every write of converted code to an
    attribute, an item or a list, goes through :meth:`will_write` or :meth:`write_object` first, so
    that a block can be undone and recorded again.
    """

    def __init__(self, name: str) -> None:
        self.builder = _core.GraphBuilder(name)
        self.blocks: list[Block] = []
        self.captured: dict[int, tuple[NDArray[Any], int]] = {}
        self.sites: list[Callable[[list[NDArray[Any]]], Any]] = []
        self.is_finished = False
        self.probes = 0
        self.notes: list[tuple[Location | None, str]] = []
        self.surroundings = Surroundings()
        self._undo: list[Callable[[], None]] = []
        self._created: dict[int, Any] = {}
        self._serial = 0
        self._stops_at_ops = False
        self._locations: dict[tuple[int, int], int] = {}
        self._location_keys: list[tuple[CodeType, int]] = []

    def next_serial(self) -> int:
        """A number for a new tensor; later ones are larger."""
        self._serial += 1
        return self._serial

    # Positions

    def locate(self) -> _core.GraphBuilder:
        """The builder, with its location set to the user's running line."""
        frame = user_frame()
        return self.builder if frame is None else self.locate_at(frame.f_code, frame.f_lasti)

    def locate_at(self, code: CodeType, instruction: int) -> _core.GraphBuilder:
        """The builder, with its location set to an instruction of the user's program."""
        key = (id(code), instruction)
        if key not in self._locations:
            self._locations[key] = len(self._location_keys)
            self._location_keys.append((code, instruction))
        if self._stops_at_ops:
            raise OpEmitted
        self.builder.location = self._locations[key]
        return self.builder

    def locations(self) -> list[Location]:
        """All locations given out, by number."""
        return [location_of(code, instruction) for code, instruction in self._location_keys]

    # Arrays from outside

    def capture(self, array: NDArray[Any]) -> int:
        """The value of an array that is not an argument: an input read at every run."""
        known = self.captured.get(id(array))
        if known is not None:
            return known[1]
        value = self.builder.function_param(array.dtype.name, list(array.shape))
        self.captured[id(array)] = (array, value)
        return value

    # Blocks and the journal

    @contextmanager
    def block(self, what: str) -> Iterator[Block]:
        """Records into a block, which the caller opened and will close in the builder."""
        entered = Block(what, self._serial)
        self.blocks.append(entered)
        try:
            yield entered
        except BaseException:
            self.take_writes(entered)
            raise
        finally:
            del self.blocks[self.blocks.index(entered) :]

    def take_writes(self, block: Block) -> list[tuple[Tensor, int]]:
        """The tensors a finished block wrote in place with their new values; restores the old."""
        writes = []
        for tensor, value, version in block.written.values():
            writes.append((tensor, tensor.value_id))
            tensor.value_id, tensor.version = value, version
        block.written = {}
        return writes

    def will_write(self, tensor: Tensor) -> None:
        """Notes in every block around that a tensor from before it is about to be written."""
        value, version = tensor.value_id, tensor.version
        for block in self.blocks:
            if tensor.serial <= block.serial:
                block.written.setdefault(id(tensor), (tensor, value, version))

        def restore() -> None:
            tensor.value_id, tensor.version = value, version

        if self.probes:
            self._undo.append(restore)

    def created(self, value: Any) -> Any:
        """Notes that an object was made while tracing, so writing to it is nobody else's business."""
        self._created[id(value)] = value
        return value

    def was_created(self, value: Any) -> bool:
        """Whether converted code made the object while tracing."""
        return id(value) in self._created

    def write_object(self, owner: Any, what: str, undo: Callable[[], None]) -> None:
        """Asks whether converted code may write to a plain object, and notes how to undo it.

        Raises:
            StagingError: If the object outlives the trace, or the write happens inside a staged
                block, where it would happen once instead of as often as the block runs.
        """
        if self.blocks:
            raise staging_error(
                "AG121",
                f"{what} inside {self.blocks[-1].what} cannot be recorded",
                "assign to a local variable or to an array instead",
            )
        if id(owner) not in self._created:
            raise staging_error(
                "AG122",
                f"{what} of an object that outlives the call would happen only while tracing",
                "return the value, or leave the write to a function marked `@ag.do_not_convert`"
                " outside the staged function",
            )
        if self.probes:
            self._undo.append(undo)

    # Speculation

    def mark(self) -> Mark:
        """The present state."""
        return Mark(
            self.builder.mark(),
            self.builder.value_count,
            len(self.blocks),
            len(self._undo),
            len(self.sites),
        )

    def roll_back(self, mark: Mark) -> None:
        """Forgets what was recorded since the mark and undoes the writes made since."""
        while len(self._undo) > mark.undo:
            self._undo.pop()()
        del self.blocks[mark.blocks :]
        del self.sites[mark.sites :]
        self.builder.roll_back(mark.graph)
        self.captured = {key: entry for key, entry in self.captured.items() if entry[1] < mark.values}

    @contextmanager
    def probing(self) -> Iterator[None]:
        """Within it writes to plain objects can be undone."""
        self.probes += 1
        try:
            yield
        finally:
            self.probes -= 1
            if not self.probes:
                self._undo.clear()

    @contextmanager
    def stopping_at_ops(self) -> Iterator[None]:
        """Within it the first op to be emitted raises :class:`OpEmitted` instead."""
        outer, self._stops_at_ops = self._stops_at_ops, True
        try:
            yield
        finally:
            self._stops_at_ops = outer

    def note(self, text: str) -> None:
        """Remembers something for ``explain``."""
        self.notes.append((here(), text))


@contextmanager
def tracing(trace: Trace) -> Iterator[Trace]:
    """Makes a trace the one that records on this thread."""
    outer = current_trace()
    _state.trace = trace
    try:
        yield trace
    finally:
        _state.trace = outer
        trace.is_finished = True
