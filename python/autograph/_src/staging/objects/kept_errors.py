"""Exceptions that a staged statement binds to a variable: which object is which, and what a program may ask.

    last = None
    for k in range(n):                  # staged
        try:
            return attempt(x, k)
        except ValueError as e:
            last = e                    # after the loop: an exception of the run, or `None`
    raise last

An exception is a value of the graph by its parts, see :mod:`autograph._src.staging.objects.exception_of`.
Each that the program makes has a number, which is that of a row in a table without columns: one object is one
number, so that `e is last` is known to the run. There is no such table unless a recording has asked for it.

What stands for an exception of the run is an exception whose class derives from the program's, so Python
raises it and `isinstance` takes it for what it is. Nobody may write to it, nor to one that is kept: each
place has the values, not the object.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from autograph._src.articles import with_article
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.unions import each
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.python_scalars import compare, negate
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.exception_parts import chain, chained, parts_of, remade
from autograph._src.staging.trace.frames import here, is_internal_file
from autograph._src.staging.trace.object_sites import Site
from autograph._src.staging.trace.raising import not_handled
from autograph.errors import Location, StagingError

if TYPE_CHECKING:
    from autograph._src.staging.objects.object_tables import ObjectTable


Parts = tuple[tuple[Any, ...], dict[str, Any]]
"""The arguments and the attributes of an exception."""


class KeptErrors:
    """The exceptions of a trace that have numbers, and those that variables keep.

    Attributes:
        way: Which of several exceptions is about to be raised.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[BaseException, Tensor]] = {}
        self._kept: dict[int, tuple[BaseException, list[Any]]] = {}
        self._chains: dict[int, tuple[BaseException, list[Any], int | None]] = {}
        self._parts: dict[int, tuple[BaseException, Parts]] = {}
        self.way: int | None = None

    def note_made(self, error: BaseException, table: ObjectTable | None) -> None:
        """Gives a number to an exception that the program has just made, if there is a table."""
        if table is not None and id(error) not in self._numbers:
            self.note(error, table.added([constant(True, "bool").read()], []))

    def note(self, error: BaseException, number: Tensor) -> None:
        """Notes the number of an exception."""
        self._numbers[id(error)] = (error, number)

    def number_of(self, error: BaseException) -> Tensor | None:
        """The number of an exception; ``None`` for one from outside of the trace."""
        found = self._numbers.get(id(error))
        return None if found is None else found[1]

    def is_same(self, left: BaseException, right: BaseException) -> object:
        """``left is right``."""
        is_of_run = is_kept(left) or is_kept(right)
        return is_same_error(left, right) if is_of_run or self.number_of(left) is not None else left is right

    def note_parts(self, error: BaseException, parts: Parts) -> None:
        """Notes what an exception stands for, whose class may make attributes of its arguments: `errno`."""
        self._parts[id(error)] = (error, parts)

    def parts_of(self, error: BaseException) -> Parts:
        """The arguments and the attributes of an exception."""
        found = self._parts.get(id(error))
        return parts_of(error) if found is None else found[1]

    def note_copy(self, error: BaseException) -> None:
        """Notes what stands for an exception a second time, and is about to be raised."""
        self._chains[id(error)] = (error, _chain_of(error), self.way)

    def way_of(self, error: BaseException | None) -> int | None:
        """Which of several exceptions it is that one `raise` raises."""
        found = self._chains.get(id(error))
        return None if found is None else found[2]

    def require_chain(self, error: BaseException, name: str) -> None:
        """Refuses to handle one that is kept, and that `raise` has given another cause or context.

        Args:
            error: The exception.
            name: Its class, for the message.
        """
        found = self._chains.get(id(error))
        pairs = () if found is None else zip(found[1], _chain_of(error), strict=True)
        if any(one is not other for one, other in pairs):
            raise not_handled(
                name,
                reason="`raise` gives another cause or context to an exception that variables keep",
                help="raise a new one, of which it is the cause: `raise RuntimeError(…) from last`",
            )

    def keep(self, error: BaseException) -> None:
        """Notes an exception whose values something keeps: a write to it would not be seen there."""
        if not is_kept(error):
            self._kept.setdefault(id(error), (error, _held(error)))

    def will_write(self, owner: object) -> None:
        """Refuses a write to an exception that is kept (AG113)."""
        found = self._kept.get(id(owner))
        if found is not None:
            refuse_change(found[0])

    def require_unchanged(self, where: Location | None) -> None:
        """Refuses writes that nobody told of, such as those of `add_note` (AG113)."""
        for error, held in self._kept.values():
            now = _held(error)
            if len(now) != len(held) or any(one is not other for one, other in zip(now, held, strict=True)):
                refuse_change(error, where)


