"""`try`: its body is recorded, and its handlers as branches on the exception that is in flight then.

    try:                        the body, with what follows each place that may raise in a branch (`forks.py`)
        y = a[i] / b
    except IndexError:          if failing.code == 1: ...
        y = 0.0
    except ZeroDivisionError:   elif failing.code == 2: ...
        y = np.inf

An exception that is raised while recording, and not in one of those branches, is handled by Python.
"""

from __future__ import annotations

from collections.abc import Callable

from autograph._src.backends.plain_try import Kinds
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.control.branches import stage_if
from autograph._src.staging.control.failures import Attempt, Failing, Failure, matching
from autograph._src.staging.control.forks import Scope, scope_of, settle
from autograph._src.staging.control.raised import note_raised, record_raise
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.tensors.python_scalars import compare
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.raising import not_handled
from autograph._src.staging.trace.signals import NOT_OF_THE_PROGRAM, Failed, UnknownResult
from autograph._src.staging.trace.state import State

Clauses = Callable[[int, BaseException | None], None]
"""Runs a block of a `try`: 0 is its body, the next ones are the handlers, then `else`, then `finally`."""


def stage_try(clauses: Clauses, kinds: Kinds, has_else: bool, has_finally: bool, state: State) -> None:
    """Records a `try`."""
    last = len(kinds) + 1

    def orelse() -> None:
        if has_else:
            clauses(last, None)

    trace = require_trace()
    _forget_dead(state)
    if trace.failing is None:
        trace.failing = Failing()
        trace.journal.created(trace.failing)
        try:
            stage_try(clauses, kinds, has_else, has_finally, state)
        finally:
            trace.failing = None
        return
    if not has_finally:
        _stage_handlers(clauses, kinds, orelse, state)
        return

    def around(clause: int, caught: BaseException | None) -> None:
        if clause == 0:
            _stage_handlers(clauses, kinds, orelse, state)
            return
        clauses(last + 1, None)
        if caught is not None:
            raise caught

    # `finally: A` is `except: A; raise` and `else: A`.
    _stage_handlers(around, (None,), lambda: around(1, None), state)


def _forget_dead(state: State) -> None:
    """Has variables be unbound that show what a closed block made.

        if t:
            y = x * 2       # `y` is not read after the branch
        try:
            y = f(x)        # what it was before is no value of this block

    Nothing reads them before they are bound again: a branch or a loop gives back what is read after it.
    """
    journal = require_trace().journal
    values = [
        Undefined(name)
        if any(isinstance(leaf, Tensor) and journal.is_of_closed_block(leaf) for leaf in leaves_of(value))
        else value
        for name, value in zip(state.variables, state.get(), strict=True)
    ]
    state.set(tuple(values))


def _stage_handlers(clauses: Clauses, kinds: Kinds, orelse: Callable[[], None], state: State) -> None:
    if not kinds:
        clauses(0, None)
        orelse()
        return
    attempt = Attempt(kinds)
    record_handlers(
        lambda: _record_body(lambda: clauses(0, None), attempt, state), attempt, clauses, orelse, state
    )


def record_handlers(
    body: Callable[[], tuple[Scope, bool]],
    attempt: Attempt,
    clauses: Clauses,
    orelse: Callable[[], None],
    state: State,
) -> None:
    """Records the body of a `try`, then its handlers and its `else`.

    Args:
        body: Records the body; gives what may leave it, and whether something always does.
        attempt: The `try`.
        clauses: Runs a handler.
        orelse: Runs what follows where nothing is raised.
        state: The variables that the blocks share with the rest of the function.
    """
    try:
        scope, is_certain = body()
    except NOT_OF_THE_PROGRAM:
        raise
    except BaseException as error:
        handler = matching(attempt.kinds, error.__class__)
        if handler is None:
            raise
        note_raised(error)
        clauses(handler + 1, error)
        return
    found = [one for one in scope.failures.values() if one.attempt is attempt]
    if not found:
        if scope.failures:
            settle(is_certain=is_certain)
        orelse()
        return
    _Handlers(clauses, orelse, state, scope, is_certain).record(found)


