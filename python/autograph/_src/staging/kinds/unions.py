"""Unions: staged values whose type depends on a staged statement.

    lo = np.inf                  # a float
    for v in counts:             # int64 scalars
        lo = min(lo, v)          # either type: `lo` carries a tag that says which
    return lo                    # exactly what CPython returns

An operation on a union is recorded once for each alternative, in a branch of its own: `10 / m` raises where
`m` is the int 0, and is `inf` where it is the float. If all alternatives mean the same computation on a
shared slot, it is recorded once without a branch: `v > best` for a float64 `v`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.dict_classes import DICT_CLASSES, dict_of, dict_word
from autograph._src.dtype_names import dtype_name
from autograph._src.staging.kinds.numbers import Alternative, NumberKind, words_for
from autograph._src.staging.kinds.union_slots import slots_of
from autograph._src.staging.tensors.current_lists import require_current
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import is_code, known_code, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, plain_attribute, wrap
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.own_class import own_class
from autograph._src.staging.trace.restarts import learn_template
from autograph._src.staging.trace.statements import stage_choice, union_operator

MOST_WAYS = 16
"""The most combinations of alternatives for which one call over several unions is recorded."""


class Several:
    """A staged value whose uses are recorded once for each of several ways, in a branch of its own.

    The ways are the types of a :class:`StagedUnion`, or the constants of a
    :class:`~autograph._src.staging.kinds.choices.StagedChoice`.
    """

    __slots__ = ()

    ag_bound: Tensor | None
    """For a variable that may be unbound, the staged bool that says whether it is bound."""

    most_ways = MOST_WAYS
    """The most ways of a call over several such values."""

    def ag_count(self) -> int:
        """The number of ways."""
        raise NotImplementedError

    def ag_which(self) -> tuple[Tensor, list[int]]:
        """The staged int that says which way it is, and what it is in each way."""
        raise NotImplementedError

    def ag_is(self, position: int) -> Tensor:
        """A staged bool: whether the value is that of the way at an index."""
        code, numbers = self.ag_which()
        return is_code(code, numbers[position])

    def ag_known(self) -> int | None:
        """The index of the way that it is where the recording is; ``None`` if only the run knows."""
        code, numbers = self.ag_which()
        return known_code(code, numbers)

    def ag_at(self, position: int) -> Any:
        """The value as it is in the way at an index; it is right only there."""
        raise NotImplementedError

    def ag_refusal(self, what: str, remedy: str) -> Exception:
        """The error for a use that cannot be recorded for each way."""
        raise NotImplementedError


@looked_at(
    lambda value: words_for(value.ag_alternatives), lambda value: value.ag_tag, lambda value: value.ag_name
)
class StagedUnion(Several):
    """A staged value of one of several types.

    Attributes:
        ag_alternatives: The types.
        ag_tag: The tag: a staged int, the index of the present type.
        ag_slots: The graph values that hold the alternatives.
        ag_bound: For a variable that may be unbound, the staged bool that says whether it is bound.
        ag_name: The variable it was bound to, for messages.
        ag_promoted: The cached result of :func:`autograph._src.staging.kinds.union_values.promoted`.
    """

    ag_type_name = "value of several types"

    __slots__ = ("ag_alternatives", "ag_bound", "ag_name", "ag_promoted", "ag_slots", "ag_tag")

    def __init__(
        self,
        alternatives: tuple[Alternative, ...],
        which: Tensor,
        slots: tuple[Tensor, ...],
        name: str | None = None,
    ) -> None:
        self.ag_alternatives = alternatives
        self.ag_tag = which
        self.ag_slots = slots
        self.ag_bound: Tensor | None = None
        self.ag_name = name
        self.ag_promoted: Tensor | None = None

    def ag_truth(self) -> Tensor:
        """``bool(value)``."""
        return lift(each(self, truth))

    def ag_count(self) -> int:
        """The number of types."""
        return len(self.ag_alternatives)

    def ag_which(self) -> tuple[Tensor, list[int]]:
        """The tag, which is the index of the type."""
        return self.ag_tag, list(range(len(self.ag_alternatives)))

    def ag_refusal(self, what: str, remedy: str) -> Exception:
        """The error for a use that needs one type."""
        return _refusal(self, what, remedy)

    def ag_at(self, position: int) -> Any:
        """The value as the alternative at an index; it is right only where the tag has that index."""
        one = self.ag_alternatives[position]
        place = slots_of(self.ag_alternatives)[1][position]
        if one.is_one_number():
            return one.the_number()
        assert place is not None
        slot, part = self.ag_slots[place], one.leaf.part
        if not one.leaf.is_scalar():
            return slot
        if slot.dtype == part.dtype and slot.form is part.form:
            return slot
        value = slot.read()
        same = slot.dtype == part.dtype
        return wrap(value if same else emit("cast", value, dtype_name(part.dtype)), part.form)

    def ag_values(self) -> list[Tensor]:
        """The tag and the slots."""
        return [self.ag_tag, *self.ag_slots]

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The real class within this package; the user's code gets an error, see ``own_class.py``."""
        return own_class(self, f"`{self.ag_name}`" if self.ag_name else "a value of several types")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "keys":  # `d |= w` would take the absence of `keys` for an iterable of pairs.
            raise _refusal(self, "`keys`", "convert it to one type before: `np.asarray(x, float)`")
        classes = [_class_of(one) for one in self.ag_alternatives]
        if any(callable(getattr(kind, name, None)) for kind in classes):
            return Method(self, name)
        return each(self, lambda value: plain_attribute(value, name))

    def __getitem__(self, index: object) -> Any:
        return each(self, lambda value: value[index])

    def __setitem__(self, index: object, new: Any) -> None:
        def write(value: Any) -> None:
            value[index] = new

        each(self, write)

    def __len__(self) -> int:
        return _known_length(self)

    def __iter__(self) -> Iterator[Any]:
        raise _refusal(self, "iteration", "convert it to one type before: `np.asarray(x, float)`")

    def _refuse(self, *_: object) -> Any:
        learn_template()
        raise _refusal(self, "the value while tracing", "convert it to one type before: `float(x)`")

    __bool__ = __hash__ = __str__ = __repr__ = __format__ = __int__ = __float__ = __index__ = _refuse
    __complex__ = __array__ = __contains__ = __reduce__ = _refuse

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Any:
        if method == "__call__" and not options and len(inputs) == 2:
            return union_operator(ufunc, *inputs)
        _require_seen(ufunc, inputs, options)
        return over_alternatives(getattr(ufunc, method), inputs, options)

    def __array_function__(
        self, function: Callable[..., Any], types: object, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        _require_seen(function, args, kwargs)
        return over_alternatives(function, args, kwargs)


class Method:
    """A method of a value of several ways, such as `x.sum`, before it is called."""

    ag_type_name = "method"

    def __init__(self, owner: Several, name: str) -> None:
        self._owner = owner
        self._name = name

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Calls the method for each alternative, in a branch of its own."""

        def call(value: Any) -> Any:
            return over_alternatives(plain_attribute(value, self._name), args, kwargs)

        return each(self._owner, call)


def _class_of(one: Alternative) -> type:
    """The class of the plain value of an alternative."""
    part = one.leaf.part
    if part.form is Form.ARRAY:
        return np.ndarray
    if one.leaf.is_complex:
        return complex if part.form is Form.PYTHON else np.complexfloating
    if part.form is Form.PYTHON:
        return {"b": bool, "i": int, "f": float}[part.dtype.kind]
    return one.leaf.declared.type


def _refusal(value: StagedUnion, what: str, remedy: str) -> Exception:
    name = f"`{value.ag_name}`" if value.ag_name and value.ag_name.isidentifier() else "this value"
    types = words_for(value.ag_alternatives)
    return staging_error("AG131", f"{what} of {name} is needed, which is {types}", remedy)


def _known_length(value: StagedUnion) -> int:
    """``len(value)``, if all alternatives have one known length; refused otherwise."""
    parts = [one.leaf.part for one in value.ag_alternatives]
    sizes = {part.shape[0] if part.shape else None for part in parts}
    size = sizes.pop()
    if sizes or size is None:
        raise _refusal(value, "the length", "convert it to one type before: `np.asarray(x, float)`")
    return size


# One use for each alternative


def each(value: Several, use: Callable[[Any], Any]) -> object:
    """``use(value)``, recorded for each alternative in a branch of its own."""
    known = value.ag_known()
    return _from(value, 0, use) if known is None else use(value.ag_at(known))


def _from(value: Several, position: int, use: Callable[[Any], Any]) -> object:
    if position == value.ag_count() - 1:
        return use(value.ag_at(position))
    return stage_choice(
        value.ag_is(position).read(),
        lambda: use(value.ag_at(position)),
        lambda: _from(value, position + 1, use),
        "a use of a value of several types",
    )


def over_alternatives(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """``function(*args, **kwargs)``, recorded for each combination of types of its arguments.

    Raises:
        StagingError: If there are too many combinations (AG131).
    """
    found = list({id(one): one for one in unions_in((args, kwargs))}.values())
    ways = int(np.prod([one.ag_count() for one in found]))
    if ways > max((one.most_ways for one in found), default=MOST_WAYS):
        raise found[0].ag_refusal("one type", "convert it before: `float(x)`, `np.asarray(x, float)`")
    return _over(found, function, args, kwargs)


def _require_seen(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuses a call whose union is inside an object that we do not look into: it would recurse for ever."""
    if not holds_unions((args, kwargs)):
        name = getattr(function, "__name__", str(function))
        message = f"`{name}` is given an object that holds a value of several types"
        raise staging_error("AG131", message, "give it the value: `point.x`")


def _over(
    rest: list[Several], function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> object:
    if not rest:
        return function(*args, **kwargs)
    first = rest[0]

    def use(value: Any) -> object:
        new_args, new_kwargs = _replaced((args, kwargs), first, value)
        return _over(rest[1:], function, new_args, new_kwargs)

    return each(first, use)


def unions_in(value: Any) -> Iterator[Several]:
    """The unions and choices in a value, also inside tuples, lists, dicts and slices."""
    kind = type(value)
    if issubclass(kind, Several):
        yield value
    elif issubclass(kind, tuple) or (issubclass(kind, list) and backend_of(value) is None):
        for part in tuple(value) if issubclass(kind, tuple) else list.copy(value):
            yield from unions_in(part)
    elif kind in DICT_CLASSES:
        for part in value.values():
            yield from unions_in(part)
    elif kind is slice:
        yield from unions_in((value.start, value.stop, value.step))


def holds_unions(value: Any) -> bool:
    """Whether a value is or contains a union or a choice."""
    kind = type(value)
    if issubclass(kind, tuple):
        return any(map(holds_unions, value))
    if issubclass(kind, list) or kind in DICT_CLASSES or kind is slice:
        return next(unions_in(value), None) is not None
    return issubclass(kind, Several)


def _replaced(value: Any, old: Several, new: Any) -> Any:
    kind = type(value)
    if value is old:
        return new
    if not any(one is old for one in unions_in(value)):
        return value
    if kind in DICT_CLASSES:
        return dict_of(dict_word(value), [(key, _replaced(part, old, new)) for key, part in value.items()])
    if kind is slice:
        return slice(*(_replaced(part, old, new) for part in (value.start, value.stop, value.step)))
    if isinstance(value, tuple):
        make = getattr(kind, "_make", tuple)  # of a `NamedTuple`
        return make(_replaced(part, old, new) for part in value)
    require_current(value)
    return [_replaced(part, old, new) for part in list.copy(value)]


def index_of(value: object) -> object:
    """A union of integer types as one int, for an index, a bound or a size; other values unchanged."""
    if type(value) is not StagedUnion:
        return value
    if not all(_is_int(one.leaf) for one in value.ag_alternatives):
        return value
    return each(value, lambda one: wrap(emit("cast", lift(one).read(), "int64"), Form.PYTHON))


def as_indices(index: object) -> object:
    """An index or a tuple of indices, with unions of integer types as ints."""
    return tuple(map(index_of, index)) if type(index) is tuple else index_of(index)


def _is_int(leaf: NumberKind) -> bool:
    return leaf.is_scalar() and leaf.part.dtype.kind in "iu"
