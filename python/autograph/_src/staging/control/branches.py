"""Staged ``if``: both branches are recorded, and each written place becomes an output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph._src.operators.undefined import Undefined
from autograph._src.own_attributes import has_own
from autograph._src.staging.control.forks import scope_of, settle
from autograph._src.staging.control.joined_branches import Branch, Ended, merge
from autograph._src.staging.control.raised import record_raise
from autograph._src.staging.kinds.known_values import as_known
from autograph._src.staging.lists.sharing import held_values
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.tensor import Form
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.known_tests import assume, known_truth
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM, Failed, UnknownResult
from autograph._src.staging.trace.state import NO_VARIABLES, State
from autograph._src.staging.trace.statements import records


def record_branch(
    test: Value,
    truth: bool,
    run: Callable[[], None] | None,
    state: State,
    entry: tuple[Any, ...],
    what: str,
    outputs: State,
) -> Branch:
    """Records one branch, and then undoes its writes.

    Args:
        test: The test of the statement.
        truth: What it is in this branch.
        run: Runs the branch; ``None`` if there is nothing to run.
        state: The variables that it may change.
        entry: Their values before the branch, which they get back.
        what: The statement, for messages.
        outputs: What leaves it.
    """

    def record(_: object) -> Ended:
        trace = require_trace()
        raises, fails, unknown = False, False, None
        assume(test, truth)
        with trace.callers.block(), trace.journal.block(what) as block:
            with scope_of(outputs) as scope:
                try:
                    if run is not None:
                        run()
                except UnknownResult as stop:
                    raises, unknown = True, stop
                except Failed:
                    fails = True
                except NOT_OF_THE_PROGRAM as error:
                    if not has_own(error, "is_of_run"):
                        raise
                    record_raise(error)
                    raises = True
                except BaseException as error:
                    fails = record_raise(error)
                    raises = not fails
                if scope is not None:
                    raises, fails = scope.close(raises, fails)
            found = outputs.get()
            known = tuple(map(as_known, found))
            writes = trace.journal.take(block, found)
        state.set(entry)
        return Ended(found, known, writes, raises, block.serial, unknown, fails)

    return Branch(require_trace().builder.block([], record))


def stage_if(
    test: int,
    body: Callable[[], None],
    orelse: Callable[[], None] | None,
    state: State,
    n_outputs: int,
    what: str = "a staged `if`",
) -> None:
    """Records ``if test: body else: orelse`` and assigns the joined state."""
    known = known_truth(test)
    if known is not None:
        runs = body if known else orelse
        if runs is not None:
            runs()
        return
    entry, outputs = state.get(), state.first(n_outputs)
    with held_values(entry):
        then = record_branch(test, True, body, state, entry, what, outputs)
        with held_values(then.values):
            otherwise = record_branch(test, False, orelse, state, entry, what, outputs)
    merged = merge(test, then, otherwise, state.names[:n_outputs])
    state.set((*merged, *entry[n_outputs:]))
    _settle(test, then.end, otherwise.end)


def _settle(test: Value, then: Ended, otherwise: Ended) -> None:
    """Goes on after a statement: where a branch ended with an exception, its test was false."""
    goes_on = settle(is_certain=then.leaves() and otherwise.leaves())
    for end, truth in ((then, False), (otherwise, True)):
        if end.unknown is None and (end.raises or (end.fails and goes_on)):
            assume(test, truth)


@records(statements.stage_choice)
def stage_choice(
    test: int,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    what: str,
    form: Form | None = None,
    state: State = NO_VARIABLES,
) -> Any:
    """Records an expression with two branches: ``a if c else b``, ``a and b``.

    The branches may bind the variables of a state: ``a and (x := b)``.
    """
    known = known_truth(test)
    if known is not None:
        return body() if known else orelse()
    entry = state.get()
    with held_values(entry):
        branches = [
            _record_value(test, truth, thunk, what, state, entry)
            for truth, thunk in ((True, body), (False, orelse))
        ]
    value, *bound = merge(test, branches[0], branches[1], ("the result", *state.names))
    state.set(tuple(bound))
    _settle(test, branches[0].end, branches[1].end)
    return constant(False, "bool", Form.PYTHON) if isinstance(value, Undefined) else value


def _record_value(
    test: Value, truth: bool, thunk: Callable[[], Any], what: str, state: State, entry: tuple[Any, ...]
) -> Branch:
    """Records one branch of an expression; its outputs are the value, then the state."""
    result: list[Any] = []

    def run() -> None:
        result[:] = ()  # It may run again.
        result.append(thunk())

    def read() -> tuple[Any, ...]:
        return (result[0] if result else Undefined("value"), *state.get())

    def write(values: tuple[Any, ...]) -> None:
        result[:] = [] if isinstance(values[0], Undefined) else values[:1]
        state.set(values[1:])

    outputs = State(read, write, ("the result", *state.names))
    return record_branch(test, truth, run, state, entry, what, outputs)