def _record_body(run: Callable[[], None], attempt: Attempt, state: State) -> tuple[Scope, bool]:
    """Records the body; gives what may leave it, and whether something always does.

    Raises:
        BaseException: An exception of the program that is raised while recording, and in all runs.
    """
    with scope_of(state, is_block=False) as scope:
        assert scope is not None
        attempt.scope = scope
        with require_trace().attempt(attempt):
            is_certain = end_body(run, scope)
    return scope, is_certain


def end_body(run: Callable[[], None], scope: Scope) -> bool:
    """Records the body of a `try`, or what ends it; gives whether something always leaves it."""
    raises, fails = False, False
    try:
        run()
    except Failed:
        fails = True
    except UnknownResult:
        if scope.forks:
            raise not_handled("RecursionError") from None
        raise
    except NOT_OF_THE_PROGRAM:
        raise
    except BaseException as error:
        if not scope.forks:
            raise
        fails = record_raise(error)
        raises = not fails
    raises, fails = scope.close(raises, fails)
    return raises or fails


class _Handlers:
    """The handlers of a `try` that exceptions of the run may reach."""

    def __init__(
        self, clauses: Clauses, orelse: Callable[[], None], state: State, scope: Scope, is_certain: bool
    ) -> None:
        self._clauses = clauses
        self._orelse = orelse
        self._state = state
        self._is_certain = is_certain
        self._others = [one for one in scope.failures.values() if one.attempt.scope is not scope]

    def record(self, found: list[Failure]) -> None:
        """Records them, and the `else`, as a chain of branches."""
        handling = require_trace().handling
        before = len(handling)
        try:
            self._record(found)
        finally:
            del handling[before:]

    def _record(self, found: list[Failure]) -> None:
        failing = require_trace().failing
        assert failing is not None
        if not isinstance(failing.code, Tensor):
            (only,) = (one for one in found if one.number == failing.code)
            self._handle(only)
            return
        self._chain(failing.code, found)
        settle()

    def _chain(self, code: Tensor, found: list[Failure]) -> None:
        if not found:
            self._rest(code)
            return
        first, *rest = found
        if not rest and self._is_certain and not self._others:
            self._handle(first)
            return
        test = compare("equal", code, first.number).read()
        # What both branches raise at one place, such as in one `__exit__`, are two exceptions.
        handling = require_trace().handling
        depth = len(handling)

        def handler() -> None:
            handling[depth:] = [first.number]
            self._handle(first)

        def others() -> None:
            handling[depth:] = [-first.number]
            self._chain(code, rest)

        self._if(test, handler, others)

    def _rest(self, code: Tensor) -> None:
        """What runs if none of them takes an exception."""
        failing = require_trace().failing
        assert failing is not None
        if self._others:
            test = compare("equal", code, 0).read()
            self._if(test, self._orelse, None)
        else:
            failing.write("code", 0)
            self._orelse()

    def _if(self, test: int, body: Callable[[], None], orelse: Callable[[], None] | None) -> None:
        stage_if(test, body, orelse, self._state, len(self._state.variables), "the handlers of a `try`")

    def _handle(self, failure: Failure) -> None:
        failing = require_trace().failing
        assert failing is not None
        failing.write("code", 0)
        cells = getattr(self._state.get_variables, "ag_cells", {})
        values = [
            Undefined(name) if name in cells and id(cells[name]) in failure.unbound else value
            for name, value in zip(self._state.variables, self._state.get(), strict=True)
        ]
        self._state.set(tuple(values))
        try:
            raise failure.caught(failing)
        except NOT_OF_THE_PROGRAM:
            raise
        except BaseException as error:
            error.__traceback__ = None  # That of this function. A run makes the one that the program sees.
            self._clauses(failure.handler + 1, error)
