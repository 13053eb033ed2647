"""What a trace has to know of plain objects before converted code uses them: identity, steps, hidden state.

a is b              two arguments may be one object in another call
next(items)         an iterator from outside would be advanced once, while tracing
queue.get()         no guard sees the state of a queue
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from autograph._src.articles import with_article
from autograph._src.backends.protocol import backend_among
from autograph._src.operators.impure_functions import frozen_result
from autograph._src.own_attributes import has_own
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.iterator_places import GROUP, groups_of, iterators_of
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.trace import Trace


def is_same_object(trace: Trace, left: Any, right: object) -> object:
    """``left is right`` of two objects that are not staged.

    Raises:
        StagingError: If their identity depends on a staged statement or on the arguments (AG120).
    """
    if left is not right and isinstance(left, BaseException) and isinstance(right, BaseException):
        return trace.objects.errors.is_same(left, right)
    is_list_of_trace = isinstance(left, list) and isinstance(right, list) and has_own(left, "is_same")
    if is_list_of_trace or is_reference(left):
        return left.is_same(right)  # It may be another one.
    if left is not right and type(left) is type(right):
        trace.objects.joined.require_known_identity(left, right)
        if isinstance(left, tuple):
            _require_known_tuples(left, right)
        _require_known_objects(trace, left, right)
    return left is right


def _require_known_tuples(left: tuple[object, ...], right: Any) -> None:
    """Refuses tuples with staged values: a staged statement may have rebuilt one of them from the other."""
    backend = backend_among(left) or backend_among(right)
    if backend is not None and len(left) == len(right):
        raise backend.refuse("`is` of tuples with staged values, which may be one: use `==`")


def _require_known_objects(trace: Trace, left: object, right: object) -> None:
    """Refuses two objects of the arguments: the caller may pass the same object twice in another call."""
    if trace.search is not None:
        trace.search.compared(left, right)
    is_known = trace.callers_objects.writes  # Which arguments are one object is part of their structure.
    if id(left) in trace.given and id(right) in trace.given and not is_known:
        raise staging_error(
            "AG120",
            f"whether two arguments are one and the same {type(left).__name__} is not known while tracing",
            "use `==`",
        )


def refuse_step(trace: Trace, iterator: object, is_alone: bool = False) -> None:
    """Refuses to advance an iterator from outside of the trace, or from before the innermost staged block.

    So are those that it takes from, unless it `is_alone`, and one that a loop walked which data may have
    left.

    Raises:
        StagingError: AG123 or AG121.
    """
    if type(iterator) is GROUP:
        iterator = groups_of(iterator)  # C makes each group, whose steps are the steps of all groups.
    for one in [iterator] if is_alone else iterators_of(iterator):
        # What C makes for itself, as `itertools.cycle` does, is neither made by the program nor from outside.
        if one is iterator or trace.journal.was_created(one) or trace.surroundings.is_outside(one):
            _refuse_step_of(trace, one)
            trace.will_advance(one)


def _refuse_step_of(trace: Trace, iterator: object) -> None:
    if trace.journal.has_lost_place(iterator):
        raise staging_error(
            "AG121",
            "this iterator was walked by a loop that a test on data may have left: how far it has come is"
            " known in the run only",
            "loop over a list with an index, `while i < len(items)`, which tells where it is",
        )
    if not trace.journal.was_created(iterator):
        raise staging_error(
            "AG123",
            frozen_result(f"a step of {with_article(type(iterator).__name__)} from outside"),
            "make a list of its items outside the staged function, or make the iterator inside it",
        )
    if trace.journal.is_older_than_block(iterator):
        raise staging_error(
            "AG121",
            f"an iterator from before {trace.journal.blocks[-1].what} is advanced inside it,"
            " which would happen once, while tracing",
            "make the iterator inside the block, or keep a list and an index",
        )


def refuse_hidden_state(trace: Trace, value: object) -> None:
    """Refuses to call a method of an object from outside whose state no guard can compare.

    So it does inside a staged block, which could not undo what the method does, if the object is older.

    Raises:
        StagingError: AG123 or AG121.
    """
    if trace.journal.was_created(value):
        if trace.journal.is_older_than_block(value):
            raise staging_error(
                "AG121",
                f"a method of {with_article(type(value).__name__)} from before"
                f" {trace.journal.blocks[-1].what} is called inside it, which would happen once, while"
                " tracing",
                "call it before or after the block, or make the object inside it",
            )
        trace.will_advance(value)
    if trace.surroundings.is_outside(value):
        raise staging_error(
            "AG123",
            frozen_result(f"reading {with_article(type(value).__name__)} from outside"),
            "draw or read it outside the staged function and pass it as an argument",
        )


def remembered(trace: Trace, key: Hashable, call: Callable[[], object]) -> object:
    """The result of a function under ``lru_cache``, kept for the rest of the trace if it is a plain constant.

    Results inside of a staged block are not kept, because the block may not run.
    """
    if trace.journal.blocks:
        return call()
    if key not in trace.remembered:
        result = call()
        if type(result) not in (int, float, complex, bool, str, bytes, type(None)):
            return result
        trace.remembered[key] = result
    return trace.remembered[key]
