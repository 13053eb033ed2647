"""Methods of staged complex arrays and numbers: NumPy functions with the array as first argument.

z.conj(), z.astype(np.complex64), z.sum(axis=0), z.reshape(2, 3), z.item()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.memory_methods import MEMORY_METHODS
from autograph._src.numpy.calls.methods import FUNCTIONS, checked_method
from autograph._src.numpy.calls.open_lists import AFTERWARDS, list_of_open, made_rows
from autograph._src.numpy.calls.registry import call_function
from autograph._src.numpy.complex.complex_casts import astype_complex
from autograph._src.staging.complex.complex_numbers import conjugate
from autograph._src.staging.complex.complex_tensor import ComplexTensor, made
from autograph._src.staging.tensors.tensor import Form, plain_class
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import staging_error, type_error
from autograph._src.staging.trace.statements import records


@records(statements.bound_complex_method)
def bound_method(z: ComplexTensor, name: str) -> object:
    """The method ``z.name``, for names that are not attributes of the class.

    Raises:
        AttributeError: If NumPy's complex values have no such attribute.
        StagingError: If they have it, but it is not staged.
    """
    plain = plain_class(z)
    if hasattr(plain, name):
        method = _METHODS.get(name)
        if method is not None:
            return checked_method(z, name, method)
        if name == "mT":
            return call_function(np.matrix_transpose, (z,), {})
        function = FUNCTIONS.get(name)
        if function is not None:
            return checked_method(z, name, lambda *args, **kwargs: call_function(function, args, kwargs))
        if not name.startswith("__"):
            what = "array" if plain is np.ndarray else plain.__name__
            raise staging_error(
                "AG107", f"`{name}` of a staged complex {what} is not supported yet", AFTERWARDS
            )
    module = "numpy." if plain.__module__ == "numpy" else ""
    raise AttributeError(f"'{module}{plain.__name__}' object has no attribute {name!r}")


def _astype(
    z: ComplexTensor,
    dtype: DTypeLike | None,
    order: object = "K",
    casting: object = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> object:
    wanted = np.dtype(dtype)
    if wanted.kind == "b":
        return np.not_equal(z, 0)
    if wanted.kind != "c":
        # NumPy warns and discards the imaginary part. A program that wants that can write `.real`.
        raise staging_error(
            "AG128",
            f"`astype` to {wanted} discards the imaginary part of a complex value",
            "take the real part first: `.real.astype(...)`",
        )
    return astype_complex(z, wanted, order, casting, copy)


def _conjugate(z: ComplexTensor) -> object:
    if z.form is Form.PYTHON:
        return conjugate(z)
    return np.conjugate(z)


def _item(z: ComplexTensor, *index: object) -> ComplexTensor:
    return made(*(part.item(*index) for part in z.parts))


def _fill(z: ComplexTensor, value: object) -> None:
    z[...] = value


def _flatten(z: ComplexTensor, order: Any = "C") -> object:
    return np.copy(np.ravel(z, order))


def _reshape(z: ComplexTensor, *shape: Any, order: Any = "C") -> object:
    if not shape:
        raise type_error("reshape() takes exactly 1 argument (0 given)")
    return np.reshape(z, shape[0] if len(shape) == 1 else shape, order=order)


def _transpose(z: ComplexTensor, *axes: Any) -> object:
    order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else (axes or None)
    return np.transpose(z, order)


def _sort(
    z: ComplexTensor, axis: int = -1, kind: object = None, order: object = None, **options: object
) -> None:
    z[...] = call_function(np.sort, (z, axis, kind, order), options)


def _nonzero(z: ComplexTensor) -> object:
    return call_function(np.nonzero, (z,), {})


def _to_list(z: ComplexTensor) -> object:
    if None in z.sizes:
        return list_of_open(z)
    return made_rows(z, _item)


def _copy(z: ComplexTensor, order: object = "C") -> object:
    return call_function(np.copy, (z, order), {}) if z.form is Form.ARRAY else z


_METHODS: dict[str, Callable[..., Any]] = {
    "astype": _astype,
    "copy": _copy,
    "conj": _conjugate,
    "conjugate": _conjugate,
    "item": _item,
    "fill": _fill,
    "flatten": _flatten,
    "reshape": _reshape,
    "transpose": _transpose,
    "sort": _sort,
    "nonzero": _nonzero,
    "tolist": _to_list,
    **MEMORY_METHODS,
}
