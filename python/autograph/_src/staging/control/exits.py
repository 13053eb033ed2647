"""`try`s that begin in the middle of a block and end with it: what a program pushes to an `ExitStack`.

with ExitStack() as stack:
stack.callback(f)       begin(f): an `Attempt` and its scope are entered here, ...
y = a[i]                ... hold all that follows,
and are closed here, the last one first
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from autograph._src.backends.protocol import Begin
from autograph._src.staging.control.attempts import end_body, record_handlers
from autograph._src.staging.control.failures import Attempt, Failing
from autograph._src.staging.control.forks import Scope, scope_of
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.exception_parts import put
from autograph._src.staging.trace.raising import PYTHON_WITH
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM
from autograph._src.staging.trace.state import State

Leave = Callable[[BaseException | None], None]
End = Callable[[], None]
"""Raises what the body has raised, if it has."""


class _Fails:
    """What exits raise where nothing is raised in the body.

    CPython then calls the next exit outside of a handler: what that raises has no context.
    """

    def __init__(self) -> None:
        self._raised: list[BaseException] = []

    def watched(self, leave: Leave) -> Leave:
        """The function, with the contexts that CPython gives."""

        def watched(caught: BaseException | None) -> None:
            try:
                leave(caught)
            except NOT_OF_THE_PROGRAM:
                raise
            except BaseException as error:
                if error is not caught and (caught is None or self._has(caught)):
                    _without_context(error, caught)
                    self._raised.append(error)
                raise

        return watched

    def _has(self, caught: BaseException) -> bool:
        known = require_trace().remembered.get(("caught", id(caught)))
        first = caught if known is None or known[1].raised is None else known[1].raised
        return any(one is first for one in self._raised)


def _without_context(error: BaseException, handled: BaseException | None) -> None:
    one = error
    while handled is not None and one.__context__ is not None:
        if one.__context__ is handled:
            put(one, "__context__", None)
            return
        one = one.__context__


class _Recorded:
    """A `try` whose handler is part of the graph."""

    def __init__(self, leave: Leave, state: State) -> None:
        self._leave = leave
        self._state = state
        self._attempt = Attempt((None,))
        self._around = ExitStack()
        scope = self._around.enter_context(scope_of(state, is_block=False))
        assert scope is not None
        self.scope: Scope | None = scope
        self._attempt.scope = scope
        self._around.enter_context(require_trace().attempt(self._attempt))

    def close(self, end: End) -> None:
        """Ends its body, and records how it is left."""
        scope = self._attempt.scope

        def body() -> tuple[Scope, bool]:
            with self._around:
                is_certain = end_body(end, scope)
            return scope, is_certain

        record_handlers(
            body,
            self._attempt,
            lambda _, caught: self._leave(caught),
            lambda: self._leave(None),
            self._state,
        )


class _OfPython:
    """A `try` that Python runs, while the graph is recorded."""

    scope: Scope | None = None

    def __init__(self, leave: Leave, has_a_say: bool) -> None:
        self._leave = leave
        self._around = ExitStack()
        if has_a_say:
            self._around.enter_context(require_trace().attempt(PYTHON_WITH))

    def close(self, end: End) -> None:
        """Ends its body, and leaves it."""
        try:
            with self._around:
                end()
        except NOT_OF_THE_PROGRAM as error:
            try:
                self._leave(error)
            except BaseException:
                raise error from None
            raise
        except BaseException as error:
            self._leave(error)
        else:
            self._leave(None)


class _Exits:
    """What has been pushed in a body, and the block that it is pushed in."""

    def __init__(self, state: State) -> None:
        trace = require_trace()
        self.state = state
        self.opened: list[_Recorded | _OfPython] = []
        self._fails = _Fails()
        self._around = trace.scopes[-1] if trace.scopes else None
        self._can_leave = self._around is None or self._around.is_innermost()
        self._place = self._here()
        self._probes = trace.journal.probes

    def _here(self) -> tuple[int, int]:
        trace = require_trace()
        return id(trace.journal.blocks[-1]) if trace.journal.blocks else 0, trace.depth()

    def _is_in_its_block(self) -> bool:
        trace = require_trace()
        scopes = [one.scope for one in self.opened if one.scope is not None]
        expected = scopes[-1] if scopes else self._around
        if (trace.scopes[-1] if trace.scopes else None) is not expected:
            return False
        if expected is None or (expected is self._around and not self._can_leave):
            return self._here() == self._place
        return expected.is_innermost()

    def begin(self, leave: Leave, is_recorded: bool | None) -> None:
        """Begins a `try`; see :data:`autograph._src.backends.protocol.Begin`."""
        if self._probes != require_trace().journal.probes:
            require_trace().stop_probe()
        if self._probes != require_trace().journal.probes or not self._is_in_its_block():
            raise staging_error(
                "AG121",
                "something is pushed to an `ExitStack` inside of a statement that is staged",
                "push it before that statement, write a `with` in it, or have a loop unrolled:"
                " `for … in ag.unroll(…)`",
            )
        leave = self._fails.watched(leave)
        self.opened.append(
            _Recorded(leave, self.state) if is_recorded else _OfPython(leave, is_recorded is not None)
        )


def stage_exits(run: Callable[[Begin], None], state: State) -> None:
    """Records a body, with a `try` around all that follows for each thing that is pushed."""
    trace = require_trace()
    if trace.failing is None:
        trace.failing = Failing()
        trace.journal.created(trace.failing)
        try:
            stage_exits(run, state)
        finally:
            trace.failing = None
        return
    exits = _Exits(state)

    def end() -> None:
        run(exits.begin)

    while True:
        error: BaseException | None = None
        try:
            end()
        except BaseException as raised:
            error = raised
        if not exits.opened:
            break
        end = _closing(exits.opened.pop(), error)
    if error is not None:
        raise error


def _closing(one: _Recorded | _OfPython, error: BaseException | None) -> End:
    def raises() -> None:
        if error is not None:
            raise error

    return lambda: one.close(raises)
