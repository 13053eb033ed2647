"""Staged complex values: pairs of real tensors, so that the graph itself stays real.

    z = z * z + c       real = z.real * z.real - z.imag * z.imag + c.real
                        imag = z.real * z.imag + z.imag * z.real + c.imag

An array of ``complex128`` is two arrays of ``float64``, a Python ``complex`` two Python floats. Code that
joins values, carries them through loops, stores them in lists or writes to them handles both parts as real
tensors. `z.real` is the part itself, so a write to it is a write to ``z``.

Invariants: both parts have the same dtype, shape and kind, and belong to no other array of the program. Code
that does not support complex values asks for the tensor's single graph value and gets an error, never a
wrong result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph import _core
from autograph._src.dtype_names import dtype_name
from autograph._src.staging.tensors.lifting import LIFTED, constant, lift
from autograph._src.staging.tensors.number_tensor import asks_the_user, missing_attribute
from autograph._src.staging.tensors.parted import PartedTensor
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, type_words, wrap
from autograph._src.staging.trace.active import require_trace, staging_error, type_error
from autograph._src.staging.trace.frames import user_frame
from autograph._src.staging.trace.lookers import looked_at
from autograph._src.staging.trace.statements import bound_complex_method

COMPLEX: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype("float32"): np.dtype("complex64"),
    np.dtype("float64"): np.dtype("complex128"),
}
"""By dtype of the parts: the complex dtype."""

PART = {whole: part for part, whole in COMPLEX.items()}
"""By complex dtype: the dtype of the parts."""


@looked_at(lambda value: type_words(value), lambda value: value.parts[0], lambda value: value.name)
class ComplexTensor(PartedTensor):
    """A staged complex array or number.

    Attributes:
        parts: The real and the imaginary part.
    """

    __slots__ = ()

    parts: tuple[Tensor, Tensor]

    def __new__(cls, real: Tensor, imag: Tensor) -> ComplexTensor:
        """Makes an object of the class for its kind."""
        made = cls if real.form is not Form.PYTHON else COMPLEX_NUMBER[0]
        return object.__new__(made)

    def __init__(self, real: Tensor, imag: Tensor) -> None:
        self.parts = (real, imag)
        self.take_from(real)
        self.dtype = COMPLEX[real.dtype]
        for part in self.parts:
            part.memory.order = None  # The parts lie between each other: `z.real.ravel()` is a copy.

    def with_parts(self, parts: tuple[Tensor, ...]) -> ComplexTensor:
        """The complex value with other parts."""
        return ComplexTensor(*parts)

    def refused(self, what: str) -> Exception:
        """The error for an operation that complex values do not support."""
        return refusal(what, self)

    def ag_refusal_of_write(self) -> Exception:
        """The error for writing this value into a real array."""
        if self.form is not Form.ARRAY:
            return type_error("float() argument must be a string or a real number, not 'complex'")
        return refusal("writing into a real array", self)  # NumPy warns, and discards a part.

    @property
    def real(self) -> Tensor:
        """The real part; for an array, writing to it writes to the array."""
        return self.parts[0]

    @real.setter
    def real(self, value: object) -> None:
        self._require_array("real")
        self.parts[0][...] = value

    @property
    def imag(self) -> Tensor:
        """The imaginary part, as :attr:`real`."""
        return self.parts[1]

    @imag.setter
    def imag(self, value: object) -> None:
        self._require_array("imag")
        self.parts[1][...] = value

    def _require_array(self, name: str) -> None:
        if self.form is not Form.ARRAY:
            what = "readonly attribute" if self.form is Form.PYTHON else f"attribute '{name}' is not writable"
            raise AttributeError(what)

    def __getitem__(self, index: object) -> Any:
        if self.form is Form.PYTHON:
            raise type_error("'complex' object is not subscriptable")
        return super().__getitem__(index)

    def __setitem__(self, index: object, value: object) -> None:
        if self.form is not Form.ARRAY:
            raise type_error(f"'{type_words(self)}' object does not support item assignment")
        source = as_complex(value)
        for part, new in zip(self.parts, source.parts, strict=True):
            part[index] = new

    def __getattr__(self, name: str) -> Any:
        return bound_complex_method(self, name)


class ComplexNumber(ComplexTensor):
    """A staged Python ``complex``; it hides the attributes of arrays from the user's code."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name in _OF_ARRAYS and asks_the_user():
            raise missing_attribute(self, name)
        return super().__getattribute__(name)


