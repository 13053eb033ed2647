"""The kind of numbers and arrays: one graph value.

>>> import numpy as np
>>> str(TensorOf(np.dtype("float32"), (3,), Form.ARRAY))
'float32 array of shape (3,)'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.dtype_names import dtype_name
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.choosable import is_huge
from autograph._src.staging.kinds.constants import Constants
from autograph._src.staging.kinds.flagged import FLAG, FlaggedKind
from autograph._src.staging.kinds.numbers import Alternative, NumberKind
from autograph._src.staging.kinds.ragged_of import RaggedOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind
from autograph._src.staging.tensors.lifting import constant, is_python_scalar, lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, shape_text, wrap
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.trace import DTYPES

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes


@dataclass(frozen=True)
class TensorOf(FlaggedKind, NumberKind):
    """The kind of a variable bound to a number or an array.

    Attributes:
        dtype: The dtype.
        shape: The sizes of the axes; ``None`` for one that only a run knows.
        form: What the value is in plain Python: a Python number, a NumPy scalar or an array.
        may_be_unbound: Whether the kind has a flag.
        constants: The known numbers that it is one of, if any; see ``kinds/constants.py``.
    """

    dtype: np.dtype[Any]
    shape: tuple[int | None, ...]
    form: Form
    may_be_unbound: bool = False
    constants: Constants | None = field(default=None, compare=False)

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> TensorOf | None:
        """The kind of a real number or array; ``None`` for other values."""
        if isinstance(value, Tensor):
            return cls(value.dtype, value.sizes, value.form, value.defined is not None)
        if is_huge(value):
            return None  # A constant, which may be another one on another path.
        if is_python_scalar(value):
            dtype = {bool: "bool", int: "int64", float: "float64"}[type(value)]
            return cls(np.dtype(dtype), (), Form.PYTHON)
        if not isinstance(value, (np.generic, np.ndarray)) or value.dtype not in DTYPES:
            return None  # Texts, dates, records and wide floats are Python's; other numbers have other kinds.
        return cls(value.dtype, value.shape, Form.ARRAY if isinstance(value, np.ndarray) else Form.SCALAR)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind, if both paths have the same one; other numbers become a union."""
        if not (isinstance(left, TensorOf) and left == right):
            return None
        return left if left.constants is None else left.with_constants(None)

    def in_words(self) -> str:
        """Its dtype and shape."""
        return f"a {self}" if self.form is not Form.PYTHON or self.dtype.kind != "i" else "an int"

    def graph_types(self) -> list[GraphType]:
        """The type of the tensor, then that of the flag if there is one."""
        value: GraphType = (dtype_name(self.dtype), list(self.shape))
        return [value, FLAG] if self.may_be_unbound else [value]

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The tensor with the dtype and sizes of the kind, then the flag if there is one."""
        if isinstance(value, Undefined):
            zero = constant(0, self.dtype)
            none = emit("broadcast", zero.read(), [size or 0 for size in self.shape])
            values = [_of_sizes(none, self.shape), constant(False, "bool").read()]
            return values if self.may_be_unbound else values[:1]
        tensor = lift(value)
        present = tensor._read_at_end(reads or {})
        same = tensor.dtype == self.dtype
        converted = _of_sizes(present if same else emit("cast", present, dtype_name(self.dtype)), self.shape)
        if not self.may_be_unbound:
            return [converted]
        flag = constant(True, "bool") if tensor.defined is None else tensor.defined
        return [converted, flag.read()]

    def unpack(self, values: list[Value], name: str) -> Tensor:
        """The tensor, named after the variable."""
        tensor = wrap(values.pop(0), self.form)
        tensor.name = name
        tensor.ag_trace.builder.name(tensor.value_id, name)
        if self.may_be_unbound:
            tensor.defined = wrap(values.pop(0), Form.PYTHON)
        return tensor

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The items of one array."""
        column = next(columns)
        if self.may_be_unbound:
            next(columns)  # An element of a list is bound.
        if self.form is Form.PYTHON:
            return column.tolist()  # type: ignore[no-any-return]
        return list(column) if self.form is Form.SCALAR else [np.array(row) for row in column]

    def array(self, arrays: Arrays) -> Any:
        """The elements along the first axis."""
        return arrays.converted(arrays.next_column(), self.form)

    def in_list(self) -> ValueKind:
        """The kind itself; for an array with unknown sizes, the ragged kind."""
        return RaggedOf(self) if None in self.shape else self

    def as_rows(self) -> ValueKind:
        """The kind as an element: fields and elements of rows are stored in lists."""
        return self.in_list()

    # As an alternative of a union

    @property
    def part(self) -> TensorOf:
        """This kind."""
        return self

    def with_part(self, part: TensorOf) -> TensorOf:
        """The given kind."""
        return part

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The only alternative: this kind without its flag, with its constants."""
        return (Alternative(TensorOf(self.dtype, self.shape, self.form), self.constants),)

    def with_constants(self, constants: Constants | None) -> TensorOf:
        """The kind of a value that is known to be one of these constants."""
        return TensorOf(self.dtype, self.shape, self.form, self.may_be_unbound, constants)

    def held(self, value: object) -> Tensor:
        """The value, cast to the dtype."""
        tensor = lift(value)
        if tensor.dtype == self.dtype:
            return tensor
        return wrap(emit("cast", tensor.read(), dtype_name(self.dtype)), self.form)

    @property
    def known_shape(self) -> tuple[int, ...]:
        """The shape without its unknown sizes."""
        return tuple(size for size in self.shape if size is not None)

    def __str__(self) -> str:
        if self.form is Form.PYTHON:
            return {"b": "bool", "i": "int", "f": "float"}[self.dtype.kind]
        if not self.shape:
            return f"{dtype_name(self.dtype)} scalar"
        return f"{dtype_name(self.dtype)} array of shape {shape_text(self.shape)}"


def _of_sizes(value: int, sizes: tuple[int | None, ...]) -> int:
    """A graph value retyped to a shape in which some sizes are unknown."""
    if None not in sizes or tuple(require_trace().builder.type_of(value)[1]) == sizes:
        return value
    return emit("with_shape", value, list(sizes))


NOTHING_YET = TensorOf(np.dtype("float64"), (), Form.PYTHON)
"""The placeholder element kind of lists that have never had an element; compare it by identity."""


def known_element(element: object) -> Any:
    """The element kind; ``None`` for the placeholder ``NOTHING_YET``."""
    return None if element is NOTHING_YET else element
