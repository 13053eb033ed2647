"""What follows in a block after a place that may raise: a branch, which ends where the block does.

    with scope:              a block that an exception of the run may leave: of a branch, a loop, a `try`
        y = a[i]             fork(0 <= i < len(a)): a branch is opened here, ...
        z = f(y)             ... which holds this,
    scope.close()            and is closed here: `y` and `z` are joined with what they were where it began

Calls need nothing for that: a call that is under way in the block goes on in the branch, and where
it raises there is no call left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.control.failures import MOST_FAILURES, Attempt, Failure, failure_of, target_of
from autograph._src.staging.control.joined_branches import Branch, Ended, merge
from autograph._src.staging.kinds.known_values import as_known
from autograph._src.staging.lists.sharing import held_values
from autograph._src.staging.tensors.python_scalars import compare
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.graph_recorder import GraphRecorder
from autograph._src.staging.trace.known_tests import assume
from autograph._src.staging.trace.raising import CATCH, Raising, not_handled
from autograph._src.staging.trace.recorder import ReopenedBlock, Value
from autograph._src.staging.trace.signals import Failed
from autograph._src.staging.trace.state import State
from autograph._src.staging.trace.trace import Trace
from autograph.errors import StagingError

_WHAT = "what follows a statement that may raise"


class Fork:
    """What follows a place that may raise, while it is recorded.

    Attributes:
        test: Whether the run goes on there.
        failure: The exception that is raised else; ``None`` if the exception is in flight already.
        entry: The variables where it began.
        block: Its block in the journal.
    """

    def __init__(self, test: Value, failure: Failure | None, state: State) -> None:
        trace = require_trace()
        self.test = test
        self.failure = failure
        self.entry = state.get()
        self._held = held_values(self.entry)
        self._held.__enter__()
        self._journal: AbstractContextManager[Any] = trace.journal.block(_WHAT, is_rest=True)
        self.block = self._journal.__enter__()
        trace.builder.open()
        assume(test, True)

    def close(self, state: State, raises: bool, fails: bool) -> Branch:
        """Ends it; gives it as a branch."""
        trace = require_trace()
        found = state.get()
        known = tuple(map(as_known, found))
        writes = trace.journal.take(self.block, found)
        region = trace.builder.close([])
        self._journal.__exit__(None, None, None)
        self._held.__exit__(None, None, None)
        state.set(self.entry)
        ended = Ended(found, known, writes, raises, self.block.serial, fails=fails)
        return Branch(ReopenedBlock.closed(trace.builder, ended, region))

    def abandon(self) -> None:
        """Ends it where the recording is given up."""
        self._held.__exit__(None, None, None)
        journal = require_trace().journal
        if self.block in journal.blocks:
            journal.take(self.block)
            del journal.blocks[journal.blocks.index(self.block) :]


class Scope:
    """A block whose run an exception may leave.

    Attributes:
        forks: What is recorded in it after places that may raise, each in the one before.
        failures: The exceptions with which the run may leave it.
        regions: How many regions were open that no statement has opened.
    """

    def __init__(self, state: State, block: object, is_linked: bool, otherwise: Callable[[], None]) -> None:
        self.state = state
        self.forks: list[Fork] = []
        self.failures: dict[int, Failure] = {}
        self.is_linked = is_linked
        self._block = block
        self.regions = require_trace().depth()
        self._otherwise = otherwise

    def is_innermost(self) -> bool:
        """Whether the recording is in it, and in no block of another kind inside of it."""
        trace = require_trace()
        innermost = trace.journal.blocks[-1] if trace.journal.blocks else None
        return self.top() is innermost and trace.depth() == self.regions

    def top(self) -> object:
        """The innermost block of the journal that belongs to it."""
        return self.forks[-1].block if self.forks else self._block

    def fork(self, test: Value, failure: Failure | None) -> None:
        """Goes on recording for the runs in which the test holds."""
        if len(self.forks) >= MOST_FAILURES:
            name = "Exception" if failure is None else failure.raising.name
            raise not_handled(
                name,
                reason=f"it is place number {MOST_FAILURES} in its block that may raise",
                help="divide the block: each part in a `try` of its own",
            )
        self.forks.append(Fork(test, failure, self.state))
        self._write_held()

    def _write_held(self) -> None:
        """Tells the journal of variables of other functions that what follows may write.

        They are those of a body that a generator runs::

            with scaled(x) as z:    # the `try` of `scaled` is around `y = z[i]`
                y = z[i]
        """
        trace = require_trace()
        cells = getattr(self.state.get_variables, "ag_cells", {})
        own = {(id(cell), "") for cell in cells.values()}
        for places in trace.held_places:
            for place in places:
                is_global = place.name in self.state.variables and place.name not in cells
                if place.identity() not in own and not is_global:
                    trace.journal.will_write(place)

    def forget(self, count: int) -> None:
        """Gives up the forks after the first ones."""
        while len(self.forks) > count:
            self.forks.pop().abandon()

    def close(self, raises: bool, fails: bool) -> tuple[bool, bool]:
        """Joins what was recorded after each place with the runs that raise there.

        Args:
            raises: Whether the innermost fork always raises an exception that nothing handles.
            fails: Whether it always ends with an exception in flight.

        Returns:
            The same of the whole block.
        """
        whole = (False, raises or fails) if self.forks else (raises, fails)
        while self.forks:
            fork = self.forks.pop()
            then = fork.close(self.state, raises, fails)
            with held_values(then.values):
                otherwise = self._record_failure(fork)
            self._note_unbound(fork)
            names = tuple(self.state.variables)
            self.state.set(tuple(merge(fork.test, then, otherwise, names)))
            raises = False
        return whole

    def _record_failure(self, fork: Fork) -> Branch:
        """The branch of the runs that raise at a place."""

        def record(_: object) -> Ended:
            trace = require_trace()
            with trace.journal.block(_WHAT, is_rest=True) as block:
                self._otherwise()
                if fork.failure is not None:
                    assert trace.failing is not None
                    fork.failure.note(trace.failing)
                found = self.state.get()
                writes = trace.journal.take(block, found)
            self.state.set(fork.entry)
            return Ended(found, found, writes, False, block.serial, fails=True)

        return Branch(require_trace().builder.block([], record))

    def _note_unbound(self, fork: Fork) -> None:
        cells = getattr(self.state.get_variables, "ag_cells", {})
        found = [
            id(cells[name])
            for name, value in zip(self.state.variables, fork.entry, strict=True)
            if isinstance(value, Undefined) and name in cells
        ]
        failures = self.failures.values() if fork.failure is None else (fork.failure,)
        for failure in failures:
            failure.unbound.update(found)


@contextmanager
def scope_of(
    state: State, *, is_block: bool = True, otherwise: Callable[[], None] = lambda: None
) -> Iterator[Scope | None]:
    """The scope of the journal's innermost block; ``None`` if no `try` is around whose handlers are recorded.

    Args:
        state: The variables that the block may leave.
        is_block: Whether the block was opened for it.
        otherwise: What else a run does that leaves it with an exception.
    """
    trace = require_trace()
    if not trace.attempts and trace.failing is None:
        yield None
        return
    blocks = trace.journal.blocks
    around = [None, *blocks][-2 if is_block else -1]
    is_linked = not trace.scopes or (
        trace.scopes[-1].top() is around and trace.scopes[-1].regions == trace.depth()
    )
    scope = Scope(state, [None, *blocks][-1], is_linked, otherwise)
    trace.scopes.append(scope)
    try:
        yield scope
    except BaseException:
        scope.forget(0)
        raise
    finally:
        if scope in trace.scopes:
            del trace.scopes[trace.scopes.index(scope) :]
    if trace.scopes:
        left = [one for one in scope.failures.values() if one.attempt.scope is not scope]
        trace.scopes[-1].failures.update({one.number: one for one in left})


def catch(trace: Trace, raising: Raising) -> bool:
    """Records that the run goes on in the handler that takes an exception, if there is one."""
    target = target_of(trace.attempts, raising)
    if target is None:
        return False
    attempt, handler = target
    if not _can_leave(trace, attempt):
        raise _cannot_leave(trace, raising)
    failing, scope = trace.failing, trace.scopes[-1]
    assert failing is not None
    path = (tuple(len(one.forks) for one in trace.scopes), tuple(trace.handling))
    failure = failure_of(raising, attempt, handler, path)
    scope.failures[failure.number] = failure
    if raising.ok is None:
        failure.note(failing)
    else:
        scope.fork(raising.ok, failure)
    return True


CATCH.append(catch)


def _cannot_leave(trace: Trace, raising: Raising) -> StagingError:
    if not trace.recordings:
        return not_handled(raising.name)
    return not_handled(
        raising.name,
        reason=f"it is inside of `{trace.recordings[-1].function.__name__}`, a recursive function of the"
        " graph, which the `try` is around",
        help="handle it inside of that function, or write the recursion as a loop",
    )


def _can_leave(trace: Trace, attempt: Attempt) -> bool:
    """Whether all blocks from here to the body of a `try` can be left by an exception of the run."""
    scopes = trace.scopes
    if attempt.scope not in scopes or not isinstance(trace.builder, GraphRecorder):
        return False
    inside = scopes[scopes.index(attempt.scope) + 1 :]
    return scopes[-1].is_innermost() and all(one.is_linked for one in inside)


def settle(*, is_certain: bool = False) -> bool:
    """Goes on after a statement for the runs that no exception has left.

    Args:
        is_certain: Whether none goes on.

    Returns:
        Whether an exception was in flight in other runs: what follows is recorded without them.

    Raises:
        Failed: If no run goes on.
    """
    trace = require_trace()
    failing = trace.failing
    if failing is None:
        return False
    code = failing.code
    if not isinstance(code, Tensor):
        if code:
            raise Failed
        return False
    if not any(scope.failures for scope in trace.scopes):
        failing.write("code", 0)  # It was handled in a loop, which carries it.
        return False
    if is_certain:
        raise Failed
    trace.scopes[-1].fork(compare("equal", code, 0).read(), None)
    failing.write("code", 0)
    return True
