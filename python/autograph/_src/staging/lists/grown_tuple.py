"""Tuples whose length only the run knows: the contents of a staged list, which nothing changes.

    path = ()
    while n != 1:               # staged
        path += (n,)            # a tuple of a length that depends on data
        n = n // 2

What a tuple has in common with a list is done by a list of the same contents, which the program does not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.identity import not_
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.lists import list_order, list_searches
from autograph._src.staging.lists.list_changes import sliced
from autograph._src.staging.lists.list_contents import StagedElements, staged_contents
from autograph._src.staging.lists.list_indices import bounds_of, inside, no_factor
from autograph._src.staging.lists.list_operands import is_staged_factor, refuse_factor
from autograph._src.staging.lists.traced_list import StagedList, scratch_list
from autograph._src.staging.lists.unpacking import require_count
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.tensors.needs_elements import TO_FORMAT
from autograph._src.staging.tensors.python_scalars import compare
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import staging_error, type_error
from autograph._src.staging.trace.frames import is_asked_by_us
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.running_operator import unpacked_count

_ASK_NOBODY = frozenset((float, complex, str, bytes, list, tuple, dict, set, range, type(None)))
"""Classes of Python whose objects neither repeat a tuple nor, but for tuples, are joined to one."""

_NO_TUPLES = frozenset((bool, int, *_ASK_NOBODY))

INDICES = "tuple indices must be integers or slices, not {}"
"""CPython's message for an index that is no integer."""


@looked_at(
    lambda values: f"tuple, each {values.ag_elements.element.in_words()}",
    lambda _: None,
    lambda values: values.ag_elements.name,
)
class GrownTuple(list_order.Ordered):
    """A tuple whose length only the run knows.

    Attributes:
        ag_elements: The contents of a list with the same elements.
    """

    __slots__ = ("ag_elements",)

    ag_type_name = "tuple"

    def __init__(self, contents: StagedElements) -> None:
        self.ag_elements = contents

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """``tuple`` for the user's code, so that `match t: case tuple():` matches."""
        return type(self) if is_asked_by_us() else tuple

    def ag_list(self) -> StagedList:
        """A list of the elements, for what a tuple has in common with it."""
        made = scratch_list(self.ag_elements)
        assert isinstance(made, StagedList)
        return made

    def ag_count(self) -> int | Tensor:
        """``len(self)``."""
        return self.ag_elements.count()

    def ag_truth(self) -> Tensor:
        """``bool(self)``."""
        return compare("greater", lift(self.ag_count()), 0)

    def ag_lifted(self) -> Tensor:
        """The elements as one array, beside arrays."""
        return self.ag_list().stacked()

    def ag_contains(self, item: object) -> object:
        """``item in self``."""
        return list_searches.first_position(self.ag_elements, item) >= 0

    # Methods of a tuple

    def count(self, value: object, /) -> object:
        """``tuple.count``."""
        return list_searches.count_of(self.ag_elements, value)

    def index(self, value: object, *bounds: object) -> object:
        """``tuple.index``."""
        return list_searches.position_within(self.ag_elements, value, bounds, ().index)

    def __getitem__(self, index: object) -> Any:
        contents = self.ag_elements
        if isinstance(index, slice):
            return GrownTuple(sliced(contents, bounds_of(contents, index)))
        return contents.at(inside(contents, index, "tuple index out of range", INDICES))

    def __iter__(self) -> Iterator[Any]:
        count, contents = unpacked_count(), self.ag_elements
        if count is None:
            _refuse("elements", _WALKED)
        require_count(lift(self.ag_count()), count)
        return iter([contents.at(lift(position)) for position in range(count)])

    # Operators

    def __add__(self, other: object) -> Any:
        more = _contents_of(other, self.ag_elements)
        if more is NotImplemented and (type(other) in _NO_TUPLES or has_own(other, "require_current")):
            raise type_error(_no_part(other))
        if more is NotImplemented:
            return NotImplemented
        return self if more is None else GrownTuple(self.ag_elements.followed_by(more))

    def __radd__(self, other: object) -> Any:
        before = _contents_of(other, self.ag_elements)
        if before is NotImplemented:
            return NotImplemented
        return self if before is None else GrownTuple(before.followed_by(self.ag_elements))

    def __mul__(self, count: object) -> Any:
        if isinstance(count, (int, np.integer)) or is_staged_factor(count):
            return GrownTuple(list_searches.repeated(self.ag_elements, count))
        if type(count) in _ASK_NOBODY:  # Python would name the operator of the stand-in.
            raise type_error(no_factor(count))
        return refuse_factor(count)

    def __rmul__(self, count: object) -> Any:
        if isinstance(count, (str, bytes, list, tuple)):  # Which of both repeats is asked first.
            raise type_error(no_factor(()))
        return self.__mul__(count)

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        mine, theirs = self.ag_list(), _list_of(other)
        return NotImplemented if theirs is None else list_searches.equal(mine, theirs)

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not_(equal)

    def _ordered(self, name: str, other: object) -> object:
        mine, theirs = self.ag_list(), _list_of(other)
        if theirs is None:
            return NotImplemented
        for one in (mine, theirs):
            if one.contents is not None:
                _require_python_numbers(one.contents.element)
            elif any(not is_python_scalar(value) for value in list.copy(one)):
                _require_python_numbers(staged_contents(list.copy(one), self.ag_elements.name).element)
        return list_order.lists_ordered(name, mine, theirs)

    # What needs the elements while tracing is refused

    def __hash__(self) -> int:
        _refuse("hash", "a key is a number, or a tuple of as many numbers in each run")

    def __len__(self) -> int:
        count = self.ag_count()
        if isinstance(count, Tensor):
            _refuse("length", "in converted code `len(t)`, `for x in t` and `if t` are staged")
        return count

    def __bool__(self) -> bool:
        return len(self) > 0

    def __contains__(self, item: object) -> bool:
        _refuse("elements", "in converted code `x in t` is staged")

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        _refuse("elements", "in converted code `np.array(t)` is staged")

    def __reduce_ex__(self, protocol: object) -> Any:
        _refuse("elements", "pickle the result of the call")

    def __repr__(self) -> str:
        _refuse("text", TO_FORMAT)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)