def _chain_of(error: BaseException) -> list[Any]:
    around = [chained(error, name) for name in ("__cause__", "__context__")]
    return [*around, error.__suppress_context__]


def _held(error: BaseException) -> list[Any]:
    args, state = parts_of(error)
    return [*args, *state, *state.values()]


SITE: Site = ((KeptErrors.note_made.__code__, 0),)
"""The site of all exceptions: they share a table, whose rows are only counted."""


def refuse_change(error: BaseException, where: Location | None = None) -> NoReturn:
    """Refuses a write to an exception that a variable of a staged statement keeps (AG113)."""
    raise StagingError(
        f"{with_article(error.__class__.__name__)} is changed that a variable of a staged statement keeps, or"
        " that is one of several",
        code="AG113",
        location=here() or where,
        help="give it all that it holds where it is made: `raise MyError(step)`",
    )


def is_kept(error: object) -> bool:
    """Whether an exception stands for one of the run."""
    return hasattr(type(error), "ag_is_kept")


def class_of_error(error: BaseException) -> type[BaseException]:
    """The class of an exception as the program sees it."""
    found: type[BaseException] = error.__class__
    return found


def kept_error(
    kind: type[BaseException], number: Tensor, contents: tuple[Any, ...], names: tuple[str, ...]
) -> BaseException:
    """What stands for an exception of the run.

    Args:
        kind: Its class.
        number: Its number.
        contents: Its arguments, its attributes, its cause and its context.
        names: The names of the attributes.
    """
    args, state, cause, context = contents
    made = remade(kept_class(kind), args, dict(zip(names, state, strict=True)))  # type: ignore[arg-type]
    chain(made, "__cause__", cause)
    chain(made, "__context__", context)
    trace = require_trace()
    trace.objects.errors.note(made, number)
    trace.objects.errors.note_parts(made, (args, dict(zip(names, state, strict=True))))
    trace.journal.created(made)
    return made


def copied_error(error: BaseException) -> BaseException:
    """What stands for the same exception: `raise` changes the context of the object that it raises."""
    errors = require_trace().objects.errors
    number, (args, state) = errors.number_of(error), errors.parts_of(error)
    assert number is not None
    contents = (args, tuple(state.values()), chained(error, "__cause__"), chained(error, "__context__"))
    made = kept_error(class_of_error(error), number, contents, tuple(state))
    object.__setattr__(made, "__suppress_context__", error.__suppress_context__)
    errors.note_copy(made)
    return made


@functools.cache
def kept_class(kind: type[BaseException]) -> type[BaseException]:
    """The class of what stands for exceptions of a class."""
    members: dict[str, Any] = {
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__class__": property(lambda self: kind),
        "__setattr__": _refuse_write,
        "__delattr__": _refuse_write,
        "__cause__": property(lambda self: chained(self, "__cause__"), _set_cause),
        "__context__": property(lambda self: chained(self, "__context__"), _set_context),
        "ag_is_kept": True,
    }
    if kind.__eq__ is object.__eq__:
        members |= {"__eq__": is_same_error, "__ne__": _is_another, "__hash__": _refuse_hash}
    meta: type = type(kind)
    made: type[BaseException] = meta(kind.__name__, (kind,), members)
    return made


def _set_cause(self: BaseException, value: object) -> None:
    chain(self, "__cause__", value)


def _set_context(self: BaseException, value: object) -> None:
    chain(self, "__context__", value)


def _refuse_write(self: BaseException, name: str, *_: object) -> None:
    if not is_internal_file(sys._getframe(1).f_code.co_filename):
        refuse_change(self)
    object.__setattr__(self, name, *_)


def _refuse_hash(self: BaseException) -> NoReturn:
    raise staging_error(
        "AG101",
        f"the `hash` of {with_article(self.__class__.__name__)} of the run is needed while tracing",
        "keep the exceptions in a list, and compare them with `is`",
    )


def is_same_error(one: BaseException, other: object) -> object:
    """``one is other``: whether their numbers are equal."""
    if type(other) is StagedChoice:
        return each(other, lambda value: is_same_error(one, value))
    if one is other:
        return True
    if not isinstance(other, BaseException) or class_of_error(one) is not class_of_error(other):
        return False
    errors = require_trace().objects.errors
    left, right = errors.number_of(one), errors.number_of(other)
    if left is None or right is None:
        return False
    return compare("equal", left, right)


def _is_another(one: BaseException, other: object) -> object:
    same = is_same_error(one, other)
    return negate(same) if isinstance(same, Tensor) else not same