_OF_ARRAYS = frozenset(("shape", "dtype", "ndim", "size", "itemsize", "nbytes", "T"))

# CPython's messages name the class of an operand: "'<' not supported between … 'complex' and 'int'".
COMPLEX_NUMBER: list[type[ComplexTensor]] = [
    type("complex", (ComplexNumber,), {"__slots__": (), "__doc__": "A staged Python complex."})
]
"""The class of staged Python complex numbers."""


def refusal(what: str, value: object) -> Exception:
    """The error for an operation that complex values do not support.

    Args:
        what: The operation, in words.
        value: The value.
    """
    name = _name_of(value)
    who = "a complex value" if name is None else f"`{name}`, a complex value"
    return staging_error(
        "AG128",
        f"{what} is not staged for {who}",
        "compute with `.real` and `.imag`, or call it outside the staged function",
    )


def _name_of(value: object) -> str | None:
    """The variable of the running function that is bound to a value."""
    frame = user_frame()
    names = [] if frame is None else [name for name, one in frame.f_locals.items() if one is value]
    # `None` for a variable that a staged statement binds: it is in the frame of a generated function.
    return next((name for name in names if name.isidentifier()), None)


def is_complex(value: Any) -> bool:
    """Whether a value, plain or staged, is a complex number or array."""
    kind = type(value)  # Not `isinstance`: it runs the Python property `__class__` of staged values.
    if issubclass(kind, Tensor):
        return issubclass(kind, ComplexTensor)
    if issubclass(kind, (np.ndarray, np.generic)):
        return bool(value.dtype.kind == "c")
    return kind is complex


def is_float64(value: object) -> bool:
    """Whether a value is an ``np.float64``, plain or staged."""
    if isinstance(value, Tensor):
        return value.form is Form.SCALAR and value.dtype == np.float64
    return type(value) is np.float64


def is_complex_dtype(value: object) -> bool:
    """Whether a value is a complex dtype, or a class or name that means one."""
    if isinstance(value, np.dtype):
        return value.kind == "c"
    if isinstance(value, type):
        return issubclass(value, (complex, np.complexfloating))
    return isinstance(value, str) and value in _DTYPE_NAMES


_DTYPE_NAMES = frozenset(("complex", "complex64", "complex128", "cfloat", "csingle", "c8", "c16"))


def part_dtype(dtype: Any) -> np.dtype[Any]:
    """The dtype of the parts of a complex dtype.

    Raises:
        StagingError: If graphs do not support the dtype (AG103).
    """
    wanted = np.dtype(dtype)
    part = PART.get(wanted)
    if part is None or not wanted.isnative:
        raise staging_error(
            "AG103",
            f"arrays of dtype {wanted} are not staged",
            "convert with `.astype`; staged complex ones: complex64, complex128",
        )
    return part


def made(real: object, imag: object, *, form: Form | None = None) -> ComplexTensor:
    """A new complex value from parts that nothing else refers to.

    Args:
        real: The real part.
        imag: The imaginary part.
        form: Its kind; by default that of the parts.
    """
    parts = [lift(part) for part in (real, imag)]
    return ComplexTensor(*(part if form in (None, part.form) else wrap(part.read(), form) for part in parts))


def joined(parts: Sequence[Tensor]) -> Tensor:
    """The tensor with these parts, see :func:`~autograph._src.staging.tensors.parted.parts_of`."""
    return parts[0] if len(parts) == 1 else ComplexTensor(*parts)


def copied(part: Tensor) -> Tensor:
    """A copy of a part, to be a part of another value."""
    if part.form is Form.ARRAY:
        return wrap(emit("reshape", part.read(), list(part.shape)), Form.ARRAY)
    return wrap(part.read(), part.form)


def zeros_of(part: Tensor) -> Tensor:
    """Zeros of the dtype, shape and kind of a part."""
    zero = constant(0, part.dtype, part.form if part.form is not Form.ARRAY else Form.SCALAR)
    if part.form is not Form.ARRAY:
        return zero
    return wrap(emit("broadcast", zero.read(), list(part.shape)), Form.ARRAY)