GrownTuple.__name__ = GrownTuple.__qualname__ = "tuple"  # So that CPython's messages say `tuple`.


def repeated_tuple(values: tuple[Any, ...], count: Tensor) -> Any:
    """``values * count`` of a plain tuple and a staged int."""
    return GrownTuple(list_searches.repeated(staged_contents(values, "the tuple"), count)) if values else ()


_WALKED = "in converted code `for x in t`, `list(t)`, `t[i]` and `(*t, x)` are staged, `f(*t)` is not"
"""The remedy where Python asks for the elements of such a tuple."""


def _refuse(what: str, help: str) -> NoReturn:
    raise staging_error("AG117", f"the {what} of a tuple whose length depends on data", help)


def _is_plain_tuple(value: object) -> bool:
    return isinstance(value, tuple) and backend_of(value) is None


def _list_of(other: object) -> Any:
    """A tuple beside a grown one as a list; ``None`` for other values."""
    if type(other) is GrownTuple:
        return other.ag_list()
    if not _is_plain_tuple(other):
        return None
    made = scratch_list()
    list.extend(made, other)  # type: ignore[arg-type]
    return made


def _contents_of(other: Any, beside: StagedElements) -> Any:
    """The contents of what is added to a tuple; ``None`` of an empty one, ``NotImplemented`` of an array."""
    if type(other) is GrownTuple:
        return other.ag_elements
    if _is_plain_tuple(other):
        return staged_contents(tuple(other), beside.name) if other else None
    if isinstance(other, (Tensor, np.ndarray)) or backend_of(other) is not None:
        return NotImplemented
    kind = type(other)
    if issubclass(kind, np.generic):
        raise _beside_number()
    if hasattr(kind, "__radd__"):
        return NotImplemented
    raise type_error(_no_part(other))


def _no_part(other: object) -> str:
    return f'can only concatenate tuple (not "{type(other).__name__}") to tuple'


def _beside_number() -> Exception:
    message = "an operator of a tuple whose length depends on data and a NumPy number"
    return staging_error("AG120", message, "make an array of it first: `np.array(t)`")


def with_tuple(ufunc: np.ufunc, left: Any, right: Any) -> Any:
    """``left op right`` of such a tuple and a tensor: NumPy makes an array of a tuple beside an array."""
    other = right if type(left) is GrownTuple else left
    if not isinstance(other, (Tensor, np.ndarray)):
        return NotImplemented
    if isinstance(other, np.ndarray) or other.form is Form.ARRAY:
        sides = (one.ag_lifted() if type(one) is GrownTuple else one for one in (left, right))
        return statements.binary(ufunc, *sides)
    if ufunc is np.multiply and is_staged_factor(other):
        return (left if other is right else right) * other
    if other.form is Form.SCALAR:
        raise _beside_number()
    return NotImplemented


def _require_python_numbers(kind: ValueKind) -> None:
    """Refuses the order of tuples of NumPy's numbers.

    ``(np.float64(1), 2) < (3, 2)`` is a bool of NumPy, as the first numbers decide; where the lengths decide
    it is one of Python.
    """
    parts = kind.inside()
    if not parts and not (isinstance(kind, TensorOf) and kind.form is Form.PYTHON and not kind.shape):
        what = "the order of tuples of a length of the run, which hold other values than Python's numbers"
        raise staging_error("AG120", what, "compare the elements, as numbers of Python: `float(v)`")
    for part in parts:
        _require_python_numbers(part)
