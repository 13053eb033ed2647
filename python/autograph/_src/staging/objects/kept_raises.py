"""`raise` of exceptions of the run: one of several, one that is being handled, and what their cause may be.

raise last                          # of each class in a branch of its own
raise RuntimeError("none") from last
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

from autograph._src.articles import with_article
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.unions import each
from autograph._src.staging.objects.kept_errors import class_of_error, copied_error, is_kept, is_same_error
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.exception_parts import ChosenCause, chain, chained
from autograph._src.staging.trace.statements import stage_choice


def raised(error: object) -> object:
    """What `raise error` raises, which is no choice; one that the program is handling is raised here."""
    if not isinstance(error, BaseException):
        return error
    handled = sys.exception()
    same: object = handled is not None and handled is not error and _may_be(error, handled)
    made = copied_error(error) if is_kept(error) else error
    if isinstance(same, Tensor):
        stage_choice(same.read(), lambda: _raise_again(error), lambda: False, "a `raise`")
    elif same:
        _raise_again(error)
    return made


def _raise_again(error: BaseException) -> NoReturn:
    """Raises an exception that is being handled: it does not become its own context."""
    made, around = copied_error(error) if is_kept(error) else error, chained(error, "__context__")
    try:
        raise made
    except BaseException as again:
        chain(again, "__context__", around)
        raise


def _may_be(error: BaseException, handled: BaseException) -> object:
    """Whether an exception is the one that is being handled."""
    trace = require_trace()
    if handled is trace.handled or not trace.journal.was_created(handled):
        return False
    if is_kept(error) or is_kept(handled):
        return is_same_error(error, handled)
    caught = trace.remembered.get(("caught", id(handled)))
    if caught is None or caught[0] is not handled or caught[1].raised is None:
        return False
    made = caught[1].raised
    return is_same_error(error, made) if is_kept(made) else made is error


def raise_each(error: object, again: Callable[[object], None]) -> bool:
    """Has each of several exceptions raised in a branch of its own; gives whether there are several.

    Args:
        error: The exception, or a choice of exceptions.
        again: Raises one of them.
    """
    if type(error) is not StagedChoice:
        return False
    ways = [error.ag_at(position) for position in range(error.ag_count())]
    errors = require_trace().objects.errors

    def raise_one(value: object) -> None:
        # What several branches raise at one place are several exceptions.
        errors.way = next(place for place, one in enumerate(ways) if one is value)
        try:
            again(value)
        finally:
            errors.way = None

    each(error, raise_one)
    return True


def cause(error: object) -> object:
    """What `raise … from error` takes."""
    if type(error) is not StagedChoice:
        return error
    ways = [error.ag_at(position) for position in range(error.ag_count())]
    if any(one is not None and not isinstance(one, BaseException) for one in ways):
        raise error.ag_refusal("the class", "give `from` an exception or None")
    return ChosenCause(error)


def traceback_of(error: object) -> object:
    """``error.__traceback__``: that of an exception that the program has made is known to the run only."""
    if type(error) is StagedChoice:
        return each(error, traceback_of)
    if isinstance(error, BaseException) and require_trace().journal.was_created(error):
        raise staging_error(
            "AG120",
            f"the traceback of {with_article(class_of_error(error).__name__)} of the run is needed",
            "raise the exception, and read its traceback where the staged function is called",
        )
    return error.__traceback__  # type: ignore[attr-defined]
