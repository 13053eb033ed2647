"""``eig``, ``eigvals`` and ``roots``, which NumPy computes in the run.

    w = np.linalg.eigvals(a)      w = real_part_of(z) if is_real(z) else z     # of all eigenvalues `z`

Whether NumPy gives real or complex numbers depends on data, and so does their order, which is LAPACK's. The
graph asks NumPy itself, and the result is a value of two types where its argument is real.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.dtype_names import dtype_name
from autograph._src.numpy.algebra.decompositions import named_result, require_matrix, square_matrix
from autograph._src.numpy.calls.registry import overload, rank_of
from autograph._src.numpy.complex.complex_dispatch import complex_overload
from autograph._src.staging.complex.complex_tensor import COMPLEX, ComplexTensor, made, plain_complex
from autograph._src.staging.control.branches import stage_choice
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import require_trace, staging_error, type_error, value_error
from autograph._src.staging.trace.sites import Site

_Arrays = list[NDArray[Any]]

_NOT_FINITE = "Array must not contain infs or NaNs"
"""NumPy's words."""


class _Asked:
    """What NumPy gives for an array, in the run.

    Attributes:
        is_real: Whether its results are real.
        count: How many numbers the first result has.
        values: The results as complex values.
    """

    def __init__(self, name: str, call: Callable[[Any], Sequence[Any]], x: Tensor, *shapes: Any) -> None:
        self._call = call
        self._is_complex = isinstance(x, ComplexTensor)
        self._part = np.dtype(x.dtype.type(0).real.dtype)
        self._shapes = shapes
        trace = require_trace()
        part = dtype_name(self._part)
        flags: list[Any] = [("bool", [])] * 3 + [("int64", [])]
        types = [*flags, *((part, list(one)) for one in shapes for _ in "ri")]
        trace.sites.append(Site(self._run, f"{name}({{0}})"))
        operands = [one.read() for one in leaves_of(x)]
        found = trace.locate().callback(len(trace.sites) - 1, operands, types)
        self.is_real, is_finite, succeeds, self.count = (wrap(one, Form.PYTHON) for one in found[:4])
        require_matrix(is_finite, _NOT_FINITE)
        require_matrix(succeeds, "Eigenvalues did not converge")
        parts = [wrap(one, Form.ARRAY) for one in found[4:]]
        self.values = [made(*parts[place : place + 2], form=Form.ARRAY) for place in range(0, len(parts), 2)]

    def _run(self, arrays: _Arrays) -> _Arrays:
        x = plain_complex(Form.ARRAY, *arrays) if self._is_complex else arrays[0]
        found: Sequence[Any] = ()
        is_finite = True
        try:
            found = self._call(x)
        except np.linalg.LinAlgError as error:
            is_finite = str(error) != _NOT_FINITE
        is_real = all(one.dtype.kind == "f" for one in found)
        succeeds = bool(found) or not is_finite
        results = [np.array([one]) for one in (is_real, is_finite, succeeds, len(found[0]) if found else 0)]
        for place, shape in enumerate(self._shapes):
            whole = np.zeros(shape, COMPLEX[self._part])
            if found:
                whole[tuple(slice(0, size) for size in found[place].shape)] = found[place]
            parts = (whole.real, whole.imag)
            results += [np.ascontiguousarray(one).reshape(whole.shape or 1) for one in parts]
        return results

    def chosen(self, value: ComplexTensor) -> Any:
        """A result, which is real where the run says so."""
        if self._is_complex:
            return value
        is_real = self.is_real.read()
        return stage_choice(is_real, lambda: +value.real, lambda: value, "a choice of eigenvalues")


def _matrices(a: object, name: str) -> Tensor:
    x = square_matrix(a)
    if None in x.sizes:
        raise staging_error(
            "AG117", f"`np.linalg.{name}` of a matrix whose size depends on data", "give it one of known size"
        )
    return x


@overload(np.linalg.eigvals)
@complex_overload(np.linalg.eigvals)
def _eigvals(a: object) -> Any:
    x = _matrices(a, "eigvals")
    asked = _Asked("eigvals", lambda plain: (np.linalg.eigvals(plain),), x, x.sizes[:-1])
    return asked.chosen(asked.values[0])


@overload(np.linalg.eig)
@complex_overload(np.linalg.eig)
def _eig(a: object) -> Any:
    x = _matrices(a, "eig")
    asked = _Asked("eig", lambda plain: tuple(np.linalg.eig(plain)), x, x.sizes[:-1], x.sizes)
    return named_result("EigResult", *map(asked.chosen, asked.values))


@overload(np.roots)
@complex_overload(np.roots)
def _roots(p: object) -> Any:
    if not rank_of(p):
        raise type_error("dispatcher for __array_function__ did not return an iterable")
    x = lift(np.atleast_1d(lift(p)))
    if x.ndim != 1:
        raise value_error("Input must be a rank-1 array.")
    if x.sizes[0] is None:
        raise staging_error(
            "AG117", "how many coefficients `np.roots` gets depends on data", "give it an array of known size"
        )
    if x.dtype.kind not in "fc":
        x = lift(x.astype(np.float64))
    if x.dtype.itemsize < (16 if x.dtype.kind == "c" else 8):
        raise staging_error(
            "AG108",
            f"`np.roots` of {x.dtype}, whose dtype depends on data",
            "convert it: `p.astype(np.float64)`",
        )
    if not x.sizes[0]:
        return np.zeros(0)
    asked = _Asked("roots", lambda plain: (np.roots(plain),), x, (x.sizes[0] - 1,))
    values = asked.values[0]
    return stage_choice(
        asked.is_real.read(),
        lambda: values.real[: asked.count],
        lambda: values[: asked.count],
        "a choice of roots",
    )
