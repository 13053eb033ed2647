"""Lists as objects: what a list is called, and which other lists it may be.

    if flag:
        xs = ys                # staged: `xs` may be `ys` or what it was
    xs.append(1)               # refused: whether `ys` changes depends on the run

Invariant: a list that may be another one is neither changed nor, once the other was changed, read.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from types import FunctionType
from typing import Any

from autograph._src.operators.places import Contents
from autograph._src.policy import is_user_code
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.tensors.argument_words import call_in_place_of
from autograph._src.staging.tensors.memory import Memory, Role, Shared
from autograph._src.staging.tensors.python_scalars import both, compare, either
from autograph._src.staging.tensors.tensor import Kind, constant
from autograph._src.staging.trace.active import current_trace, staging_error
from autograph._src.staging.trace.frames import user_frame
from autograph._src.staging.trace.object_sites import Site
from autograph._src.staging.trace.restarts import learn_objects


@dataclass(frozen=True)
class Choice:
    """One of several lists from before the call: ``TABLE[i]``.

    Attributes:
        lists: The lists.
        place: The staged number of the one that it is.
    """

    lists: tuple[Any, ...]
    place: Any

    def is_one(self, other: Any) -> Any:
        """Whether it is the same list as another, which may be one of several too."""
        if isinstance(other, SharedList) and other.choice is not None:
            found = [
                both(self.is_one(one), compare("equal", other.choice.place, at))
                for at, one in enumerate(other.choice.lists)
            ]
        else:
            places = [at for at, one in enumerate(self.lists) if one is other]
            found = [compare("equal", self.place, at) for at in places]
        return reduce(either, found, constant(False, "bool", Kind.PYTHON))


class SharedList(list[Any]):
    """A list that a program made in a trace, as an object.

    Attributes:
        memory: What tells whether it was written since; it is not the memory of its elements.
        shared: Other lists that it may be, with the versions that it knows, and why.
        role: Why it may be another list.
        name: The variable it was bound to, for messages.
        sites: Where the program makes it, or those that it may be.
        choice: The lists from before the call of which it is one, and which, if that is so.
    """

    __slots__ = ("__weakref__", "choice", "memory", "name", "role", "shared", "sites")

    memory: Memory
    shared: Shared
    role: Role
    name: str | None
    sites: tuple[Site, ...]
    choice: Choice | None

    def require_current(self) -> None:
        """Refuses to read a list that may be another one, which was written since."""
        if any(memory.version != version for memory, version in self.shared):
            self.become_row()
            raise staging_error(
                "AG111",
                f"`{self.called()}` may be a list that was changed since, depending on a staged statement",
                f"bind it to a list of its own: `{self.called()} = list({self.called()})`",
            )

    def will_change(self) -> None:
        """Tells the journal of a change that comes.

        Raises:
            StagingError: If the list may be another one, which would have to change too.
        """
        trace = current_trace()
        if trace is None:
            return
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
        trace.journal.will_write(Contents(self))

    def require_known_identity(self, other: object) -> None:
        """Refuses to say whether this is another list, if a staged statement decides that."""
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
        """``self is other``; which list it is may depend on the run."""
        if self is other:
            return True
        for one, two in ((self, other), (other, self)):
            if isinstance(one, SharedList) and one.choice is not None:
                return one.choice.is_one(two)
        self.require_known_identity(other)
        return False

    def become_row(self) -> None:
        """Has the lists that it may be be rows of a table: then it is one of them, whichever.

        Raises:
            Learned: If they are not yet.
        """
        learn_objects(Static(self))

    def may_be(self, others: list[Any], role: Role) -> None:
        """Notes other lists that this may be."""
        found = [(other.memory, other.memory.version) for other in others]
        self.shared = (*found, *(pair for other in others for pair in other.shared))
        self.role = role
        self.sites = tuple(dict.fromkeys((*self.sites, *(site for other in others for site in other.sites))))

    def called(self) -> str:
        """What messages call it: a variable that is bound to it."""
        frame = user_frame()
        if frame is not None and is_user_code(frame.f_code):
            names = (name for name, value in frame.f_locals.items() if value is self)
            self.name = next(names, self.name)
        return self.name or "the list"


def follow_contents(plain_class: object, staged_class: object) -> None:
    """Has the methods of the plain class be those of the staged one while a list has contents of the graph.

    A program may have kept a method from before its list became staged: ``add = xs.append``.
    """
    for name, staged in vars(staged_class).items():
        plain = vars(plain_class).get(name)
        if isinstance(plain, FunctionType) and isinstance(staged, FunctionType):
            setattr(plain_class, name, _of_present_class(plain, staged))


def _of_present_class(plain: Callable[..., Any], staged: Callable[..., Any]) -> Callable[..., Any]:
    original = getattr(list, plain.__name__, plain)

    @functools.wraps(plain)
    def method(self: Any, *args: object, **options: object) -> object:
        present = plain if self.contents is None else staged
        return call_in_place_of(original, present, (self, *args), options)

    return method
