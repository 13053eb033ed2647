"""Recording: from the user's function and the kinds of its arguments to a compiled graph.

    leaves of the arguments -> staged inputs -> the converted function runs -> ConcreteFunction

A recording may find out a fact that it needed from its beginning, for example that a list will grow. It then
stops, and ``function.py`` records again with that fact (``staging/trace/facts.py``).
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from autograph._src import operators
from autograph._src.argument_dtypes import refuse_argument
from autograph._src.backends.native import NATIVE
from autograph._src.backends.protocol import activated
from autograph._src.concrete import ConcreteFunction
from autograph._src.dtype_names import dtype_name
from autograph._src.input_signature import ArraySpec
from autograph._src.numpy.creation.random import open_stream, stream_of, stream_state
from autograph._src.recursion_limit import more_frames
from autograph._src.rooms import import_modules_of
from autograph._src.staging.complex.complex_tensor import is_complex, parameter
from autograph._src.staging.control.journal import Journal
from autograph._src.staging.control.loop_memory import LoopMemory
from autograph._src.staging.control.printed import recorded_output
from autograph._src.staging.control.raised import record_raise
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.narrow.carriers import CARRIERS, CLASSES_OF_SCALARS
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor
from autograph._src.staging.narrow.narrow_tensor import parameter as narrow_parameter
from autograph._src.staging.objects.callers_objects import CallersObjects
from autograph._src.staging.objects.nodes_of_call import Nodes
from autograph._src.staging.objects.object_tables import Objects
from autograph._src.staging.objects.search import search_of
from autograph._src.staging.objects.shared_trees import SharedTree
from autograph._src.staging.objects.written_places import Written
from autograph._src.staging.tensors.lifting import check_dtype
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import tracing
from autograph._src.staging.trace.facts import Fact, Facts
from autograph._src.staging.trace.given import objects_in
from autograph._src.staging.trace.outside import (
    changed_argument,
    contents_of_arguments,
    put_back_changes,
    refusal_of_change,
)
from autograph._src.staging.trace.recorder import Recorder
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM, Learned, Refused, TraceControl
from autograph._src.staging.trace.swallowed import swallowed
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import Rebuild
from autograph._src.variable import HeldVariables
from autograph.errors import AutographError, Location

Recorded = TypeVar("Recorded")

import_modules_of("autograph._src.backends")


@dataclass(frozen=True)
class Arguments:
    """The arguments that a graph is recorded with, and which of their leaves are inputs.

    Attributes:
        leaves: The leaves.
        rebuild: Makes the arguments from leaves.
        dynamic: Positions of Python ints and bools that are inputs of the graph, not constants.
        static: Positions of numbers that are constants of the graph.
        open_sizes: Arrays that the graph takes in any size, by their positions.
        walked: Classes whose objects a loop of the program may walk (``node = node.next``); where it walks
            objects of another class, the recording stops.
        keeps_sizes: Whether to refuse staged ints as sizes, because this recording tries whether they can
            be inputs.
        written: What the function is known to write outside, if anything.
        tree: The arguments and what is at these places, likewise.
        can_write: Whether runs of the graph can write to the caller's objects.
        names: Gives the name of each leaf, for messages.
    """

    leaves: list[Any]
    rebuild: Rebuild
    dynamic: frozenset[int]
    static: frozenset[int]
    open_sizes: Mapping[int, ArraySpec]
    walked: frozenset[type]
    keeps_sizes: bool = False
    written: Written | None = None
    tree: SharedTree | None = None
    can_write: bool = False
    names: Callable[[], list[str]] | None = None

    def input(self, trace: Trace, position: int) -> Tensor | None:
        """The graph parameter for a leaf, or ``None`` if the leaf is a constant."""
        leaf = self.leaves[position]
        if position in self.static:
            return None
        if isinstance(leaf, (np.ndarray, np.generic)):
            refuse_argument(leaf, lambda: self._name_of(trace, position))
        if position in self.dynamic:
            dtype = "bool" if leaf is True or leaf is False else "int64"
            return Tensor(trace, trace.builder.param(dtype, []), Form.PYTHON)
        if type(leaf) is float:
            return Tensor(trace, trace.builder.param("float64", []), Form.PYTHON)
        if is_complex(leaf) and (type(leaf) is np.ndarray or not isinstance(leaf, np.ndarray)):
            spec = self.open_sizes.get(position, ArraySpec.of(leaf))
            return parameter(leaf, list(spec.shape), trace.builder.param_of)
        if type(leaf) in CLASSES_OF_SCALARS or (type(leaf) is np.ndarray and leaf.dtype in CARRIERS):
            spec = self.open_sizes.get(position, ArraySpec.of(leaf))
            return narrow_parameter(leaf, list(spec.shape), trace.builder.param_of)
        if isinstance(leaf, np.generic):
            check_dtype(leaf.dtype)
            return Tensor(trace, trace.builder.param(dtype_name(leaf.dtype), []), Form.SCALAR)
        if isinstance(leaf, np.random.Generator):
            return open_stream(leaf, trace.builder.param("int64", [2]))
        if isinstance(leaf, np.ndarray):
            return self._array(trace, leaf, self.open_sizes.get(position, ArraySpec.of(leaf)))
        return None

    def _name_of(self, trace: Trace, position: int) -> str | None:
        names = self.names() if self.names is not None else []
        return f"argument `{names[position]}` of `{trace.name}`" if position < len(names) else None

    def _array(self, trace: Trace, leaf: Any, spec: ArraySpec) -> Tensor:
        return Tensor(trace, trace.builder.param_of((dtype_name(leaf.dtype), list(spec.shape))), Form.ARRAY)


_TUPLE = "pass its elements as a tuple, which is a constant of the graph: `tuple(x.tolist())`"


def new_trace(name: str, facts: Facts, recorder: Recorder | None = None) -> Trace:
    """A trace that has recorded nothing yet.

    Args:
        name: The graph's name.
        facts: The facts that earlier recordings have found out.
        recorder: What writes down the ops; by default a new graph.
    """
    trace = Trace(name, facts, recorder)
    trace.journal = Journal(trace.surroundings.watch)
    trace.loop_memory = LoopMemory()
    trace.objects = Objects(facts.objects)
    trace.held_variables = HeldVariables()
    trace.callers_objects = CallersObjects(None, None, can_write=False)
    return trace


def record(function: Callable[..., Any], name: str, arguments: Arguments, facts: Facts) -> ConcreteFunction:
    """Records a function once, for arguments like these, and compiles the graph.

    Args:
        function: The user's function.
        name: The graph's name.
        arguments: The arguments.
        facts: The facts that earlier recordings of the function have found out; this one adds its own.

    Raises:
        Learned: If the recording has found out a new fact, so that the function has to be recorded again.
    """
    facts.begin()
    trace = new_trace(name, facts)
    trace.keeps_sizes = arguments.keeps_sizes
    trace.callers_objects = CallersObjects(arguments.written, arguments.tree, can_write=arguments.can_write)
    try:
        return attempted(trace, lambda: _record(trace, function, arguments))
    finally:
        trace.callers_objects.take_out()  # Wherever the recording has ended.


def attempted(trace: Trace, attempt: Callable[[], Recorded]) -> Recorded:
    """What a recording gives, if it has found out nothing new.

    Raises:
        Learned: If it has, so that the function has to be recorded again.
    """
    facts = trace.facts
    try:
        recorded = attempt()
    except BaseException as error:
        # A handler of the program caught our signal and raised something else: that is still our signal.
        if facts.new is not None and not isinstance(error, Learned) and _is_of_trace(error):
            raise Learned from None
        raise
    finally:
        trace.surroundings.locked.release()
    if trace.new_variables:  # The next recording finds them where this one has stored them.
        facts.has_variables = True
        facts.new = Fact.VARIABLES
    if facts.new is not None:
        raise Learned
    return recorded


def _is_of_trace(error: BaseException) -> bool:
    """Whether an exception is one of ours, or was raised while one of ours was being handled."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, (TraceControl, AutographError)):
            return True
        seen = seen.__context__
    return False


