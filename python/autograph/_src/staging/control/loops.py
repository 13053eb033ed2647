"""Staged loops: the graph holds the body once and carries the values that it changes.

The carries are inferred to a fixed point: the body is recorded with the types known so far, then again with
wider ones, until it ends with the types that it began with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.control.carries import Carries, Iteration, first_carries, with_places
from autograph._src.staging.control.forks import scope_of, settle
from autograph._src.staging.control.iteration_limit import IterationLimit
from autograph._src.staging.control.loop_memory import Found
from autograph._src.staging.control.raised import record_raise
from autograph._src.staging.control.rounds import Rounds
from autograph._src.staging.kinds.flagged import FLAG
from autograph._src.staging.lists.sharing import held_values
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.python_scalars import both, truth
from autograph._src.staging.tensors.tensor import Affine, Form, Tensor, emit, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.frames import user_frame
from autograph._src.staging.trace.recorder import Block, GraphType, Region, Value
from autograph._src.staging.trace.signals import (
    NOT_OF_THE_PROGRAM,
    Failed,
    Refused,
    TraceControl,
    UnknownResult,
)
from autograph._src.staging.trace.state import State
from autograph._src.staging.trace.statements import records
from autograph.errors import StagingError


@records(statements.stage_while)
def stage_while(
    first_test: object,
    test: Callable[[], Any],
    body: Callable[[], None],
    state: State,
) -> None:
    """Records the rest of ``while test(): body()``, whose test was just evaluated to ``first_test``.

    The graph carries the result of the test, so that the test runs exactly as often as in Python: once
    before each iteration.
    """
    trace = require_trace()
    limit = IterationLimit()
    entry = truth(first_test).read()

    def after() -> Value:
        return truth(test()).read()

    def record(carries: Carries, state: State) -> Trial:
        initial = [entry, *carries.initial()]
        check = _test_region([FLAG], carries)

        def run(params: list[Value]) -> Iteration:
            return _record_body(carries, params[1:], body, state, after, "a staged `while`", limit)

        def emit_loop(block: Block[Iteration]) -> list[Value]:
            region = block.complete(lambda iteration: [iteration.test, *iteration.results()])
            return trace.record_control("while_", initial, check, region)[1:]

        return trace.builder.block([FLAG, *carries.graph_types()], run), emit_loop

    _to_fixed_point(record, state, limit)
    settle()


def _test_region(first: list[GraphType], carries: Carries) -> Region:
    """The test region of a loop whose first carry says whether there is another iteration.

    Args:
        first: The types of what the loop carries before the variables, that flag included.
        carries: The variables.
    """
    types = [*first, *carries.graph_types()]
    return require_trace().builder.region(types, lambda params: params[:1])


INDEX: GraphType = ("int64", ())
"""The type of the number of an iteration."""

Trial = tuple[Block["Iteration"], Callable[[Block["Iteration"]], list[Value]]]
"""A recording of a loop body, and a function that records the loop with it."""

Record = Callable[[Carries, State], Trial]
"""Records a loop body with given carries."""


def _to_fixed_point(record: Record, state: State, limit: IterationLimit, trips: int | None = None) -> None:
    """Records a loop until its carries fit; an inner loop starts with what earlier recordings found."""
    trace = require_trace()
    with trace.loop_memory.within(trace.journal) as found:
        if found is None or not _fits_what_was_found(record, state, limit, trips, found):
            _record_until_it_fits(record, state, limit, trips, found)


def _fits_what_was_found(
    record: Record, state: State, limit: IterationLimit, trips: int | None, found: Found
) -> bool:
    """Tries to record a loop from what earlier recordings found; forgets that if it does not fit."""
    if not (found.places or found.types):
        return False
    trace, entry = require_trace(), state.get()
    mark, refusal = trace.mark(), trace.refusal
    try:
        with held_values(entry):
            _record_until_it_fits(record, state, limit, trips, found)
    except (StagingError, Refused):  # What was found may stem from another call of the function.
        trace.roll_back(mark)
        trace.refusal = refusal
        state.set(entry)
        found.places, found.types, found.several = {}, {}, set()
        return False
    return True


def _record_until_it_fits(
    record: Record, state: State, limit: IterationLimit, trips: int | None, found: Found | None
) -> None:
    trace = require_trace()
    carries = first_carries(state.names, state.get())
    rounds = Rounds()
    while True:
        if found is not None:
            carries, state = trace.loop_memory.begun(found, carries, state)
        mark = trace.mark()
        try:
            with held_values(carries.entry):
                block, emit_loop = record(carries, state)
            iteration = block.made
            places = iteration.new_places(state)
            wider = None if places else iteration.widened()
            if not places and wider is None:
                limit.check_shapes(carries)
                results = emit_loop(block)
                limit.finish(results)
                break
        except BaseException:
            trace.roll_back(mark)
            state.set(carries.entry)
            raise
        trace.roll_back(mark)
        state.set(carries.entry)
        known = carries
        if wider is None:
            state, carries = state.with_places(places), with_places(carries, places)
        else:
            carries = wider
        rounds.next(known, carries)
    if found is not None:
        trace.loop_memory.note(found, carries, state, trace.journal)
    state.set(tuple(carries.leave(results, iteration, trips)))


def _record_body(
    carries: Carries,
    params: list[Value],
    body: Callable[[], None],
    state: State,
    test: Callable[[], Value] | None,
    what: str,
    limit: IterationLimit,
) -> Iteration:
    """Records the body into the block that is open."""
    trace = require_trace()
    raises, fails, holds = False, False, _Test()
    with trace.callers.block(), trace.journal.block(what) as block:
        stand_ins = carries.enter(list(params))
        state.set(tuple(stand_ins))
        with scope_of(holds.beside(state), otherwise=holds.end) as scope:
            try:
                with held_values(tuple(stand_ins)):
                    limit.begin()
                    body()
                    limit.step()
                    if test is not None:
                        holds.value = wrap(test(), Form.PYTHON)
            except UnknownResult:
                raises = True
            except Failed:
                fails = True
            except NOT_OF_THE_PROGRAM:
                raise
            except BaseException as error:
                fails = record_raise(error)
                raises = not fails
            if raises or fails:
                holds.end()
            if scope is not None:
                raises, fails = scope.close(raises, fails)
                if test is None and scope.failures:
                    raise _MayFail
        values = state.get()
        writes = trace.journal.take(block, values)
    after = None if test is None else holds.value.read()
    return Iteration(carries, stand_ins, values, writes, after, raises, block.serial)


class _MayFail(TraceControl):
    """Stops the recording of a counted loop that an exception may leave: it has to ask before each item."""


class _Test:
    """Whether a loop goes on, as far as its body is recorded."""

    def __init__(self) -> None:
        self.value: Any = Undefined("the test")

    def end(self) -> None:
        """Ends the loop."""
        self.value = constant(False, "bool", Form.PYTHON)

    def beside(self, state: State) -> State:
        """The variables of the loop, and then this."""
        count = len(state.variables)

        def read() -> tuple[Any, ...]:
            return (*state.get_variables(), self.value)

        def write(values: tuple[Any, ...]) -> None:
            state.set_variables(values[:count])
            self.value = values[count]

        read.ag_cells = getattr(state.get_variables, "ag_cells", {})  # type: ignore[attr-defined]
        return State(read, write, (*state.variables, "the test"))


@records(statements.stage_for)
def stage_for(
    length: object,
    item: Callable[[Tensor], Any],
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    state: State,
) -> None:
    """See :func:`autograph._src.staging.trace.statements.stage_for`."""
    if extra_test is None and not _is_known_to_fail():
        try:
            _stage_counted(length, item, body, state)
        except _MayFail:
            _note_failing()
        else:
            settle()
            return
    _stage_tested(length, item, extra_test or (lambda: True), body, state)
    settle()


def _is_known_to_fail() -> bool:
    """Whether an exception may leave the running loop, as an earlier recording of it has found."""
    frame = user_frame()
    return frame is not None and (frame.f_code, frame.f_lasti) in require_trace().remembered


def _note_failing() -> None:
    frame = user_frame()
    if frame is not None:
        require_trace().remembered[frame.f_code, frame.f_lasti] = True


def _index(value: Value, length: object) -> Tensor:
    """The iteration number as a Python int; its range is known if the length is plain."""
    index = wrap(value, Form.PYTHON)
    if isinstance(length, int) and length > 0:
        index.affine = Affine(root=value, first=0, last=length - 1, factor=1, offset=0)
    return index


def _stage_counted(
    length: object,
    item: Callable[[Tensor], Any],
    body: Callable[[Any], None],
    state: State,
) -> None:
    trace = require_trace()
    limit = IterationLimit()

    def record(carries: Carries, state: State) -> Trial:
        initial = carries.initial()
        bounds = (lift(0).read(), lift(length).read(), lift(1).read())

        def run(params: list[Value]) -> Iteration:
            step = partial(_run_with_item, body, item, params[0], length)
            return _record_body(carries, params[1:], step, state, None, "a staged `for`", limit)

        def emit_loop(block: Block[Iteration]) -> list[Value]:
            region = block.complete(lambda iteration: iteration.results())
            return trace.record_control("for_", bounds, initial, region)

        return trace.builder.block([INDEX, *carries.graph_types()], run), emit_loop

    _to_fixed_point(record, state, limit, max(length, 0) if isinstance(length, int) else None)


def _run_with_item(
    body: Callable[[Any], None], item: Callable[[Tensor], Any], index: Value, length: object
) -> None:
    body(item(_index(index, length)))


def _stage_tested(
    length: object,
    item: Callable[[Tensor], Any],
    extra_test: Callable[[], Any],
    body: Callable[[Any], None],
    state: State,
) -> None:
    trace = require_trace()
    limit = IterationLimit()
    count = lift(length)

    def another(index: Value) -> Value:
        """``extra_test() and index < length``; evaluating both is safe, as neither affects the other."""
        holds = truth(extra_test())
        left = wrap(emit("binary", "less", index, count.read()), Form.PYTHON)
        return both(holds, left).read()

    def record(carries: Carries, state: State) -> Trial:
        zero = lift(0).read()
        initial = [another(zero), zero, *carries.initial()]
        check = _test_region([FLAG, INDEX], carries)
        following: list[Value] = []

        def run(params: list[Value]) -> Iteration:
            index = params[1]
            following[:] = [index]

            def after() -> Value:
                following[:] = [emit("binary", "add", index, lift(1).read())]
                return another(following[0])

            step = partial(_run_with_item, body, item, index, length)
            iteration = _record_body(carries, params[2:], step, state, after, "a staged `for`", limit)
            if trace.failing is not None:  # What the body has computed last may be of some runs only.
                following[:] = [emit("binary", "add", index, lift(1).read())]
            return iteration

        def emit_loop(block: Block[Iteration]) -> list[Value]:
            region = block.complete(lambda iteration: [iteration.test, *following, *iteration.results()])
            return trace.record_control("while_", initial, check, region)[2:]

        return trace.builder.block([FLAG, INDEX, *carries.graph_types()], run), emit_loop

    _to_fixed_point(record, state, limit)
