"""Detects recursion: a function that calls itself in a staged block becomes a function of the graph.

    @ag.function                      function main(n) { call n callee=0 }
    def factorial(n):                 function factorial(n) {
        if n == 0:              →       if n == 0 then { yield 1 } else {
            return 1                      call n - 1 callee=0
        return n * factorial(n - 1)       … } }

The trace keeps a stack of the calls that it is recording. If a call finds its own function on the stack, in a
staged block and with arguments of the same kinds, it is a recursion. The recording then starts over, and
calls of this function become calls in the graph, with the staged arguments as parameters. The result types
are unknown at first; a branch without a recursive call shows them. The function is recorded again until its
results have the types that its calls assumed.

- Plain values stay plain: a recursion that plain values end is unrolled, as Python runs it. A plain number
  becomes a parameter if a recursive call passes another number.
- Objects around the function that it writes become parameters and results
  (:mod:`autograph._src.staging.calls.call_effects`). An array or list argument that it writes has to be the
  same object in all calls.
- A function that cannot become a function of the graph is unrolled after all. If the unrolling does not
  end, the user sees the reason.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from autograph import _core
from autograph._src.operators.closures import note_written_variables
from autograph._src.recursion_limit import most_calls
from autograph._src.staging.calls.call_arguments import Argument, arguments_of, number_of_staged, signature_of
from autograph._src.staging.calls.call_effects import Effects, no_effects
from autograph._src.staging.calls.call_results import Results, never, results_of
from autograph._src.staging.control.journal import DEEPEST
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.lists.sharing import memories_in
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.tensors.memory import Role
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.facts import Fact, Standing
from autograph._src.staging.trace.frames import location_of
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import begin_again
from autograph._src.staging.trace.signals import Refused, TraceControl, UnknownResult
from autograph._src.staging.trace.trace import Trace
from autograph.errors import Location, StagingError

MOST_PASSES = 12
"""The most recordings of a function until its result types must have settled."""

PATIENCE = 16
"""How deep calls with changing plain numbers may nest in staged blocks before these become parameters."""

_HAS_NO_CALL_FRAME = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Code flags of functions whose call does not run the body yet."""


@dataclass
class Activation:
    """A call that is being recorded.

    Attributes:
        function: The user's function.
        args: Its positional arguments.
        kwargs: Its named arguments.
        blocks: The number of staged blocks around the call.
        described: The kinds of its arguments, cached by :meth:`arguments`.
    """

    function: FunctionType
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    blocks: int
    described: list[Argument] | None = None

    def arguments(self) -> list[Argument]:
        """The kinds of its arguments."""
        if self.described is None:
            bound = _bound(self.function, self.args, self.kwargs)
            self.described = [] if bound is None else arguments_of(bound)
        return self.described


@dataclass
class FunctionRecording:
    """A function of the graph that is being recorded.

    Attributes:
        function: The user's function.
        number: Its number in the graph.
        arguments: The kinds of its arguments.
        results: The results that its calls assume; ``None`` if not known yet.
        effects: Its known writes.
    """

    function: FunctionType
    number: int
    arguments: list[Argument]
    results: Results | None
    effects: Effects


class Wider(TraceControl):
    """Stops a recording because a call inside it has arguments or effects of wider types.

    Attributes:
        recording: The recording.
        arguments: The widened arguments.
        effects: The widened effects.
    """

    def __init__(self, recording: FunctionRecording, arguments: list[Argument], effects: Effects) -> None:
        super().__init__()
        self.recording = recording
        self.arguments = arguments
        self.effects = effects


