"""Staged loops inside builtins and list methods: ``sum(xs)``, ``xs.extend(ys)``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph._src.staging.control.branches import stage_if
from autograph._src.staging.control.iteration import staged_iterable
from autograph._src.staging.control.loops import stage_for
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import is_foreign
from autograph._src.staging.trace.state import NO_VARIABLES, State
from autograph._src.staging.trace.statements import records


def walk(
    items: StagedIterable,
    body: Callable[[Any], None],
    state: State,
    extra_test: Callable[[], Any] | None = None,
) -> None:
    """Stages ``for item in items: body(item)``; items that a filter drops are skipped."""
    items.use()

    def run(item: object, done: int = 0) -> None:
        for number, step in enumerate(items.steps[done:], start=done + 1):
            if step.is_filter:
                keeps, rest = step.function(item), functools.partial(run, item, number)
                if isinstance(keeps, Tensor) or is_foreign(keeps):
                    stage_if(truth(keeps).read(), rest, None, state, len(state.variables))
                elif keeps:
                    rest()
                return
            item = step.function(item)
        body(item)

    stage_for(items.length, items.source, extra_test, run, state)
    items.check()
    if items.endings:
        items.end(True if extra_test is None else extra_test())


@records(statements.stage_each)
def stage_each(values: object, body: Callable[[Any], None], *, only_unknown: bool = False) -> bool:
    """See :func:`autograph._src.staging.trace.statements.stage_each`."""
    items = staged_iterable(values)
    if items is None or (only_unknown and not (isinstance(items.length, Tensor) or items.is_filtered())):
        return False
    walk(items, body, NO_VARIABLES)
    return True
