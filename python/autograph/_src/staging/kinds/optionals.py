"""Values that are ``None`` or something else, depending on a staged statement.

    best = None
    for x in xs:                        # staged
        if best is None or x > best:    # `best is None` is a staged bool; `x > best` would raise on None
            best = x
    return best

Such a value is carried as a flag and the value. Testing it for ``None``, its truth, ``==``, `isinstance`
and `print` work on both; everything else needs the value and raises what ``None`` raises there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.own_attributes import has_own
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.unions import StagedUnion, each
from autograph._src.staging.tensors.current_lists import require_current
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.python_scalars import both, either, negate, require, truth
from autograph._src.staging.tensors.tensor import Form, Tensor, plain_attribute, type_words, wrap
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.frames import is_internal_file
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.restarts import learn_template
from autograph._src.staging.trace.running_operator import is_comparison, running_opcode
from autograph._src.staging.trace.statements import stage_choice
from autograph.errors import GraphRuntimeError


def _optional_in_words(value: StagedOptional) -> str:
    """Its type for a debugger: ``float or None``."""
    inner = value.value
    if isinstance(inner, Tensor):
        return f"{type_words(inner)} or None"
    kind = type(inner)
    return f"{'value' if kind.__module__.startswith('autograph.') else kind.__name__} or None"


@looked_at(lambda value: _optional_in_words(value), lambda value: value.present, lambda value: value.name)
class StagedOptional:
    """A staged value that may be ``None``.

    Attributes:
        present: A staged bool: whether it is not ``None``.
        value: The value, with arbitrary content where it is ``None``.
        name: The variable it was bound to, for messages.
        defined: For a variable that may be unbound, the staged bool that says whether it is bound.
    """

    ag_type_name = "value that may be None"

    __slots__ = ("defined", "name", "present", "value")

    def __init__(self, present: Tensor, value: Any, name: str | None = None) -> None:
        self.present = present
        self.value = value
        self.name = name
        self.defined: Tensor | None = None

    def required(self, message: str, error: type[Exception] = TypeError) -> Any:
        """The value, for an operation that ``None`` does not support; the run raises where it is ``None``."""
        require(self.present, error, message)
        return self.value

    def ag_lifted(self) -> Tensor:
        """The value as a tensor; the run raises where it is ``None``."""
        return lift(required(self))

    def ag_truth(self) -> Tensor:
        """``bool(self)``, which is false for ``None``."""
        value = self.value
        if isinstance(value, (tuple, Tensor)):
            return both(self.present, lift(bool(value)) if isinstance(value, tuple) else truth(value))
        # Where it is `None`, the value has no contents: the row of a list is none of its table.
        return truth(stage_choice(self.present.read(), lambda: truth(value), lambda: False, "a truth value"))

    def equals(self, other: Any, *, differs: bool = False, is_left: bool = True) -> object:
        """``self == other``.

        Args:
            other: The other operand.
            differs: Whether the operator is ``!=``.
            is_left: Whether ``self`` is the left operand.
        """
        if other is None and not _is_array(self.value):
            return self.present if differs else negate(self.present)
        is_optional = isinstance(other, StagedOptional)
        beside = other.value if is_optional else other
        if type(self.value) is StagedUnion:  # The alternative decides the type of the result.
            return each(self.value, lambda one: _equal(with_value(self, one), other, differs, is_left))
        if type(beside) is StagedUnion:
            return each(beside, lambda one: _equal(self, with_value(other, one), differs, is_left))
        are_values = both(self.present, other.present) if is_optional else self.present
        if not isinstance(self.value, Tensor):
            return self._lazily_equal(other, are_values, differs, is_left)
        same = self._same(beside, is_left)
        equal = both(are_values, truth(same))
        if is_optional:
            equal = either(both(negate(self.present), negate(other.present)), equal)
        kind = Form.SCALAR if isinstance(beside, str) and _is_scalar(self.value) else same.form
        return _of_kind(kind, negate(equal) if differs else equal, are_values)

    def _lazily_equal(self, other: Any, are_values: Tensor, differs: bool, is_left: bool) -> object:
        """As :meth:`equals`; where it is ``None`` there is nothing to compare: a row that no table has."""
        beside = other.value if isinstance(other, StagedOptional) else other
        are_none = negate(self.present)
        are_none = both(are_none, negate(other.present)) if isinstance(other, StagedOptional) else lift(False)

        def compared() -> object:
            same = self._same(beside, is_left)
            return negate(truth(same)) if differs else same

        missing = negate(are_none) if differs else are_none
        return stage_choice(are_values.read(), compared, lambda: missing, "`==`")

    def _same(self, other: Any, is_left: bool) -> Tensor:
        for value in (self.value, other):
            if other is None or _is_array(value) or np.ndim(value) or isinstance(value, tuple):
                raise staging_error(
                    "AG120",
                    "`==` of a value that may be None, or else not a number",
                    "test `is None` first",
                )
        return lift(self.value == other if is_left else other == self.value)

    def __getattribute__(self, name: str) -> Any:
        """Hides `value`, `name`, ... from the user's code, where they mean attributes of the value."""
        if name in StagedOptional.__slots__ and not is_internal_file(sys._getframe(1).f_code.co_filename):
            return self.__getattr__(name)
        return object.__getattribute__(self, name)

    # Operators

    def __eq__(self, other: object) -> Any:
        return self.equals(other)

    def __ne__(self, other: object) -> Any:
        return self.equals(other, differs=True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "keys":  # `d |= v` would take the absence of `keys` for an iterable of pairs.
            raise staging_error("AG120", "`keys` of a value that may be None", "test `is None` first")
        value = self.required(f"'NoneType' object has no attribute '{name}'", AttributeError)
        return plain_attribute(value, name)

    def __getitem__(self, index: Any) -> Any:
        return self.required("'NoneType' object is not subscriptable")[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.required("'NoneType' object does not support item assignment")[index] = value

    def __len__(self) -> int:
        return len(self.required("object of type 'NoneType' has no len()"))

    def __iter__(self) -> Iterator[Any]:
        if running_opcode() == "CALL_FUNCTION_EX":  # CPython's message names the function, unknown here.
            return iter(required(self, _NONE_IS_GIVEN.format("a call after `*`")))
        return iter(self.required(_NOT_ITERABLE_IN.get(running_opcode(), NOT_ITERABLE)))

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self.required("'NoneType' object is not reversible"))  # type: ignore[no-any-return]

    def _refuse(self, *_: object) -> Any:
        learn_template()
        raise staging_error(
            "AG101",
            f"whether {f'`{self.name}`' if self.name else 'this'} is None is needed while tracing",
            "in converted code `x is None` is staged: is this function excluded from conversion?",
        )

    __bool__ = __hash__ = __str__ = __repr__ = __format__ = __int__ = __float__ = __index__ = _refuse
    __array__ = __contains__ = __reduce__ = _refuse

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Any:
        if ufunc in _EQUALITIES and method == "__call__" and not options:
            is_left = inputs[0] is self
            answer = _equal(self, inputs[1 if is_left else 0], ufunc is np.not_equal, is_left)
            is_operator = is_comparison(_EQUALITIES[ufunc])  # `np.float64(1) == self` calls the ufunc.
            return answer if is_operator else wrap(truth(answer).read(), Form.SCALAR)
        refusal = refusal_of_none(ufunc)
        return getattr(ufunc, method)(*[required(value, *refusal) for value in inputs], **options)

    def __array_function__(
        self, function: Callable[..., Any], types: object, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return function(*map(required, args), **{name: required(value) for name, value in kwargs.items()})


_EQUALITIES = {np.equal: "==", np.not_equal: "!="}


def _of_kind(form: Form, answer: Tensor, are_values: Tensor) -> object:
    """The result of ``==``: a NumPy bool for NumPy scalars, but a Python bool where ``None`` is compared."""
    if form is Form.PYTHON:
        return answer
    of_numpy = wrap(answer.read(), form)
    return stage_choice(are_values.read(), lambda: of_numpy, lambda: answer, "the answer")


NOT_ITERABLE = "'NoneType' object is not iterable"
"""CPython's message for ``for x in None``."""

_NOT_ITERABLE_IN = {
    "UNPACK_SEQUENCE": "cannot unpack non-iterable NoneType object",
    "UNPACK_EX": "cannot unpack non-iterable NoneType object",
    "LIST_EXTEND": "Value after * must be an iterable, not NoneType",
}
"""CPython's messages for other instructions."""

_NONE_IS_GIVEN = "None is given to {}, which a staged function computes with numbers only"


def required(
    value: object, message: str = _NONE_IS_GIVEN.format("this"), error: type[Exception] = GraphRuntimeError
) -> Any:
    """The value of an optional, also inside lists and tuples; other values unchanged."""
    if not _holds_optionals(value):
        return required_itself(value, message, error)
    require_current(value)
    parts = [required(element, message, error) for element in _elements(value)]
    return tuple(parts) if type(value) is tuple else parts


def required_itself(value: object, message: str = NOT_ITERABLE, error: type[Exception] = TypeError) -> Any:
    """The value of an optional; other values, lists and tuples included, unchanged."""
    return value.required(message, error) if isinstance(value, StagedOptional) else value


def _elements(value: object) -> list[Any]:
    """The elements of a tuple or a plain list; none for other values."""
    if type(value) is tuple:
        return list(value)
    return list.copy(value) if isinstance(value, list) and backend_of(value) is None else []


def _holds_optionals(value: object) -> bool:
    """Whether a list or tuple contains an optional, at any depth."""
    return any(isinstance(one, StagedOptional) or _holds_optionals(one) for one in _elements(value))


def refusal_of_none(function: object) -> tuple[str, type[Exception]]:
    """The message and class of the error for ``None`` as an argument of a NumPy function.

    It is NumPy's own for unary ufuncs. Other functions would silently make an array of objects, so the error
    is ours.
    """
    name = getattr(function, "__name__", str(function))
    if isinstance(function, np.ufunc) and function.nin == 1:
        try:
            function(None)
        except TypeError as error:
            return str(error), TypeError
    return _NONE_IS_GIVEN.format(f"`{name}`"), GraphRuntimeError


def optional(value: object, present: Tensor) -> object:
    """A value that is ``None`` unless ``present``."""
    if has_own(value, "unless_none"):
        return value.unless_none(present)
    if isinstance(value, StagedOptional):
        return StagedOptional(both(present, value.present), value.value, value.name)
    return StagedOptional(present, without_flag(value))


def without_flag(value: Any) -> Any:
    """The value of a variable that may be unbound, where it is bound."""
    if isinstance(value, tuple):
        make = getattr(type(value), "_make", tuple)  # of a `NamedTuple`
        return make(without_flag(element) for element in value)
    if isinstance(value, MaybeBound):
        return value.value
    if isinstance(value, StagedOptional) and value.defined is not None:
        return StagedOptional(value.present, value.value, value.name)
    if isinstance(value, PartedTensor):
        return value.with_parts(tuple(map(without_flag, value.parts)))
    if type(value) is StagedUnion:
        return StagedUnion(value.ag_alternatives, value.ag_tag, value.ag_slots, value.ag_name)
    if isinstance(value, Tensor) and value.defined is not None:
        bound = wrap(value.read(), value.form)
        bound.may_share([memory for memory, _ in value.shared], value.role)
        bound._path = value._path
        return bound
    return value


def _equal(one: StagedOptional, other: object, differs: bool, is_left: bool) -> object:
    return one.equals(other, differs=differs, is_left=is_left)


def with_value(one: object, value: object) -> Any:
    """An optional with its value replaced; for anything else, the new value."""
    return StagedOptional(one.present, value) if isinstance(one, StagedOptional) else value


def _is_scalar(value: object) -> bool:
    return isinstance(value, Tensor) and value.form is Form.SCALAR


def _is_array(value: object) -> bool:
    return isinstance(value, Tensor) and value.form is Form.ARRAY
