"""The element type that ``ag.set_element_type`` declares for a list that is still empty.

    rest = []
    ag.set_element_type(rest, np.float64, ())
    while n > 0:                # staged
        head = rest[:n]         # `rest` becomes a list of the graph here, of floats

The declaration converts no element. It gives a type where no element shows one, and is then checked against
the elements. A list that stays a plain Python list is not checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph._src.dtype_names import dtype_name
from autograph._src.staging.complex.complex_tensor import PART
from autograph._src.staging.kinds.complex_of import complex_of
from autograph._src.staging.kinds.narrow_of import narrow_of
from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.narrow.carriers import CARRIERS
from autograph._src.staging.tensors.lifting import check_dtype
from autograph._src.staging.tensors.tensor import Form
from autograph._src.staging.trace.active import staging_error

_PYTHON = {float: "float64", int: "int64", bool: "bool", complex: "complex128"}


@dataclass(frozen=True)
class DeclaredElements:
    """A declared element type.

    Attributes:
        dtype: The dtype of the elements.
        shape: Their shape, with ``None`` for a size that is not stated; or ``None`` for any shape.
        is_python: Whether they are Python's own numbers.
    """

    dtype: np.dtype[Any]
    shape: tuple[int | None, ...] | None
    is_python: bool

    @classmethod
    def of(cls, dtype: Any, shape: Any) -> DeclaredElements:
        """The declaration, from the arguments of ``ag.set_element_type``."""
        found = np.dtype(_PYTHON.get(dtype, dtype))
        if found not in PART:
            check_dtype(found)
        return cls(found, None if shape is None else tuple(shape), dtype in _PYTHON)

    def __str__(self) -> str:
        shape = "" if self.shape is None else f" of shape {self.shape}"
        return f"{dtype_name(self.dtype)}{shape}"

    def element(self) -> NumberKind | None:
        """The kind of an element, or ``None`` if the shape is not stated in full."""
        if self.shape is None or None in self.shape:
            return None
        kind = Form.ARRAY if self.shape else Form.PYTHON if self.is_python else Form.SCALAR
        held = CARRIERS.get(self.dtype, PART.get(self.dtype, self.dtype))
        leaf = TensorOf(held, tuple(size or 0 for size in self.shape), kind)
        if self.dtype in CARRIERS:
            return narrow_of(self.dtype, leaf)
        return complex_of(leaf) if self.dtype in PART else leaf

    def check(self, element: object, name: str) -> None:
        """Checks the elements of a list of the graph against the declaration.

        Raises:
            StagingError: If they have another type (AG131).
        """
        if isinstance(element, NumberKind):
            dtype = PART.get(self.dtype, self.dtype)
            is_it = element.is_complex == (self.dtype in PART) and element.declared == dtype
            if is_it and self._has(element.part.shape):
                return
        held = str(element) if isinstance(element, NumberKind) else "elements of several parts"
        raise staging_error(
            "AG131",
            f"`{name}` holds {held}, and `ag.set_element_type` says {self}",
            "say what it holds, or leave it out: types are found by themselves",
        )

    def _has(self, shape: tuple[int | None, ...]) -> bool:
        if self.shape is None:
            return True
        return len(shape) == len(self.shape) and all(
            said is None or said == size for said, size in zip(self.shape, shape, strict=True)
        )
