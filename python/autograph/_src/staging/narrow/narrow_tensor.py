"""Staged values of dtypes that the graph does not have: a declared dtype, and the tensor that holds it.

    x: int16                one part, an int32 whose values are those of x
    x + x                   the sum of the parts, brought back into 16 bits (`fitting.py`)
    np.something(x)         refused (AG103), unless it is known to be right for the dtype

Invariants: the part has the dtype that ``carriers.py`` says, and only values that the declared dtype has. It
belongs to no other value. Code that does not know such values asks for the tensor's single graph value and
gets an error: nothing computes in the dtype of the part by mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.staging.narrow.carriers import CARRIERS, from_carrier, to_carrier
from autograph._src.staging.tensors.lifting import LIFTED, constant
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.tensor import Form, Tensor, type_words
from autograph._src.staging.trace.active import require_trace, staging_error, type_error
from autograph._src.staging.trace.frames import user_frame
from autograph._src.staging.trace.statements import bound_narrow_method, set_narrow_item


class NarrowTensor(PartedTensor):
    """A staged array or NumPy scalar of a dtype that the graph does not have.

    Attributes:
        parts: The tensor that holds it, alone.
        dtype: The declared dtype.
    """

    __slots__ = ()

    def __new__(cls, part: Tensor, dtype: np.dtype[Any]) -> NarrowTensor:
        """Makes an object of the class for the dtype."""
        return object.__new__(CLASSES[dtype])

    def __init__(self, part: Tensor, dtype: np.dtype[Any]) -> None:
        self.parts = (part,)
        self.dtype = dtype
        self.take_from(part)

    @property
    def part(self) -> Tensor:
        """The tensor that holds the value."""
        return self.parts[0]

    def with_parts(self, parts: tuple[Tensor, ...]) -> NarrowTensor:
        """The value of this dtype that another tensor holds."""
        return NarrowTensor(parts[0], self.dtype)

    def ag_number(self) -> Tensor:
        """The value in a dtype of the graph, for an index or a Python number."""
        return NUMBERS[0](self)

    def ag_written(self, dtype: np.dtype[Any]) -> Tensor:
        """The value in a dtype of the graph, to be written into an array of the given one."""
        return WRITTEN[0](self, dtype)

    def refused(self, what: str) -> Exception:
        """The error for an operation that is not known to be right for the dtype."""
        return refusal(what, self)

    def __setitem__(self, index: object, value: object) -> None:
        if self.form is not Form.ARRAY:
            raise type_error(f"'{type_words(self)}' object does not support item assignment")
        set_narrow_item(self, index, value)

    def __getattr__(self, name: str) -> object:
        return bound_narrow_method(self, name)


NUMBERS: list[Callable[[NarrowTensor], Tensor]] = []
"""The function that gives a value in a dtype of the graph; ``narrow_casts`` registers it here."""

WRITTEN: list[Callable[[NarrowTensor, np.dtype[Any]], Tensor]] = []
"""As ``NUMBERS``, for a value that is written into an array of a dtype."""

CLASSES: dict[np.dtype[Any], type[NarrowTensor]] = {
    dtype: type(f"{dtype.name}_tensor", (NarrowTensor,), {"__slots__": ()}) for dtype in CARRIERS
}
"""By dtype: the class of its values, so that kinds of two dtypes are two."""


def remedy(dtype: np.dtype[Any]) -> str:
    """What to write instead of an operation that is refused for a dtype."""
    wider = {"f": "np.float32", "i": "np.int32"}.get(dtype.kind, "np.int64")
    return f"convert first: `.astype({wider})`"


def refusal(what: str, value: Any) -> Exception:
    """The error for an operation that is not known to be right for a narrow dtype.

    Args:
        what: The operation, in words.
        value: The value.
    """
    name = _name_of(value)
    who = f"{value.dtype} values" if name is None else f"`{name}`, whose dtype is {value.dtype}"
    return staging_error("AG103", f"{what} is not staged for {who}", remedy(value.dtype))


def _name_of(value: object) -> str | None:
    """The variable of the running function that is bound to a value."""
    frame = user_frame()
    names = [] if frame is None else [name for name, one in frame.f_locals.items() if one is value]
    return next((name for name in names if name.isidentifier()), None)


def is_narrow(value: Any) -> bool:
    """Whether a value, plain or staged, is an array or number of a narrow dtype."""
    kind = type(value)  # Not `isinstance`: it runs the Python property `__class__` of staged values.
    if issubclass(kind, Tensor):
        return issubclass(kind, NarrowTensor)
    return issubclass(kind, (np.ndarray, np.generic)) and value.dtype in CARRIERS


def lift_narrow(value: Any) -> NarrowTensor:
    """The tensor of a plain value of a narrow dtype: a literal for scalars, an input for arrays."""
    trace = require_trace()
    trace.surroundings.contents.used(value)
    if isinstance(value, np.ndarray):
        part = Tensor(trace, trace.capture(value, CARRIERS[value.dtype]), Form.ARRAY)
        part.memory.outlives_trace = True
        return NarrowTensor(part, value.dtype)
    return narrow_constant(value, value.dtype, Form.SCALAR)


def narrow_constant(value: object, dtype: np.dtype[Any], form: Form) -> NarrowTensor:
    """A literal of a narrow dtype.

    Raises:
        OverflowError: NumPy's own, if an int does not fit into the dtype.
    """
    carried = to_carrier(np.asarray(value, dtype))
    return NarrowTensor(constant(carried, carried.dtype, form), dtype)


for _dtype in CARRIERS:
    LIFTED[_dtype.type] = lift_narrow


def parameter(value: Any, sizes: list[int | None], param: Any) -> NarrowTensor:
    """The tensor of an argument of a narrow dtype; ``param`` adds an input of a type to the graph."""
    form = Form.ARRAY if isinstance(value, np.ndarray) else Form.SCALAR
    carrier = CARRIERS[value.dtype]
    return NarrowTensor(Tensor(require_trace(), param((dtype_name(carrier), sizes)), form), value.dtype)


def plain_narrow(form: Form, array: object, dtype: np.dtype[Any]) -> object:
    """The plain value from the array that a graph returned."""
    made = from_carrier(np.asarray(array), dtype)
    return made if form is Form.ARRAY else made[()]


def rebuilt_narrow(part: object, dtype: np.dtype[Any], form: Form) -> object:
    """The value that a part holds, staged or plain."""
    return NarrowTensor(part, dtype) if isinstance(part, Tensor) else plain_narrow(form, part, dtype)