def _record(trace: Trace, function: Callable[..., Any], arguments: Arguments) -> ConcreteFunction:
    """Records the graph; its inputs include the streams of random generators from outside."""
    with tracing(trace), activated(NATIVE), more_frames(), trace.callers.within(), recorded_output():
        inputs: list[tuple[int, Tensor]] = []
        staged = []
        arrays: dict[int, Any] = {}
        for position, leaf in enumerate(arguments.leaves):
            # An array that is passed twice is one input: a write through one name shows through the other.
            is_object = isinstance(leaf, (np.ndarray, np.random.Generator))
            known = arrays.get(id(leaf)) if is_object else None
            if known is not None:
                staged.append(known)
                continue
            tensor = arguments.input(trace, position)
            value = leaf if tensor is None else tensor
            if isinstance(leaf, np.random.Generator):
                value = stream_of(leaf)
            if tensor is not None and is_object:
                arrays[id(leaf)] = value
            staged.append(value)
            if tensor is not None and is_object:
                trace.surroundings.watch.seen[id(leaf)] = leaf
            else:
                trace.surroundings.watch.add(leaf)
            if tensor is not None:
                inputs.append((position, tensor))
        streams = [
            (stream_state(one), open_stream(one, trace.capture(stream_state(one))))
            for one in trace.facts.generators
        ]
        for tensor in [*(tensor for _, tensor in inputs), *(tensor for _, tensor in streams)]:
            for part in leaves_of(tensor):
                trace.keeps(part)
                if part is tensor or isinstance(tensor, NarrowTensor):
                    part.memory.order = frozenset([trace.slots[id(part)]])
        if arguments.tree is not None:
            pairs = zip(arguments.leaves, staged, strict=True)
            known = {id(leaf): (leaf, one) for leaf, one in pairs if type(leaf) is np.ndarray}
            trace.callers_objects.arrays = known
        args, kwargs = _given(trace, arguments, staged)
        if arguments.tree is None:  # What is written is no row of a table of nodes.
            trace.search = search_of((args, kwargs), arguments.walked)
        has_tables = bool(arguments.leaves) and type(arguments.leaves[-1]) is Nodes
        result = recorded_result(trace, function, args, kwargs, has_tables=has_tables)
        return ConcreteFunction(trace.name, trace, inputs, streams, result, definition(function))


