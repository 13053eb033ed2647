"""The identity of lists: their names, and which other list each may be an alias of.

    if flag:                   # staged
        xs = ys                # afterwards `xs` may be an alias of `ys`
    xs.append(1)               # refused: whether `ys` changes too depends on the run

Invariant: a list that may be an alias is never changed, and never read after the other list was changed.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from types import FunctionType
from typing import Any

from autograph._src.operators.places import Contents
from autograph._src.policy import is_user_code
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.tensors.argument_words import call_in_place_of
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.memory import Memory, Role, Shared
from autograph._src.staging.tensors.python_scalars import both, compare, either
from autograph._src.staging.tensors.tensor import Form
from autograph._src.staging.trace.active import current_trace, staging_error
from autograph._src.staging.trace.frames import user_frame
from autograph._src.staging.trace.object_sites import Site
from autograph._src.staging.trace.restarts import learn_objects


@dataclass(frozen=True)
class Choice:
    """Says that a list is one of several: ``TABLE[i]`` with a staged ``i``.

    Attributes:
        lists: The lists.
        place: The staged index of the one.
    """

    lists: tuple[Any, ...]
    place: Any

    def is_one(self, other: Any) -> Any:
        """``self is other`` as a staged bool; ``other`` may be one of several lists too."""
        if isinstance(other, SharedList) and other.choice is not None:
            found = [
                both(self.is_one(one), compare("equal", other.choice.place, at))
                for at, one in enumerate(other.choice.lists)
            ]
        else:
            places = [at for at, one in enumerate(self.lists) if one is other]
            found = [compare("equal", self.place, at) for at in places]
        return reduce(either, found, constant(False, "bool", Form.PYTHON))


class SharedList(list[Any]):
    """A list that a program made in a trace, with what is known of its identity.

    Attributes:
        memory: Counts the writes to the list; its elements have memories of their own.
        shared: The memories of other lists that it may be an alias of, with the versions that it knows.
        role: Why it may be an alias.
        name: The variable it was bound to, for messages.
        sites: The sites that made it, or the lists that it may be an alias of.
        choice: If the list is one of several known ones, which.
        log: Where the list stands for one of the caller's that is only appended to, so that what that one
            holds is not known: what to call when the program does something else.
    """

    __slots__ = ("__weakref__", "choice", "log", "memory", "name", "role", "shared", "sites")

    memory: Memory
    shared: Shared
    role: Role
    name: str | None
    sites: tuple[Site, ...]
    choice: Choice | None
    log: Callable[[], None] | None

    def require_current(self) -> None:
        """Refuses to read a list that may be an alias of one that was changed since."""
        if self.log is not None:
            self.log()
        self.require_last()

    def require_last(self) -> None:
        """As :meth:`require_current`, for what does not read the elements that it had at first."""
        if any(memory.version != version for memory, version in self.shared):
            self.become_row()
            raise staging_error(
                "AG111",
                f"`{self.called()}` may be a list that was changed since, depending on a staged statement",
                f"bind it to a list of its own: `{self.called()} = list({self.called()})`",
            )

    def will_change(self) -> None:
        """Tells the journal that the list is about to change; see :meth:`require_sole`."""
        if self.log is not None:
            self.log()
        self.will_grow()

    def will_grow(self) -> None:
        """As :meth:`will_change`, for elements at its end."""
        trace = current_trace()
        if trace is not None:
            trace.journal.will_write(Contents(self))

    def require_sole(self) -> None:
        """Refuses to change the list if it may be an alias of another one, which would have to change too.

        Raises:
            Learned: If the lists become rows of a table.
            StagingError: If they cannot (AG113, AG134).
        """
        if self.role in (Role.CARRIED, Role.JOINED):
            self.become_row()
        if self.role is Role.CARRIED:
            raise staging_error(
                "AG134",
                f"`{self.called()}` is both changed in place and bound to another list in a staged loop",
                f"use one of the two ways: `{self.called()} = list({self.called()})` makes a list that may be"
                " changed",
            )
        if self.role is Role.JOINED:
            raise staging_error(
                "AG113",
                f"`{self.called()}` is changed in place, and may be another list, depending on a staged"
                " statement",
                f"copy it first: `{self.called()} = list({self.called()})`",
            )

    def require_known_identity(self, other: object) -> None:
        """Refuses ``self is other`` if a staged statement decides the answer."""
        if isinstance(other, SharedList) and self is not other:
            for one, two in ((self, other), (other, self)):
                is_parameter = one.role is Role.PARAMETER
                if is_parameter or any(memory is two.memory for memory, _ in one.shared):
                    one.become_row()
                    raise staging_error(
                        "AG120",
                        f"whether `{one.called()}` is `{two.called()}` depends on a staged statement",
                        "use `==`",
                    )

    def is_same(self, other: object) -> object:
        """``self is other``, plain or staged."""
        if self is other:
            return True
        for one, two in ((self, other), (other, self)):
            if isinstance(one, SharedList) and one.choice is not None:
                return one.choice.is_one(two)
        self.require_known_identity(other)
        return False

    def become_row(self) -> None:
        """Makes this list and its possible aliases rows of one table, where a row number is its identity.

        Raises:
            Learned: If they are not rows yet.
        """
        learn_objects(Static(self))

    def may_be(self, others: list[Any], role: Role) -> None:
        """Notes other lists that this one may be an alias of."""
        found = [(other.memory, other.memory.version) for other in others]
        self.shared = (*found, *(pair for other in others for pair in other.shared))
        self.role = role
        self.sites = tuple(dict.fromkeys((*self.sites, *(site for other in others for site in other.sites))))

    def called(self) -> str:
        """Its name in messages: a variable that is bound to it."""
        frame = user_frame()
        if frame is not None and is_user_code(frame.f_code):
            names = (name for name, value in frame.f_locals.items() if value is self)
            self.name = next(names, self.name)
        return self.name or "the list"


def follow_contents(plain_class: object, staged_class: object) -> None:
    """Makes each method of the plain class call the staged one's if the list has become staged since.

    A program may hold a bound method from before its list became staged: ``add = xs.append``.
    """
    for name, staged in vars(staged_class).items():
        plain = vars(plain_class).get(name)
        if isinstance(plain, FunctionType) and isinstance(staged, FunctionType):
            setattr(plain_class, name, _of_present_class(plain, staged))


def _of_present_class(plain: Callable[..., Any], staged: Callable[..., Any]) -> Callable[..., Any]:
    # The words of `xs * 2.5` are the operator's.
    original = operator.mul if plain.__name__ == "__mul__" else getattr(list, plain.__name__, plain)

    @functools.wraps(plain)
    def method(self: Any, *args: object, **options: object) -> object:
        present = plain if self.contents is None else staged
        return call_in_place_of(original, present, (self, *args), options)

    return method
