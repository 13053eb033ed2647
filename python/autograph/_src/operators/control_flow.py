"""``if``, ``while`` and ``for``: run now on plain values, recorded on staged ones.

This is the central idea of AutoGraph (§5): the type of the value that a statement tests or iterates over
decides, when the statement runs, what the statement means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType
from typing import Any

from autograph._src.backends.protocol import active_backend, backend_of, reads, run_for
from autograph._src.operators.calls import iterated
from autograph._src.operators.generator_loops import begun, note_temporary
from autograph._src.operators.loop_options import entered_loop
from autograph._src.operators.shared_variables import shared_variables
from autograph._src.operators.special_calls import tested


def if_stmt(test: object, body: FunctionType, names: tuple[str, ...], n_outputs: int) -> None:
    """The operator for ``if test: body()``.

    Args:
        test: The condition.
        body: Runs the branch.
        names: The variables that the branch shares with the rest of the function.
        n_outputs: How many of them, from the first on, are read after the statement.
    """
    # Plain bools first and without a call: these tests dominate the cost of loops over plain values.
    if test is True:
        body()
        return
    if test is False:
        return
    test = tested(test)
    backend = backend_of(test)
    if backend is not None:
        backend.if_stmt(test, body, None, *shared_variables(body, names), n_outputs)
        return
    reads(test)
    if test:
        body()


def if_else_stmt(test: object, branches: FunctionType, names: tuple[str, ...], n_outputs: int) -> None:
    """The operator for ``if test: … else: …``; one function holds both branches.

    Args:
        test: The condition.
        branches: Runs the first branch if its argument is true, and else the second.
        names: The variables that the branches share with the rest of the function.
        n_outputs: How many of them, from the first on, are read after the statement.
    """
    if test is True or test is False:
        branches(test)
        return
    test = tested(test)
    backend = backend_of(test)
    if backend is None:
        reads(test)
        branches(test)
    else:
        body, orelse = partial(branches, True), partial(branches, False)
        backend.if_stmt(test, body, orelse, *shared_variables(branches, names), n_outputs)


def while_stmt(test: Callable[[], Any], body: FunctionType, names: tuple[str, ...]) -> None:
    """The operator for ``while test(): body()``: runs iterations until a test is staged, records the rest."""
    if active_backend() is None:
        while test():
            body()
        return
    with entered_loop():
        _while_in_trace(test, body, names)


_MOST_THAT_MAY_RAISE = 4
"""After so many iterations of a `while` that a handler around it may end, the rest is recorded as a loop:

    try:
        while True:             # nothing but the exception ends it
            x = step(x)
    except Diverged:
"""


def _while_in_trace(test: Callable[[], Any], body: FunctionType, names: tuple[str, ...]) -> None:
    active, that_may_raise = active_backend(), 0
    while True:
        holds = tested(test())
        backend = backend_of(holds)
        if backend is not None:
            backend.while_stmt(holds, lambda: tested(test()), body, *shared_variables(body, names))
            return
        reads(holds)
        if not holds:
            return
        if active is None:
            body()
            continue
        if that_may_raise >= _MOST_THAT_MAY_RAISE:
            active.while_stmt(True, lambda: tested(test()), body, *shared_variables(body, names))
            return
        before = active.places_that_raise()
        active.run_iteration(body, names)
        that_may_raise += active.places_that_raise() > before


def for_stmt(
    iterable: Iterable[Any],
    extra_test: Callable[[], Any] | None,
    body: FunctionType,
    names: tuple[str, ...],
) -> None:
    """The operator for ``for item in iterable: body(item)``.

    ``extra_test``, if there is one, tells before each item whether the loop goes on.
    """
    iterable = iterated(iterable)
    backend = backend_of(iterable) or active_backend()
    note_temporary(iterable)
    walk = begun(iterable, is_whole=extra_test is None)
    if walk is not None:
        walk.run(body, extra_test, shared_variables(body, names))
        return
    try:
        if backend is not None:
            with entered_loop():
                backend.for_stmt(iterable, extra_test, body, *shared_variables(body, names))
        else:
            run_for(iter(iterable), extra_test, body)
    except BaseException:
        del iterable  # see `run_for`
        raise
