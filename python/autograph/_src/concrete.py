"""One specialisation of a staged function: a recorded graph, compiled and run with fresh arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from autograph import _core
from autograph._src.applied_writes import Counted, NotApplied, Writes, counted_output
from autograph._src.closure_cells import content_of
from autograph._src.floating_modes import MODES
from autograph._src.numpy.creation.random import stream_state
from autograph._src.result_trees import ResultTree
from autograph._src.results import COMPLEX_WORDS, TURNED_WORD, Returned, ViewRecipe
from autograph._src.run_host import Host
from autograph._src.signatures import Signature
from autograph._src.staging.complex.complex_tensor import COMPLEX, part_of, parts_of_input
from autograph._src.staging.control.progress import run_with_bars
from autograph._src.staging.narrow.carriers import CARRIERS, to_carrier, write_back
from autograph._src.staging.objects.nodes_of_call import Nodes
from autograph._src.staging.objects.object_results import Outputs
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.given import Given
from autograph._src.staging.trace.trace import Trace
from autograph._src.staging.trace.watch import Snapshot
from autograph.errors import GraphRuntimeError, Location, StagingError

Array = NDArray[Any]

_NOTHING = nullcontext()


def _parts_of(word: str, value: Any, outputs: Iterator[tuple[str, Any]]) -> Any:
    """What the dispatcher needs to make a leaf from the next outputs: dtypes, and the order of axes."""
    dtype = np.dtype(next(outputs)[0])
    if word == TURNED_WORD:
        return dtype, value
    if word not in COMPLEX_WORDS:
        return dtype
    next(outputs)
    return dtype, np.dtype(COMPLEX[dtype])


class FastParts(NamedTuple):
    """The parts of a specialisation that the Rust dispatcher runs; see :mod:`autograph._src.fast_calls`."""

    executable: _core.Executable
    show: _core.Show
    inputs: list[int]
    parts: list[str | None]
    captured: list[Array]
    leaves: list[tuple[str, Any]]
    shape: _core.ResultShape
    guards: _core.Guards
    is_exact: bool | None


class ConcreteFunction:
    """A compiled graph, the guards that say whether it still applies, and the recipe for its result.

    Attributes:
        graph: The graph.
        graph_name: The function's name.
        notes: Decisions of the recording that a reader may want to know, as text.
        signature: The arguments that the graph is for, as text.
        gives_objects: Whether the result holds objects of the arguments themselves, not only their leaves:
            a call then passes those objects as the last leaf.
        writes: What each run writes to objects of the caller.
        opened: The structure of the arguments, if the graph takes any sizes of them that no input signature
            leaves open; else ``None``.
        may_fail_alone: Whether a run of such a graph may fail where Python would not.
        prints: Whether a run of such a graph prints.
    """

    signature: Signature
    opened: Hashable | None = None
    may_fail_alone = False
    prints = False

    def __init__(
        self,
        name: str,
        trace: Trace,
        inputs: list[tuple[int, Tensor]],
        streams: list[tuple[Array, Tensor]],
        result: object,
        where: Location | None = None,
    ) -> None:
        self._where = where
        self.graph_name = name
        self.writes = Writes(trace.callers_objects.changes)
        # What is written may have its old value in the end, and another one where a run fails.
        self._writes_outside = trace.callers_objects.writes
        if self.writes:
            result = result, self.writes.values()
        try:
            self._tree = ResultTree(trace, result, where)
        except StagingError as error:  # The result holds a list that may be another, changed list.
            error.location = error.location or where
            raise
        leaves = self._tree.leaves
        for leaf in leaves:
            trace.surroundings.contents.used(leaf)
        self.gives_objects = trace.callers_objects.writes or any(type(leaf) is Given for leaf in leaves)
        parts = [one for position, tensor in inputs for one in parts_of_input(position, tensor)]
        self._inputs = [position for position, _, _ in parts]
        self._parts = [part for _, part, _ in parts]
        self._kinds = [tensor.form for _, _, tensor in parts]
        self._has_generators = bool(trace.streams)
        self._has_bars = trace.has_bars
        read = [array.dtype for array, _ in trace.captured.values()] + [tensor.dtype for _, tensor in inputs]
        self._converts = not CARRIERS.keys().isdisjoint(read)
        self._has_kept = trace.has_kept
        self._captured = [array for array, _ in trace.captured.values()]
        self._shapes = [array.shape for array in self._captured]
        self._written = [(position, part) for position, part, tensor in parts if tensor.version]
        self._copied = _written_copies(parts, trace)
        states = [(variable._storage, tensor) for variable, tensor in trace.variables.values()]
        drawn = [(array, tensor) for array, tensor in [*streams, *states] if tensor.version]
        self._drawn = [array for array, _ in drawn]
        places = [(tensor, position, part) for position, part, tensor in parts]
        # For each slot, the array that a failed run writes back to: a place among the arguments, or itself.
        self._slots: dict[int, tuple[int, Any] | Array] = {
            trace.slots[id(tensor)]: (position, part)
            for tensor, position, part in places
            if id(tensor) in trace.slots
        }
        self._slots |= {trace.slots[id(tensor)]: array for array, tensor in [*streams, *states]}
        # A call that fails before its writes is made again as plain Python, which draws again.
        self._draws_again = list(trace.draws.values()) if self._writes_outside else []
        self._guards = trace.surroundings.guards()
        self._named_cells = trace.surroundings.cell_guards()
        self._class_guards = trace.surroundings.class_guards()
        self._cell_guards = [(cell, value) for cell, _, value in self._named_cells]
        self._absent = trace.surroundings.absent()
        self._watch = trace.surroundings.watch
        self.notes = trace.notes
        returned = Returned(inputs, trace, where, self._tree)
        self._results = returned.recipes(leaves)
        self._stored = returned.stored()
        self._ordered = {
            position: trace.ordered[trace.slots[id(tensor)]]
            for position, _, tensor in parts
            if trace.slots.get(id(tensor)) in trace.ordered
        }
        values = [*self._stored.outputs, *(value for recipe in self._results for value in recipe.outputs)]
        values += [tensor.value_id for _, _, tensor in parts if tensor.version]
        values += [tensor.value_id for _, tensor in drawn]
        self._host = Host(trace, where)
        self._out_types = [trace.builder.type_of(value) for value in values]
        try:
            self.graph = trace.graph.finish(values, *self._host.places)
        except RuntimeError as error:  # The recording is wrong: running it would run another program.
            message = f"a fault of AutoGraph itself, please report it: {error}"
            raise StagingError(message, code="AG208", location=where) from None
        self._executable = self.graph.compile()

    def is_valid(self) -> bool:
        """Whether the globals, cells, class variables and objects that the recording read are unchanged."""
        for variables, name, value in self._guards:
            if variables.get(name) is not value:
                return False
        if not all(content_of(cell) is value for cell, value in self._cell_guards):
            return False
        if any(array.shape != shape for array, shape in zip(self._captured, self._shapes, strict=True)):
            return False
        if not all(variables.get(name) is value for _, variables, name, value in self._class_guards):
            return False
        return self._holds(self._watch.snapshot)

    def _holds(self, snapshot: Snapshot) -> bool:
        """Whether objects are unchanged, and no new class variable hides one that the recording found."""
        for variables, name in self._absent:
            if name in variables:
                return False
        return snapshot.holds()

    def guarded_objects(self) -> list[Any]:
        """The objects on whose attributes the graph depends."""
        known = self._watch.snapshot
        return [owner for owner, variables, *_ in known.mappings if owner is not variables]

    def first_change(self) -> str:
        """The first thing that has changed since the recording read it, in words."""
        for variables, name, value in self._guards:
            if variables.get(name) is not value:
                return f"global `{name}`"
        for cell, name, value in self._named_cells:
            if content_of(cell) is not value:
                return f"variable `{name}` of an enclosing function"
        for kind, variables, name, value in self._class_guards:
            if variables.get(name) is not value:
                return f"`{name}` of the class `{kind.__name__}`"
        for variables, name in self._absent:
            if name in variables:
                return f"`{name}` of a class"
        return self._watch.snapshot.first_change() or "an object"

    @property
    def input_places(self) -> frozenset[int]:
        """Which leaves of the arguments are inputs of the graph."""
        return frozenset(self._inputs)

    def __repr__(self) -> str:
        return f"<specialisation {self.graph_name}{self.signature}>"

    def fast_parts(self, *, has_own_numerics: bool) -> FastParts | None:
        """The parts that the Rust dispatcher needs, or ``None`` if each call has to run Python code.

        Args:
            has_own_numerics: Whether the function runs in one mode of numbers, whatever the caller's is.
        """
        leaves = [recipe.fast() for recipe in self._results]
        known = [leaf for leaf in leaves if leaf is not None]
        has_lists = any(dtype == "list" for dtype, _ in self._out_types)
        needs_python = (
            self._writes_outside
            or self._converts
            or self._written
            or self._copied
            or self._drawn
            or self._has_kept
            or self._ordered
            or self._has_generators
            or self._has_bars
            or has_lists
            or self._tree.holds_itself
        )
        if needs_python or len(known) < len(leaves):
            return None
        outputs = iter(self._out_types)
        typed = [
            (word, _parts_of(word, value, outputs) if recipe.outputs else value)
            for recipe, (word, value) in zip(self._results, known, strict=True)
        ]
        snapshot = self._watch.snapshot
        variables = [*self._guards, *(guard[1:] for guard in self._class_guards)]
        # Rust compares plain dicts; Python code compares all else.
        rest = snapshot.rest()
        watched = None if rest.is_empty() and not self._absent else functools.partial(self._holds, rest)
        guards: _core.Guards = (MODES, variables, self._cell_guards, snapshot.plain_mappings(), watched)
        shape = self._tree.shape
        return FastParts(
            self._executable,
            self._host.show,
            self._inputs,
            self._parts,
            self._captured,
            typed,
            shape,
            guards,
            None if has_own_numerics else self.graph.is_exact,
        )

    def __call__(self, leaves: list[Any]) -> Any:
        """Runs the graph natively on the leaves of the arguments."""

        def run(inputs: list[Array]) -> list[Array]:
            return self._executable.run(inputs, self._new_outputs(), self._host.show)

        return self._run(leaves, run)

    def _new_outputs(self) -> list[Array | None]:
        """Memory for the results; ``None`` for those whose sizes the run determines."""
        return [
            None if _is_of_open_size(kind) else _core.new_array(kind[1] or (1,), np.dtype(kind[0]))
            for kind in self._out_types
        ]

    @functools.cached_property
    def profiled(self) -> _core.ProfiledExecutable:
        """The graph, compiled so that its runs measure themselves."""
        return self.graph.compile_profiled()

    def measured(self, leaves: list[Any], most_events: int) -> tuple[object, _core.Measured]:
        """Runs the graph natively; also tells what its steps have spent."""
        found: list[_core.Measured] = []

        def run(inputs: list[Array]) -> list[Array]:
            results, measured = self.profiled.run(inputs, self._new_outputs(), self._host.show, most_events)
            found.append(measured)
            return results

        return self._run(leaves, run), found[0]

    def interpret(self, leaves: list[Any]) -> object:
        """Runs the graph with the reference interpreter, to check a result of the native code."""
        try:
            return self._run(leaves, lambda inputs: self.graph.interpret(inputs, self._host.show))
        except NotApplied as failed:
            raise failed.error from None

    def _run(self, leaves: list[Any], run: Callable[[list[Array]], list[Array]]) -> object:
        arrays = [_state_or_leaf(leaf) for leaf in leaves] if self._has_generators else leaves
        places = zip(self._inputs, self._parts, strict=True)
        inputs = [as_read(part_of(arrays[position], part)) for position, part in places]
        inputs += map(as_read, self._captured)
        self._refuse_aliases(arrays)
        self._refuse_other_orders(arrays)
        failure, counted = None, None
        states = [read() for read, _ in self._draws_again]
        try:
            with run_with_bars() if self._has_bars else _NOTHING, self._counted() as counted:
                results = Outputs(iter(run(inputs)))
        except _core.GraphFailure as stopped:
            failure = stopped
        if failure is not None:
            error = self.error(failure)
            is_of_sizes = self.opened is not None and isinstance(error, GraphRuntimeError)
            if self._writes_outside or is_of_sizes:
                for (_, set_again), state in zip(self._draws_again, states, strict=True):
                    set_again(state)
                raise NotApplied(
                    error,
                    counted.count if counted is not None else 0,
                    structure=self.opened if is_of_sizes else None,
                    has_writes=self._writes_outside,
                )
            self._put_back(failure, arrays)
            raise error
        self._stored.load(results)
        values = [recipe.value(results, leaves) for recipe in self._results]
        for position, part in self._written:
            write_back(part_of(arrays[position], part), next(results))
        for state in self._drawn:
            np.copyto(state, next(results))
        for place, recipe in enumerate(self._results):
            if isinstance(recipe, ViewRecipe):
                values[place] = recipe.view(values, leaves)
        result = self._tree.build(values)
        if self.writes:
            result, written = result
            self.writes.apply(written, leaves[-1].given)
        return result

    def _counted(self) -> AbstractContextManager[Counted | None]:
        """Counts what a run prints that may have to be made again."""
        may_repeat = self._writes_outside or self.opened is not None
        return counted_output() if may_repeat and self._host.has_sites else _NOTHING

    def _put_back(self, failure: _core.GraphFailure, arrays: list[Any]) -> None:
        """Writes to the caller's arrays what the program had written before it failed."""
        slots, kept = failure.args[4:]
        for slot, value in zip(slots, kept, strict=True):
            target = self._slots[slot]
            array = part_of(arrays[target[0]], target[1]) if isinstance(target, tuple) else target
            write_back(array, value.reshape(array.shape))

    def _refuse_aliases(self, leaves: list[Any]) -> None:
        """Refuses an array written in place that is read-only or shares memory with another array."""
        written_here = dict.fromkeys(position for position, _ in self._written)
        for written in [*written_here, *self._copied]:
            target = leaves[written]
            if written in written_here and not target.flags.writeable:
                raise ValueError("assignment destination is read-only")
            others = [leaves[position] for position in self._inputs if position != written]
            if leaves and isinstance(leaves[-1], Nodes):
                others += leaves[-1].arrays()
            for other in [*others, *self._captured]:
                if isinstance(other, np.ndarray) and np.shares_memory(target, other):
                    raise StagingError(
                        "an argument that is written in place shares memory with another array",
                        code="AG124",
                        location=self._where,
                        help="pass a copy of one of them",
                    )

    def _refuse_other_orders(self, leaves: list[Any]) -> None:
        """Refuses an array whose reshape NumPy would copy, where the recording has taken it for a view."""
        for position, where in self._ordered.items():
            if not leaves[position].flags.c_contiguous:
                raise StagingError(
                    "an argument that does not lie in C order is reshaped, which makes a copy that is"
                    " written, or read after a write",
                    code="AG124",
                    location=where,
                    help="pass `np.ascontiguousarray(x)`, or reshape a copy: `x.copy()`",
                )

    def error(self, failure: _core.GraphFailure) -> BaseException:
        """The exception for a failed run, with a traceback of the user's functions."""
        return self._host.error(failure)


def _written_copies(parts: list[tuple[int, str | None, Tensor]], trace: Trace) -> list[int]:
    """The positions of arguments of whose copies some are written; none if there is no array beside them."""
    arrays = [(position, tensor) for position, _, tensor in parts if tensor.form is Form.ARRAY]
    if len(arrays) + len(trace.captured) < 2:
        return []
    written = {id(memory) for memories, copy in trace.copies if copy.version for memory in memories}
    return [position for position, tensor in arrays if id(tensor.memory) in written]


def as_read(value: object) -> Array:
    """An array or number as the array that a graph reads: C-contiguous, aligned and of a dtype it has."""
    array: Array = np.ascontiguousarray(value)
    if array.dtype in CARRIERS:
        array = to_carrier(array)
    return array if array.flags.aligned else array.copy()


def _state_or_leaf(leaf: object) -> Any:
    """The input that an argument becomes: a random generator's stream, anything else itself."""
    return stream_state(leaf) if isinstance(leaf, np.random.Generator) else leaf


def _is_of_open_size(kind: tuple[str, Any]) -> bool:
    """Whether the type of an output leaves its size to the run."""
    dtype, shape = kind
    return dtype == "list" or None in shape