def as_complex(value: object, dtype: np.dtype[Any] | None = None) -> ComplexTensor:
    """A value as a complex tensor, which must only be read as it may share parts with the value.

    Args:
        value: The value, plain or staged, real or complex.
        dtype: The dtype of the parts; by default the value's, or the one that NumPy's promotion gives.
    """
    x = lift(value)
    if isinstance(x, ComplexTensor):
        real, imag = x.parts
    else:
        real = _as_float(x) if dtype is None else x
        imag = zeros_of(real)
    if dtype is not None:
        real, imag = _as_part(real, dtype), _as_part(imag, dtype)
    return ComplexTensor(real, imag)


def _as_float(x: Tensor) -> Tensor:
    """A real tensor in the dtype of the parts that promotion gives: bool and uint8 become float32."""
    if x.dtype in COMPLEX:
        return x
    whole = np.result_type(x.dtype, np.complex64) if x.form is not Form.PYTHON else np.dtype(complex)
    return _as_part(x, PART[whole])


def _as_part(x: Tensor, dtype: np.dtype[Any]) -> Tensor:
    return x if x.dtype == dtype else wrap(emit("cast", x.read(), dtype_name(dtype)), x.form)


def lift_complex(value: Any) -> ComplexTensor:
    """The tensor of a plain complex value: a literal for scalars, two inputs for arrays."""
    if isinstance(value, np.ndarray):
        return _captured(value)
    kind = Form.SCALAR if isinstance(value, np.generic) else Form.PYTHON
    dtype = part_dtype(value.dtype) if isinstance(value, np.generic) else np.dtype(float)
    return ComplexTensor(constant(value.real, dtype, kind), constant(value.imag, dtype, kind))


LIFTED[complex] = lift_complex


def _captured(array: NDArray[Any]) -> ComplexTensor:
    """A complex array from outside; each run reads both parts."""
    part_dtype(array.dtype)
    trace = require_trace()
    # `.real` makes a new view each time, and captured arrays are identified by `id`: remember the views.
    views = trace.remembered.setdefault(("parts", id(array)), (array, array.real, array.imag))
    parts = [Tensor(trace, trace.capture(view), Form.ARRAY) for view in views[1:]]
    for part in parts:
        part.memory.outlives_trace = True
    return ComplexTensor(*parts)


def parameter(
    value: Any, sizes: list[int | None], param: Callable[[tuple[str, list[int | None]]], int]
) -> ComplexTensor:
    """The tensor of a complex argument, which is two inputs of the graph.

    Args:
        value: The argument.
        sizes: The sizes of its axes; ``None`` for one that only the run knows.
        param: Adds an input of a type to the graph.
    """
    kind = Form.PYTHON
    if type(value) is not complex:
        kind = Form.ARRAY if isinstance(value, np.ndarray) else Form.SCALAR
    dtype = part_dtype(np.complex128 if kind is Form.PYTHON else value.dtype)
    return ComplexTensor(
        *(Tensor(require_trace(), param((dtype_name(dtype), sizes)), kind) for _ in range(2))
    )


def write_complex(target: Tensor, value: object) -> None:
    """``target[...] = value`` for a complex target; the value must broadcast to its shape."""
    assert isinstance(target, ComplexTensor)
    source = as_complex(value, target.parts[0].dtype)
    for part, new in zip(target.parts, source.parts, strict=True):
        part.write(emit("broadcast", new.read(), list(part.shape)))


def plain_complex(form: Form, real: Any, imag: Any) -> Any:
    """The plain complex value from the parts that a graph returned."""
    if form is Form.PYTHON:
        return complex(float(real), float(imag))  # `complex` of arrays would lose the sign of a zero.
    whole = _core.new_array(np.shape(real), np.dtype(COMPLEX[np.asarray(real).dtype]))
    whole.real, whole.imag = real, imag
    return whole if form is Form.ARRAY else whole[()]


def rebuilt_complex(real: object, imag: Any, form: Form) -> object:
    """The complex value from two parts, staged or plain."""
    return ComplexTensor(real, imag) if isinstance(real, Tensor) else plain_complex(form, real, imag)


def parts_of_input(position: int, tensor: Tensor) -> list[tuple[int, str | None, Tensor]]:
    """The graph inputs for an argument: its position, the part (or ``None``) and the tensor of each."""
    if not isinstance(tensor, PartedTensor):
        return [(position, None, tensor)]
    if len(tensor.parts) == 1:
        return [(position, None, tensor.parts[0])]
    return [(position, "real", tensor.parts[0]), (position, "imag", tensor.parts[1])]


def part_of(value: object, part: str | None) -> Any:
    """An argument or a part of it; the part of an array is a view that can be written."""
    return value if part is None else getattr(value, part)
