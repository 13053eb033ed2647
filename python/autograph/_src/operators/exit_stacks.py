"""``with ExitStack()``: what is pushed leaves at the end, as a ``with`` around all that follows would.

    with ExitStack() as stack:            A
        A                                 with m as x:
        x = stack.enter_context(m)   →        B
        B                                     try:
        stack.callback(f, x)                      C
        C                                     finally:
                                                  f(x)

Only running the body shows what is pushed: a back-end begins a ``try`` at each push, and ends all of them at
the end of the body.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from types import FunctionType
from typing import Any

from autograph._src.backends.protocol import Backend, Begin, active_backend
from autograph._src.operators.calls import RUN_BY, converted_call
from autograph._src.operators.library_managers import OfLibrary
from autograph._src.operators.shared_variables import shared_variables
from autograph._src.operators.statements import Entered, entered, leave, raise_unless
from autograph._src.staging.trace.frames import here
from autograph.errors import StagingError


class _Pushed:
    """A stack whose ``with`` is run.

    Attributes:
        begin: Begins the ``try`` of what is pushed; ``None`` once the stack is being left.
    """

    def __init__(self, stack: ExitStack, begin: Begin) -> None:
        self.stack = stack
        self.begin: Begin | None = begin


class _Running(threading.local):
    def __init__(self) -> None:
        self.stacks: dict[int, _Pushed] = {}


_running = _Running()


def with_exit_stack(backend: Backend, stack: ExitStack, body: FunctionType, names: tuple[str, ...]) -> bool:
    """Runs a ``with`` of an ``ExitStack``; gives whether the back-end has taken it."""
    if stack.__dict__ != {"_exit_callbacks": deque()} or id(stack) in _running.stacks:
        return False

    def run(begin: Begin) -> None:
        _running.stacks[id(stack)] = pushed = _Pushed(stack, begin)
        try:
            body(stack)
        finally:
            pushed.begin = None

    try:
        return backend.with_exits(run, *shared_variables(body, names))
    finally:
        _running.stacks.pop(id(stack), None)


def _begin_of(stack: object) -> Begin | None:
    pushed = _running.stacks.get(id(stack))
    if pushed is None or pushed.stack is not stack:
        return None
    if pushed.begin is None:
        raise StagingError(
            "something is pushed to an `ExitStack` while it is left",
            code="AG120",
            location=here(),
            help="push it in the body of the `with`",
        )
    return pushed.begin


def _enter_context(stack: ExitStack, manager: Any, begin: Begin) -> object:
    kind = type(manager)
    if not hasattr(kind, "__enter__") or not hasattr(kind, "__exit__"):
        return ExitStack().enter_context(manager)  # CPython raises the error.
    around = entered(manager)
    if isinstance(around, Entered):
        item = around.enter()
        begin(lambda caught: leave(around, caught), around.leaves_again())
        return item
    item = kind.__enter__(manager)
    passes = not isinstance(around, OfLibrary) or around.attempt() is None

    def left(caught: BaseException | None) -> None:
        of = (None, None, None) if caught is None else (caught.__class__, caught, caught.__traceback__)
        if not kind.__exit__(manager, *of) and caught is not None:
            raise caught

    begin(left, None if passes else False)
    return item


def _push(stack: ExitStack, exit: Any, begin: Begin) -> object:
    backend = active_backend()
    assert backend is not None
    if hasattr(type(exit), "__exit__"):
        around = Entered(backend, exit)
        begin(lambda caught: leave(around, caught), around.leaves_again())
        return exit

    def left(caught: BaseException | None) -> None:
        if caught is None:
            converted_call(exit, None, None, None)
        else:
            raise_unless(converted_call(exit, caught.__class__, caught, caught.__traceback__), caught)

    begin(left, True)
    return exit


def _callback(begin: Begin, callback: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    def left(caught: BaseException | None) -> None:
        converted_call(callback, *args, **kwargs)
        if caught is not None:
            raise caught

    begin(left, True)
    return callback


def _run_by(function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    begin = _begin_of(args[0]) if args else None
    if begin is None:
        return NotImplemented
    if function is ExitStack.callback and len(args) > 1:
        return _callback(begin, args[1], args[2:], kwargs)
    if function in (ExitStack.enter_context, ExitStack.push) and len(args) == 2 and not kwargs:
        return (_push if function is ExitStack.push else _enter_context)(args[0], args[1], begin)
    if function in (ExitStack.pop_all, ExitStack.close):
        raise StagingError(
            f"`{function.__name__}` of an `ExitStack` in its `with` is not staged",
            code="AG120",
            location=here(),
            help="end the `with` where the managers are to be left",
        )
    return NotImplemented


_Function = Callable[[FunctionType, tuple[Any, ...], dict[str, Any]], object]
_METHODS: tuple[Any, ...] = (
    ExitStack.enter_context,
    ExitStack.push,
    ExitStack.callback,
    ExitStack.pop_all,
    ExitStack.close,
)
RUN_BY.update({one.__code__: _run_by for one in _METHODS})
