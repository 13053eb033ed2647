"""Loops over plain iterables, met while tracing: decides which are staged and which unrolled.

A loop over a long plain ``range`` whose body emits ops is staged with a symbolic index; unrolling is the
fallback. After a ``break`` under a staged test, each further item of an unrolled loop is a staged ``if``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.backends.protocol import backend_of, type_name
from autograph._src.directives import Directed
from autograph._src.operators.impurity import refuse_outside_iterator
from autograph._src.staging.control.branches import stage_if
from autograph._src.staging.control.iteration import sequence_of, staged_iterable, staged_range
from autograph._src.staging.control.left_iterators import LeftIterator
from autograph._src.staging.control.loops import stage_for
from autograph._src.staging.control.progress import Progress
from autograph._src.staging.control.sequence_items import item_of_sequence
from autograph._src.staging.kinds.union_values import type_of_all
from autograph._src.staging.lists.list_contents import staged_contents
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.lists.traced_list import staged_list
from autograph._src.staging.tensors.indexing import UnknownSizeError
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.signals import OpEmitted, Refused
from autograph._src.staging.trace.state import State
from autograph.errors import StagingError

UNROLL_BUDGET = 4
"""Ranges up to this long are unrolled; longer ones are staged if their body emits ops."""

GUARDED_BUDGET = 1000
"""How many items of a Python iterable may follow a staged ``break`` before the loop is refused."""

Body = Callable[[Any], None]
ExtraTest = Callable[[], Any] | None


def for_in_trace(
    iterable: Any,
    extra_test: ExtraTest,
    body: Body,
    state: State,
) -> None:
    """Runs or stages a ``for`` over a plain iterable."""
    if isinstance(iterable, Directed):
        _for_directed(iterable, extra_test, body, state)
        return
    if isinstance(iterable, Progress):
        _for_progress(iterable, extra_test, body, state)
        return
    if isinstance(iterable, np.ndarray):
        array = lift(iterable)
        stage_for(len(array), lambda position: array[position], extra_test, body, state)
        return
    if isinstance(iterable, range) and len(iterable) > UNROLL_BUDGET:
        _for_range(iterable, extra_test, body, state)
    else:
        refuse_outside_iterator(iterable)
        unroll(iter(iterable), extra_test, body, state)


def _for_directed(directed: Directed[Any], extra_test: ExtraTest, body: Body, state: State) -> None:
    """Runs a loop that the program marked with ``ag.staged`` or ``ag.unroll``."""
    items = directed.iterable
    if not directed.is_staged:
        unroll(iter(items), extra_test, body, state)
        return
    staged = sequence_of(items)
    if staged is None and isinstance(items, (list, tuple)):
        staged = _numbered(items)
    if staged is None:
        raise staging_error(
            "AG120",
            f"a loop over {with_article(type_name(items))} cannot be staged",
            "give `ag.staged` a range, an array, or a sequence of numbers",
        )
    stage_for(staged.length, staged.item, extra_test, body, state)
    staged.check()


def _numbered(items: list[Any] | tuple[Any, ...]) -> StagedIterable | None:
    """A plain list or tuple as a staged iterable that keeps the types of its elements."""
    if not items or type_of_all(items) is not None:
        return StagedIterable(len(items), lambda position: item_of_sequence(items, position), "list")
    return staged_iterable(staged_list(staged_contents(items, "the sequence")))


def _for_progress(progress: Progress, extra_test: ExtraTest, body: Body, state: State) -> None:
    """A loop over a progress bar of a plain iterable; the rules for that iterable apply."""
    items = progress.iterable

    def numbered(pair: tuple[Any, Any]) -> None:
        progress.tick(pair[0])
        body(pair[1])

    if not isinstance(items, range):
        refuse_outside_iterator(items)
        unroll(enumerate(iter(items)), extra_test, numbered, state)
    elif len(items) <= UNROLL_BUDGET:
        unroll(enumerate(items), extra_test, numbered, state)
    elif _emits(body, extra_test, items[0], state):
        positions, symbolic = range(len(items)), staged_range(items.start, items.stop, items.step)

        def at(position: Any) -> None:
            is_plain = isinstance(position, int)
            numbered((position, items[position] if is_plain else symbolic.item(position)))

        _stage_range(positions, extra_test, at, state)
    else:
        _after_plain_start(items, extra_test, body, state)
    if hasattr(items, "__len__"):
        progress.finish(len(items), True if extra_test is None else extra_test())


def unroll(
    items: Iterator[Any],
    extra_test: ExtraTest,
    body: Body,
    state: State,
) -> None:
    """Runs the loop in Python; once ``extra_test`` is staged, each further item is a staged ``if``."""
    if extra_test is None:
        for item in items:
            body(item)
        return
    guarded, left = 0, None
    while True:
        holds = extra_test()
        is_staged = backend_of(holds) is not None
        if not is_staged and not holds:
            return
        if is_staged and left is None:
            left = LeftIterator(items)
        try:
            item = next(items) if left is None else left.take()
        except StopIteration:
            return
        if not is_staged:
            body(item)
            continue
        guarded += 1
        if guarded > GUARDED_BUDGET:
            raise staging_error(
                "AG136",
                "a staged test leaves this loop, and its iterable does not end",
                "loop over a `range` or an array, or use `while`",
            )
        test = truth(holds).read()
        run = functools.partial(body, item)
        stage_if(test, run, None, state, len(state.names), "a staged `for`")


def _for_range(
    items: range,
    extra_test: ExtraTest,
    body: Body,
    state: State,
) -> None:
    """Runs iterations in Python as long as they emit no ops, and stages the rest.

    If the first iteration emits an op, it is undone and the whole range is staged. If a later iteration is
    the first to emit, it stays recorded on its own, and only the rest is staged.
    """
    if _emits(body, extra_test, items[0], state):
        _stage_range(items, extra_test, body, state)
    else:
        _after_plain_start(items, extra_test, body, state)


def _after_plain_start(items: range, extra_test: ExtraTest, body: Body, state: State) -> None:
    """Runs the rest of a loop whose first iteration has run and emitted no op."""
    rest = items[1 + _run_plain(items[1:], extra_test, body) :]
    if len(rest) <= UNROLL_BUDGET:
        unroll(iter(rest), extra_test, body, state)
    else:
        _stage_range(rest, extra_test, body, state)


def _emits(body: Body, extra_test: ExtraTest, item: object, state: State) -> bool:
    """Runs an iteration up to its first op; if there is one, undoes the iteration and gives True."""
    trace = require_trace()
    entry, mark, before = state.get(), trace.mark(), trace.journal.snapshots()
    with trace.journal.probing(), trace.stopping_at_ops() as probe:
        try:
            if extra_test is None or extra_test():
                body(item)
        except OpEmitted:
            pass
        if probe.has_stopped:
            trace.roll_back(mark)
            trace.journal.put_back(before)
            trace.journal.require_undone()
    if probe.has_stopped:
        state.set(entry)
    return probe.has_stopped


def _run_plain(items: range, extra_test: ExtraTest, body: Body) -> int:
    """Runs iterations until one emits an op or the test is staged; gives how many are done.

    If the test is false the loop is over, and all count as done.
    """
    trace = require_trace()
    trace.has_emitted = False
    for item in items:
        if extra_test is not None:
            holds = extra_test()
            if backend_of(holds) is not None:
                return items.index(item)
            if not holds:
                return len(items)
        body(item)
        if trace.has_emitted:
            return items.index(item) + 1
    return len(items)


def _stage_range(
    items: range,
    extra_test: ExtraTest,
    body: Body,
    state: State,
) -> None:
    """Stages a range with a symbolic index; unrolls it if that is refused."""
    trace = require_trace()
    entry = state.get()
    for taken, reason in ((items, None), (items[:-1], UnknownSizeError)):
        mark, refusal = trace.mark(), trace.refusal
        try:
            with trace.journal.probing():
                symbolic = staged_range(taken.start, taken.stop, taken.step)
                stage_for(symbolic.length, symbolic.item, extra_test, body, state)
        except (StagingError, Refused) as raised:
            error = raised.error if isinstance(raised, Refused) else raised
            trace.roll_back(mark)
            trace.refusal = refusal
            state.set(entry)
            trace.journal.require_undone()
            if isinstance(error, UnknownSizeError) and reason is None:
                continue
            trace.note(f"this loop is unrolled {len(items)} times: {getattr(error, 'message', error)}")
            break
        unroll(iter(items[len(taken) :]), extra_test, body, state)
        return
    unroll(iter(items), extra_test, body, state)
