"""Staged strings and enumeration members: the value of a node's field, known only to the run.

    if node.op == "+":        # a staged comparison of the number of `node.op` with that of "+"
        ...
    return node.op            # the caller gets the string itself

``interned.py`` gives the numbers.
"""

from __future__ import annotations

import enum
from typing import Any, NoReturn

from autograph._src.articles import with_article
from autograph._src.backends.protocol import type_name
from autograph._src.staging.objects.interned import Interned, has_number
from autograph._src.staging.tensors.python_scalars import compare, negate
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.own_class import own_class

_NEVER_EQUAL = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    tuple,
    list,
    dict,
    set,
    frozenset,
    enum.Enum,
)
"""Types whose values never equal a numbered value of another type."""


@looked_at(lambda value: value.kind, lambda value: value.number, lambda value: value.name)
class NamedValue:
    """A staged string or enumeration member, as its number.

    Attributes:
        interned: The values with their numbers.
        number: The staged number of this value.
        name: Its name in messages.
    """

    __slots__ = ("interned", "name", "number")

    kind = "string"

    def __init__(self, interned: Interned, number: Tensor, name: str) -> None:
        self.interned = interned
        self.number = number
        self.name = name

    def __eq__(self, other: object) -> Any:
        if isinstance(other, NamedValue) and other.interned is self.interned:
            return compare("equal", self.number, other.number)
        if has_number(other):
            return compare("equal", self.number, self.interned.number(other))
        if isinstance(other, _NEVER_EQUAL):
            return False
        raise staging_error(
            "AG120",
            f"`==` of `{self.name}` and {with_article(type_name(other))}",
            "compare it with a string",
        )

    def __ne__(self, other: object) -> Any:
        same = self == other
        return negate(same) if isinstance(same, Tensor) else not same

    def is_same(self, other: object) -> Any:
        """``self is other``, for ``None`` and enumeration members only; equal strings may be two objects."""
        if other is None or isinstance(other, enum.Enum):
            return self == other
        raise staging_error(
            "AG120", f"whether `{self.name}` is one and the same object is not known", "use `==`"
        )

    def _refuse(self, *_: object) -> NoReturn:
        raise staging_error(
            "AG101",
            f"the value of `{self.name}` is needed while tracing",
            "compare it with `==`, or return it",
        )

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """See :mod:`autograph._src.staging.trace.own_class`."""
        return own_class(self, f"`{self.name}`")

    def ag_truth(self) -> Tensor:
        """``bool(self)``."""
        self._refuse()

    __bool__ = __hash__ = __str__ = __repr__ = __format__ = __len__ = __iter__ = __contains__ = _refuse
    __getitem__ = __add__ = __radd__ = __lt__ = __le__ = __gt__ = __ge__ = __reduce__ = _refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()