def _given(trace: Trace, arguments: Arguments, staged: list[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of the function; what stands for values of places is put there."""
    if arguments.tree is None:
        args, kwargs = arguments.rebuild(staged)
        return args, kwargs
    (values, args, kwargs), made = arguments.rebuild(staged)
    trace.callers_objects.put_in(made, values)
    return args, kwargs


def recorded_result(
    trace: Trace,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    has_tables: bool = False,
) -> object:
    """Runs the function, recording it, and refuses what it changed around it without the trace's knowledge.

    Args:
        trace: The trace, which records on this thread.
        function: The user's function.
        args: Its arguments, staged.
        kwargs: Its named arguments, staged.
        has_tables: Whether the last argument is the table of the objects in the others.

    Returns:
        The function's result, with staged values in it.
    """
    trace.surroundings.watch.add(function)
    callers = trace.callers_objects
    callers.function = inspect.unwrap(function)
    trace.given = {
        id(one): (one, number) for number, one in enumerate(objects_in((args, kwargs), has_tables=has_tables))
    }
    if callers.writes:
        trace.given = callers.numbered()
    given = contents_of_arguments(() if callers.writes else (args, kwargs))
    trace.objects.open(trace)
    try:
        result = _run(trace, function, args, kwargs)
        trace.objects.require_unchanged([], definition(function))
        callers.note_changes()
    finally:
        callers.take_out()
        trace.surroundings.locked.release()
        # Guards on objects that this trace made itself are dropped: they end with the trace.
        trace.surroundings.watch.forget(trace.journal.was_created)
        changed = put_back_changes(trace.surroundings.watch, trace.new_variables)
        if changed is None:
            changed = changed_argument(given)
            if changed is not None:  # By an operator: `values *= 2`.
                callers.require_arguments()
        trace.surroundings.refuse_writes(trace.new_variables, callers.rebound)
        callers.let_go(trace.surroundings)
    if changed is not None:
        raise refusal_of_change(changed, definition(function))
    return result


def definition(function: Callable[..., Any]) -> Location | None:
    """Where a function is defined: the location of errors that occur before its first statement."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return None
    line = code.co_firstlineno
    return Location(
        code.co_filename, code.co_name, line, 0, line, len(linecache.getline(code.co_filename, line)) - 1
    )


def _run(trace: Trace, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """The result of the function that is being traced."""
    result = None
    try:
        result = operators.converted_call(function, *args, **kwargs)
    except Refused as refused:
        raise refused.error from None
    except NOT_OF_THE_PROGRAM:
        raise
    except BaseException as error:
        record_raise(error)  # Every run of the graph raises it, as every call of the function would.
    if trace.refusal is not None:
        raise trace.refusal
    lost = swallowed(trace)
    if lost is not None:
        raise lost.with_traceback(None)
    return result