def run_function(
    trace: Trace,
    function: FunctionType,
    converted: FunctionType,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> object:
    """Runs a converted function of the user, or records a call of it.

    Args:
        trace: The trace.
        function: The user's function.
        converted: Its converted version.
        args: Positional arguments.
        kwargs: Named arguments.
    """
    code = function.__code__
    if code.co_flags & _HAS_NO_CALL_FRAME:
        return converted(*args, **kwargs)
    recursion = trace.facts.recursion
    if recursion.is_of_the_graph(code):
        bound = _bound(function, args, kwargs)
        keeps_objects = recursion.standing(code) is Standing.OF_THE_GRAPH_WITH_OBJECTS
        arguments = [] if bound is None else arguments_of(bound, keeps_objects)
        takes_plain = not arguments or code in recursion.over_plain
        if bound is not None and (takes_plain or number_of_staged(arguments)):
            return _call(trace, function, converted, bound, arguments)
    active = trace.activations.setdefault(code, [])
    if trace.search is not None:
        for one in active:
            trace.search.met_again((*one.args, *one.kwargs.values()), (*args, *kwargs.values()))
    activation = Activation(function, args, kwargs, len(trace.journal.blocks))
    if active and (trace.journal.blocks or len(active) >= DEEPEST):
        _find(trace, active, activation)
    if trace.callers.depth > most_calls():
        raise RecursionError("maximum recursion depth exceeded")
    active.append(activation)
    trace.callers.enter()
    try:
        return converted(*args, **kwargs)
    except RecursionError:
        refusal = recursion.refusals.get(code)
        if refusal is None:
            raise
        raise refusal from None  # The reason why it was unrolled.
    except (StagingError, Refused):
        # Unrolling may reach code that no run reaches, such as `board[row]` with a row that is out of range.
        if not recursion.is_of_the_graph(code) and len(active) > 1:
            _find(trace, active[:-1], activation, patience=0)
        raise
    finally:
        trace.callers.leave()
        active.pop()


def _bound(
    function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> inspect.BoundArguments | None:
    """The arguments by parameter, with defaults; ``None`` if they do not fit and Python has to raise."""
    if "__signature__" in function.__dict__:
        return None
    try:
        signature = _signatures.get(function)
        if signature is None:
            signature = inspect.signature(function, follow_wrapped=False)
            _signatures[function] = signature
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError):
        return None
    bound.apply_defaults()
    return bound


_signatures: WeakKeyDictionary[FunctionType, inspect.Signature] = WeakKeyDictionary()


def _is_same(left: FunctionType, right: FunctionType) -> bool:
    """Whether two function objects with the same code have the same globals and closure cells."""
    cells = zip(left.__closure__ or (), right.__closure__ or (), strict=True)
    return left.__globals__ is right.__globals__ and all(one is other for one, other in cells)


# Detecting recursion


def _find(trace: Trace, active: list[Activation], new: Activation, patience: int = PATIENCE) -> None:
    """Starts the trace over if a call is a recursion whose end depends on staged values.

    Args:
        trace: The trace.
        active: The calls of the function that are under way.
        new: The call.
        patience: How deep calls with changing plain numbers may nest in staged blocks.
    """
    code = new.function.__code__
    is_long = len(active) >= DEEPEST  # Then also outside blocks, where only a staged `raise` can end it.
    outer = [
        one for one in active if (one.blocks < new.blocks or is_long) and _is_same(one.function, new.function)
    ]
    recursion = trace.facts.recursion
    failure = recursion.refusals.get(code)
    depth = len({one.blocks for one in outer})
    if failure is not None and depth >= DEEPEST - 2:
        raise failure
    if not outer or failure is not None:
        return
    arguments = new.arguments()
    is_plain = bool(arguments) and not number_of_staged(arguments)
    if is_plain and depth < patience:
        return  # Plain values may end the recursion.
    signature = signature_of(arguments)
    if any(signature_of(one.arguments()) == signature for one in outer) or (
        depth >= patience and any(_joined(one.arguments(), arguments) is not None for one in outer)
    ):
        trace.may_raise("RecursionError", help=_RECURSE_OUTSIDE)
        recursion.rise(code, Standing.OF_THE_GRAPH)
        if is_plain:
            recursion.over_plain.add(code)
        begin_again(Fact.RECURSION)
    if depth >= DEEPEST - 2:
        raise endless(new.function)


_RECURSE_OUTSIDE = "make the recursive call outside of the `try` or `with`, or write the recursion as a loop"


def endless(function: FunctionType) -> StagingError:
    """The error for a recursion that does not seem to end."""
    return staging_error(
        "AG138",
        f"`{function.__name__}` calls itself inside a staged block, each time with another kind of arguments",
        "pass the same kinds of values, or write it as a loop",
    )


def _joined(known: list[Argument], new: list[Argument]) -> list[Argument] | None:
    """The join of the arguments of two calls; ``None`` if they do not join."""
    if len(known) != len(new):
        return None
    joined: list[Argument] = []
    for one, other in zip(known, new, strict=True):
        both = one.joined(other)
        if both is None:
            return None
        joined.append(both)
    return joined


def _are_same(left: list[Argument], right: list[Argument]) -> bool:
    return all(one.is_same(other) for one, other in zip(left, right, strict=True))


# Recording calls


def _call(
    trace: Trace,
    function: FunctionType,
    converted: FunctionType,
    bound: inspect.BoundArguments,
    arguments: list[Argument],
) -> object:
    """Records a call of a function of the graph; records the function first if that is not under way."""
    known = [one for one in trace.recordings if _is_recording_of(one, function)]
    wider: Wider | None = None
    for recording in reversed(known):
        joined = _joined(recording.arguments, arguments)
        if joined is None:
            continue
        if _are_same(joined, recording.arguments):
            return _emit(trace, recording, arguments)
        wider = wider or Wider(recording, joined, recording.effects)
    if wider is not None:
        raise wider
    if len(known) >= MOST_PASSES:
        raise endless(function)
    if known:
        return _record(trace, function, converted, bound, arguments)
    try:
        return _record(trace, function, converted, bound, arguments)
    except StagingError as error:
        recursion = trace.facts.recursion
        code = function.__code__
        if error.code in ("AG113", "AG121") and recursion.standing(code) is Standing.OF_THE_GRAPH:
            recursion.rise(code, Standing.OF_THE_GRAPH_WITH_OBJECTS)  # An argument is written.
        else:
            recursion.refuse(code, error)
        begin_again(Fact.RECURSION)


def _is_recording_of(recording: FunctionRecording, function: FunctionType) -> bool:
    return recording.function.__code__ is function.__code__ and _is_same(recording.function, function)


def _emit(trace: Trace, recording: FunctionRecording, arguments: list[Argument]) -> object:
    """Emits a call of a function that is being recorded; gives the result tree."""
    results = recording.results
    if results is None:
        raise UnknownResult(frozenset([recording.number]))
    trace.may_raise("RecursionError", help=_RECURSE_OUTSIDE)
    operands: list[int] = []
    for argument, wanted in zip(arguments, recording.arguments, strict=True):
        for leaf, kind in zip(wanted.leaves_like(argument), wanted.kinds, strict=True):
            operands += kind.pack(leaf)
    effects = recording.effects
    wider = effects.before_a_call()
    if wider is not None:
        raise Wider(recording, recording.arguments, wider)
    operands += effects.operands()
    types = [one for kind in results.kinds for one in kind.graph_types()]
    if not results.is_never:
        types = [*effects.types(), *types]
    values = trace.locate().call(recording.number, operands, types)
    if results.is_never:
        # The call never returns, so no code after it runs.
        raise UnknownResult(frozenset()) if trace.recordings else RuntimeError("a call that does not return")
    effects.leave(values)
    shared = [one for argument in arguments for leaf in argument.leaves for one in memories_in(leaf)]
    return results.restored(trace, values, shared, [argument.value for argument in arguments])


def _record(
    trace: Trace,
    function: FunctionType,
    converted: FunctionType,
    bound: inspect.BoundArguments,
    given: list[Argument],
) -> Any:
    """Records a function until its results and effects are those that its calls assumed; then calls it."""
    arguments, effects = given, None
    if not trace.recordings:
        trace.effects.clear()
        trace.effects_from = trace.journal.serial
        trace.results.clear()  # Results of an earlier call may refer to values that were written since.
    for _ in range(MOST_PASSES):
        # Reuse what an earlier recording of a function around this one found: it saves passes.
        cells = tuple(map(id, function.__closure__ or ()))
        key = (function.__code__, cells, signature_of(arguments))
        results = trace.results.get(key)
        known = trace.effects.get(key)
        effects = effects or (no_effects() if known is None else known.again())
        mark = trace.mark()
        try:
            number = trace.builder.declare(function.__name__)
        except StagingError as refused:  # Another library's recorder has no functions.
            refused.location = _place_of(function.__code__)
            raise
        recording = FunctionRecording(function, number, arguments, results, effects)
        try:
            found, after, region = _record_body(trace, recording, converted, bound)
            before = None if region is None else effects.before_a_call()
            if before is not None:
                raise Wider(recording, arguments, before)
        except Wider as wider:
            trace.roll_back(mark)
            if wider.recording is not recording:
                raise
            arguments, effects = wider.arguments, wider.effects
            continue
        except BaseException:
            trace.roll_back(mark)
            raise
        if region is not None:
            trace.builder.define(recording.number, region)
            return _emit(trace, recording, given)
        trace.roll_back(mark)
        trace.results[key] = found
        trace.effects[key] = after.from_before(trace.journal, trace.effects_from)
        effects = after
    raise endless_results(function, _place_of(function.__code__))


def endless_results(function: FunctionType, where: Location | None) -> StagingError:
    """The error for a recursion whose result types do not settle."""
    return StagingError(
        f"the recursive `{function.__name__}` returns what a call of the graph cannot return",
        code="AG138",
        location=where,
        help="return numbers and arrays, or tuples, lists, dicts and dataclasses of them",
    )


def _record_body(
    trace: Trace, recording: FunctionRecording, converted: FunctionType, bound: inspect.BoundArguments
) -> tuple[Results, Effects, _core.Region | None]:
    """The function's results and effects, and its body; no body if its calls assumed other ones."""
    function, builder, effects = recording.function, trace.builder, recording.effects
    builder.open()
    names = list(bound.arguments)
    values: list[Any] = []
    parameters: list[Any] = []
    for name, argument in zip(names, recording.arguments, strict=True):
        leaves = []
        for kind in argument.kinds:
            params = [builder.param_of(one) for one in kind.graph_types()]
            leaves.append(kind.unpack(params, name))
        pairs = zip(leaves, argument.kinds, strict=True)
        parameters += [one for leaf, kind in pairs if not isinstance(kind, Static) for one in leaves_of(leaf)]
        values.append(argument.with_leaves(leaves))
        for leaf in leaves:
            if _is_own_list(leaf) and leaf is not argument.value:
                leaf.role = Role.PARAMETER
    written = [builder.param_of(one) for one in effects.types()]
    inside = inspect.BoundArguments(bound.signature, dict(zip(names, values, strict=True)))
    trace.recordings.append(recording)
    failures = trace.failures
    what = f"the recursive `{function.__name__}`"
    try:
        with trace.journal.block(what, frozenset(map(id, parameters))) as block:
            # The caller told the journal of these writes outside this block; tell it again inside.
            note_written_variables(trace.journal.will_write, function)
            stand_ins = effects.enter(written)
            try:
                with trace.callers.within():
                    value = converted(*inside.args, **inside.kwargs)
            except UnknownResult:
                end = effects.ended(trace.journal, block, stand_ins, (), raises=True)
                raise
            found = results_of(trace, value, block.serial, values)
            end = effects.ended(trace.journal, block, stand_ins, tuple(found.leaves), raises=False)
    except UnknownResult as unknown:
        others = unknown.of - {recording.number}
        if others:
            raise UnknownResult(others) from None  # Wait for the results of a function around this one.
        if trace.failures == failures:
            raise _without_end(function) from None
        found = never()
    finally:
        trace.recordings.pop()
    after = effects.after(end)
    if recording.results is None or not found.are_same(recording.results) or after is not None:
        return found, after or effects, None
    if found.is_never:
        return found, effects, builder.close([])
    ends = end.results()
    for leaf, kind in zip(found.leaves, found.kinds, strict=True):
        ends += kind.pack(leaf, end.writes.reads)
    return found, effects, builder.close(ends)


def _is_own_list(value: object) -> bool:
    """Whether a value is a list that is passed by its contents, and not a row passed by its number."""
    return isinstance(value, TracedList) and not is_reference(value)


def _without_end(function: FunctionType) -> StagingError:
    return StagingError(
        f"each way through `{function.__name__}` calls it again, so that the recursion has no end",
        code="AG138",
        location=_place_of(function.__code__),
        help="return before the recursive call where the recursion ends: `if n == 0: return ...`",
    )


def _place_of(code: CodeType) -> Location | None:
    """Where a function is defined."""
    return location_of(code, 0)
