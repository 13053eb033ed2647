"""``try`` and ``with``: a back-end may record their handlers; otherwise they are Python's."""

from __future__ import annotations

from contextlib import ExitStack
from types import FunctionType
from typing import Any

from autograph._src.backends.plain_try import Kinds, run_try
from autograph._src.backends.protocol import active_backend
from autograph._src.operators.exit_stacks import with_exit_stack
from autograph._src.operators.generator_managers import decorated_by, walk_of
from autograph._src.operators.shared_variables import shared_variables
from autograph._src.operators.statements import Entered, entered, leave


def try_stmt(
    clauses: FunctionType, kinds: Kinds, has_else: bool, has_finally: bool, names: tuple[str, ...]
) -> None:
    """The operator for ``try``.

    Args:
        clauses: Runs one of its blocks, by its number: the body, the handlers, ``else``, ``finally``. A
            handler gets the exception.
        kinds: The classes of each handler; ``None`` if it takes everything.
        has_else: Whether there is an ``else``.
        has_finally: Whether there is a ``finally``.
        names: The variables that the blocks share with the rest of the function.
    """
    backend = active_backend()
    if backend is None:
        run_try(clauses, kinds, has_else, has_finally)
    else:
        backend.try_stmt(clauses, kinds, has_else, has_finally, *shared_variables(clauses, names))


def with_stmt(manager: Any, body: FunctionType, names: tuple[str, ...]) -> None:
    """The operator for ``with manager as item: body(item)``.

    Args:
        manager: The context manager.
        body: Runs the body.
        names: The variables that it shares with the rest of the function.
    """
    backend = active_backend()
    walk = walk_of(manager)
    if walk is not None:
        walk.enter(body, shared_variables(body, names))
        return
    if type(manager) is ExitStack and backend is not None and with_exit_stack(backend, manager, body, names):
        return
    around = entered(manager)
    if backend is None or not isinstance(around, Entered) or not around.leaves_again():
        with around as item:  # type: ignore[attr-defined]
            body(item)
        return
    item = around.enter()

    def clauses(clause: int, caught: BaseException | None) -> None:
        if clause == 0:
            body(item)
        else:
            leave(around, caught)

    backend.try_stmt(clauses, (None,), True, False, *shared_variables(body, names))


decorated_by(with_stmt)
