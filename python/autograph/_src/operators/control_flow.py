"""``if``, ``while`` and ``for``: run now on plain values, recorded on staged ones.

This is the whole idea of AutoGraph (§5): what a statement means is decided when it runs, by the
type of the value it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_of, reads, run_for
from autograph._src.operators.loop_options import entered_loop
from autograph._src.operators.shared_variables import shared_variables


def if_stmt(test: object, body: FunctionType, names: tuple[str, ...], n_outputs: int) -> None:
    """``if test: body()``.

    Args:
        test: The condition.
        body: Runs the branch.
        names: The variables that the branch shares with the rest of the function; the first
            ``n_outputs`` are read after the statement.
        n_outputs: How many are.
    """
    # First, and without a call: this is what costs in a loop over plain values.
    if test is True:
        body()
        return
    if test is False:
        return
    backend = backend_of(test)
    if backend is not None:
        backend.if_stmt(test, body, None, *shared_variables(body, names), n_outputs)
        return
    reads(test)
    if test:
        body()


def if_else_stmt(test: object, branches: FunctionType, names: tuple[str, ...], n_outputs: int) -> None:
    """``if test: … else: …``, both in one function, which takes whether the test holds.

    Args:
        test: The condition.
        branches: Runs the first branch if its argument is true, and else the second.
        names: The variables that the branches share with the rest of the function; the first
            ``n_outputs`` are read after the statement.
        n_outputs: How many are.
    """
    if test is True or test is False:
        branches(test)
        return
    backend = backend_of(test)
    if backend is None:
        reads(test)
        branches(test)
    else:
        body, orelse = partial(branches, True), partial(branches, False)
        backend.if_stmt(test, body, orelse, *shared_variables(branches, names), n_outputs)


def while_stmt(test: Callable[[], Any], body: FunctionType, names: tuple[str, ...]) -> None:
    """``while test(): body()``; from the iteration on whose test is staged, it is recorded."""
    if active_backend() is None:
        while test():
            body()
        return
    with entered_loop():
        _while_in_trace(test, body, names)


def _while_in_trace(test: Callable[[], Any], body: FunctionType, names: tuple[str, ...]) -> None:
    active = active_backend()
    while True:
        holds = test()
        backend = backend_of(holds)
        if backend is not None:
            backend.while_stmt(holds, test, body, *shared_variables(body, names))
            return
        reads(holds)
        if not holds:
            return
        if active is None:
            body()
        else:
            active.run_iteration(body, names)


def for_stmt(
    iterable: Iterable[Any],
    extra_test: Callable[[], Any] | None,
    body: FunctionType,
    names: tuple[str, ...],
) -> None:
    """``for item in iterable: body(item)``, asking ``extra_test`` before each item if there is one."""
    backend = backend_of(iterable) or active_backend()
    try:
        if backend is not None:
            with entered_loop():
                backend.for_stmt(iterable, extra_test, body, *shared_variables(body, names))
        else:
            run_for(iter(iterable), extra_test, body)
    except BaseException:
        del iterable  # see `run_for`
        raise
