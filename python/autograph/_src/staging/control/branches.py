"""Staged ``if``: both branches are recorded, and each written place becomes an output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph._src.operators.undefined import Undefined
from autograph._src.own_attributes import has_own
from autograph._src.staging.control.forks import scope_of, settle
from autograph._src.staging.control.joined_branches import Branch, Ended, merge
from autograph._src.staging.control.raised import record_raise
from autograph._src.staging.lists.sharing import held_values
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.tensor import Form
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM, Failed, UnknownResult
from autograph._src.staging.trace.state import NO_VARIABLES, State
from autograph._src.staging.trace.statements import records


def record_branch(
    run: Callable[[], None] | None,
    state: State,
    entry: tuple[Any, ...],
    what: str,
    outputs: State,
) -> Branch:
    """Records one branch, and then undoes its writes.

    Args:
        run: Runs the branch; ``None`` if there is nothing to run.
        state: The variables that it may change.
        entry: Their values before the branch, which they get back.
        what: The statement, for messages.
        outputs: What leaves it.
    """

    def record(_: object) -> Ended:
        trace = require_trace()
        raises, fails, unknown = False, False, None
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
            writes = trace.journal.take(block, found)
        state.set(entry)
        return Ended(found, writes, raises, block.serial, unknown, fails)

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
    entry, outputs = state.get(), state.first(n_outputs)
    with held_values(entry):
        then = record_branch(body, state, entry, what, outputs)
        with held_values(then.values):
            otherwise = record_branch(orelse, state, entry, what, outputs)
    merged = merge(test, then, otherwise, state.names[:n_outputs])
    state.set((*merged, *entry[n_outputs:]))
    settle(is_certain=then.end.leaves() and otherwise.end.leaves())


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
    entry = state.get()
    with held_values(entry):
        branches = [_record_value(thunk, what, state, entry) for thunk in (body, orelse)]
    value, *bound = merge(test, branches[0], branches[1], ("the result", *state.names))
    state.set(tuple(bound))
    settle(is_certain=all(branch.end.leaves() for branch in branches))
    return constant(False, "bool", Form.PYTHON) if isinstance(value, Undefined) else value


def _record_value(thunk: Callable[[], Any], what: str, state: State, entry: tuple[Any, ...]) -> Branch:
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
    return record_branch(run, state, entry, what, outputs)
