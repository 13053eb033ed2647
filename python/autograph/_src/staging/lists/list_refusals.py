"""Refuses operations on a staged list that need its elements while tracing.

    [*map(str, xs)]      # C code asks `xs` for its length and elements, which only the run knows

Converted code does not come here: it stages `len`, `in`, indices and loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.lists.list_operands import is_product_of_scalar, repeated_by_scalar
from autograph._src.staging.tensors.needs_elements import TO_FORMAT
from autograph._src.staging.trace.active import staging_error, type_error
from autograph._src.staging.trace.frames import is_internal_file, location_of, user_frame
from autograph.errors import StagingError

_NO_ELEMENTS = "`{}` is a staged list, whose {} on data"


class WithoutElements:
    """A base class of staged lists whose methods refuse what needs elements while tracing."""

    __slots__ = ()

    if TYPE_CHECKING:

        def called(self) -> str:
            """Its name in messages."""

        def stacked(self) -> object:
            """The elements as one array."""

        def indices(self) -> object:
            """The elements as one index array."""

    # NumPy functions get the elements as an array

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Any:
        refuse_as_target(method, inputs, options.get("out"))
        if is_product_of_scalar(ufunc, inputs):
            return repeated_by_scalar(*inputs)
        if method == "at" and isinstance(inputs[1], WithoutElements):
            inputs = (inputs[0], inputs[1].indices(), *inputs[2:])
        return getattr(ufunc, method)(*map(as_array, inputs), **options)

    def __array_function__(
        self, function: Callable[..., Any], types: object, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return function(*map(as_array, args), **{name: as_array(value) for name, value in kwargs.items()})

    # All other uses are refused

    def _refuse(self, what: str, help: str) -> Any:
        raise staging_error("AG117", _NO_ELEMENTS.format(self.called(), what), help)

    def __contains__(self, item: object) -> bool:
        return bool(self._refuse("elements depend", "in converted code `x in xs` is staged"))

    def __array__(self, dtype: DTypeLike | None = None, copy: object = None) -> Any:
        self._refuse(
            "elements depend", "in converted code `np.array(xs)` is staged where the length is known"
        )

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        self._refuse("elements depend", "pickle the result of the call")

    def __repr__(self) -> str:
        return str(self._refuse("text depends", TO_FORMAT))

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)


def refuse_as_target(method: str, inputs: tuple[Any, ...], out: object) -> None:
    """Refuses a list as the output of a NumPy function, which must be an array."""
    if any(isinstance(one, list) for one in (out if isinstance(out, tuple) else (out,))):
        raise type_error("return arrays must be of ArrayType")
    if method == "at" and inputs and isinstance(inputs[0], list):
        raise type_error("first operand must be array")


def holds_staged_list(value: Any) -> bool:
    """Whether a value is a staged list, or a list or tuple that contains one at any depth."""
    if isinstance(value, WithoutElements):
        return True
    is_sequence = value.__class__ is list or type(value) is tuple
    return is_sequence and any(map(holds_staged_list, value))


def as_array(value: object) -> Any:
    """A value with its staged lists, also inside lists and tuples, replaced by arrays as NumPy makes them."""
    if isinstance(value, WithoutElements):
        return value.stacked()
    if value.__class__ is list:
        return [*map(as_array, value)]
    return tuple(map(as_array, value)) if type(value) is tuple else value


def refuse_deep_copy(element: ValueKind, what: str) -> None:
    """Refuses a deep copy of a value with objects in it: only the run knows which are the same object.

    Args:
        element: The kind of the value.
        what: The value in words, for the message.

    Raises:
        StagingError: If there are objects in it (AG120).
    """
    if not element.tables():
        return
    frame = user_frame()
    while frame is not None and (
        frame.f_globals.get("__name__") == "copy" or is_internal_file(frame.f_code.co_filename)
    ):
        frame = frame.f_back
    raise StagingError(
        f"this copies {what} and all lists or objects in it, and some of these may be one object",
        code="AG120",
        location=None if frame is None else location_of(frame.f_code, frame.f_lasti),
        help="make new ones of their parts, in a loop",
    )
