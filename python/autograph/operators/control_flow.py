"""``if``, ``while`` and ``for``: run now on plain values, recorded on staged ones.

This is the whole idea of AutoGraph (§5): what a statement means is decided when it runs, by the
type of the value it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.backends.protocol import GetState, SetState, active_backend, backend_of, run_for
from autograph.operators.loop_options import entered_loop


def if_stmt(
    test: Any,
    body: Callable[[], None],
    orelse: Callable[[], None] | None,
    get_state: GetState | None,
    set_state: SetState | None,
    names: tuple[str, ...],
    n_outputs: int,
) -> None:
    """``if test: body else: orelse``.

    Args:
        test: The condition.
        body: Runs the branch taken when it holds.
        orelse: Runs the other branch, if there is one.
        get_state: Reads the variables that the branches share with the rest of the function.
        set_state: Writes them.
        names: Their names; the first ``n_outputs`` are read after the statement.
        n_outputs: How many are.
    """
    # First, and without a call: this is what costs in a loop over plain values.
    if test is True:
        body()
        return
    if test is False:
        if orelse is not None:
            orelse()
        return
    backend = backend_of(test)
    if backend is not None:
        backend.if_stmt(test, body, orelse, get_state, set_state, names, n_outputs)
    elif test:
        body()
    elif orelse is not None:
        orelse()


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    get_state: GetState | None,
    set_state: SetState | None,
    names: tuple[str, ...],
) -> None:
    """``while test(): body()``; from the iteration on whose test is staged, it is recorded."""
    if active_backend() is None:
        while test():
            body()
        return
    with entered_loop():
        _while_in_trace(test, body, get_state, set_state, names)


def _while_in_trace(
    test: Callable[[], Any],
    body: Callable[[], None],
    get_state: GetState | None,
    set_state: SetState | None,
    names: tuple[str, ...],
) -> None:
    while True:
        holds = test()
        backend = backend_of(holds)
        if backend is not None:
            backend.while_stmt(holds, test, body, get_state, set_state, names)
            return
        if not holds:
            return
        body()


def for_stmt(
    iterable: Iterable[Any],
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    get_state: GetState | None,
    set_state: SetState | None,
    names: tuple[str, ...],
) -> None:
    """``for item in iterable: body(item)``, asking ``extra_test`` before each item if there is one."""
    backend = backend_of(iterable) or active_backend()
    if backend is not None:
        with entered_loop():
            backend.for_stmt(iterable, extra_test, body, get_state, set_state, names)
    else:
        run_for(iter(iterable), extra_test, body)
