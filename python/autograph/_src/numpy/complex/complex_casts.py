"""Casts to complex dtypes: ``x.astype(np.complex64)``, ``np.complex128(x)``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.creation.conversions import in_order
from autograph._src.staging.complex.complex_tensor import ComplexTensor, as_complex, copied, made, part_dtype
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import type_error


def astype_complex(
    x: Tensor, dtype: DTypeLike | None, order: object = "K", casting: Any = "unsafe", copy: bool = True
) -> ComplexTensor | Tensor:
    """``x.astype(dtype)`` of a real or complex value to a complex dtype."""
    wanted = np.dtype(dtype)
    part = part_dtype(wanted)
    if not np.can_cast(x.dtype, wanted, casting):
        raise type_error(
            f"Cannot cast array data from {x.dtype!r} to {wanted!r} according to the rule {casting!r}"
        )
    if not copy and wanted == x.dtype and x.form is Form.ARRAY:
        return in_order(x, order)  # type: ignore[no-any-return]
    kind = Form.ARRAY if x.form is Form.ARRAY else Form.SCALAR
    return made(*map(copied, as_complex(x, part).parts), form=kind)


def complex_scalar(value: Tensor, dtype: np.dtype[Any]) -> object:
    """``np.complex128(value)`` of any value, or ``np.float64(value)`` of a complex one."""
    if dtype.kind == "c":
        return astype_complex(value, dtype)[()]
    if value.form is Form.PYTHON and dtype.kind in "iuf":
        what = "float() argument must be a string" if dtype.kind == "f" else "int() argument must be a string"
        between = "" if dtype.kind == "f" else ", a bytes-like object"
        raise TypeError(f"{what}{between} or a real number, not 'complex'")
    return value.astype(dtype)
