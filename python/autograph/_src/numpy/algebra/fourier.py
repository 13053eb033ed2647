"""Discrete Fourier transforms: `np.fft.fft` and its family, over real and complex values.

The graph has one op, which transforms pairs of rows (real parts, imaginary parts) along the last axis without
scaling. The rest of the family scales and moves elements:

    np.fft.rfft(x)      the first half of the transform: the rest mirrors it
    np.fft.irfft(z)     the real part of the inverse transform of `z` and its mirror image
    np.fft.fftn(x)      one axis after the other, the last one first

Lengths, axes and norms mean what they mean in NumPy; errors have NumPy's messages. `float32` stays
`float32`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.arguments import Size
from autograph._src.numpy.calls.registry import call_function, overload
from autograph._src.numpy.complex.complex_dispatch import complex_overload
from autograph._src.numpy.elementwise.ufuncs import store
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.staging.complex.complex_tensor import ComplexTensor, as_complex, made, zeros_of
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error, type_error, value_error
from autograph._src.staging.trace.frames import here
from autograph.errors import StagedIndexError

_NORMS = {None: "backward", "backward": "backward", "ortho": "ortho", "forward": "forward"}


def _words_for(norm: Any) -> str:
    """The installed NumPy's error message for an unknown norm."""
    try:
        np.fft.fft(np.zeros(1), norm=norm)
    except ValueError as error:
        return str(error)
    return f"Invalid norm value {norm}"


def _scale_of(size: int, norm: object, is_inverse: bool) -> float:
    """The scale factor of a norm.

    Raises:
        ShapeError: If the norm is unknown.
    """
    known = _NORMS.get(norm) if norm is None or isinstance(norm, str) else None
    if known is None:
        raise value_error(_words_for(norm))
    if known == "ortho":
        return float(1 / np.sqrt(size))
    return 1 / size if (known == "backward") == is_inverse else 1.0


def _length(n: Any, x: Tensor, place: int) -> int:
    """The number of points of a transform.

    Raises:
        StagingError: If only the run knows the number.
        ShapeError: If the number is not positive.
    """
    size = x.sizes[place] if n is None else n
    if isinstance(size, Tensor) or size is None:
        raise staging_error(
            "AG117",
            "how many points a Fourier transform has depends on data",
            "give the length: `n=...`",
        )
    if int(size) < 1:
        raise value_error(f"Invalid number of FFT data points ({size}) specified.")
    return int(size)


def _last(a: object, axis: object) -> tuple[Tensor, int]:
    """A float array with the axis to transform moved to the end, and the axis's original index."""
    x = lift(a)
    if x.form is not Form.ARRAY or not x.sizes:
        x = lift(np.asarray(x))
    if isinstance(axis, int) and not -x.ndim <= axis < x.ndim:
        raise StagedIndexError("tuple index out of range", code="AG116", location=here())
    place = normal_axis(axis, x.ndim)
    if x.dtype.kind in "biu":
        x = x.astype(np.float64)
    moved = x if place == x.ndim - 1 else np.moveaxis(x, place, -1)  # type: ignore[type-var]
    return lift(moved), place


def _finished(result: Any, place: int, out: object) -> object:
    """A result with its axis moved back, as a new array."""
    moved = result if place == result.ndim - 1 else np.moveaxis(result, -1, place)
    return store(np.copy(moved), out)


def _fitted(part: Tensor, size: int) -> Tensor:
    """The last axis cut or padded with zeros to a size."""
    present = part.sizes[-1]
    if present is None:
        # Only the run knows whether to cut or to pad: append zeros, then take the first ones.
        longer = np.concatenate([part, _zeros(part, size)], axis=-1)
        return lift(np.take(longer, np.arange(size), axis=-1))
    if present == size:
        return part
    if present > size:
        return part[..., :size]  # type: ignore[no-any-return]
    return lift(np.concatenate([part, _zeros(part, size - present)], axis=-1))


def _zeros(part: Tensor, size: int) -> Tensor:
    return lift(call_function(np.zeros, ((*part.shape[:-1], size), part.dtype), {}))


def _transform(parts: Sequence[Tensor], is_inverse: bool, scale: float) -> ComplexTensor:
    """The scaled transform along the last axis."""
    pair = np.stack(parts, axis=-2)
    rows = wrap(emit("fourier", lift(pair).read(), is_inverse), Form.ARRAY)
    if scale != 1:
        rows = rows * rows.dtype.type(scale)
    return made(rows[..., 0, :], rows[..., 1, :])


def _complex_transform(
    a: object, n: object, axis: object, norm: object, out: object, *, is_inverse: bool
) -> object:
    x, place = _last(a, axis)
    size = _length(n, x, x.ndim - 1)
    scale = _scale_of(size, norm, is_inverse)
    parts = [_fitted(part, size) for part in as_complex(x).parts]
    return _finished(_transform(parts, is_inverse, scale), place, out)


def _fft(a: object, n: object = None, axis: object = -1, norm: object = None, out: object = None) -> object:
    return _complex_transform(a, n, axis, norm, out, is_inverse=False)


def _ifft(a: object, n: object = None, axis: object = -1, norm: object = None, out: object = None) -> Any:
    return _complex_transform(a, n, axis, norm, out, is_inverse=True)


def _rfft(a: object, n: object = None, axis: object = -1, norm: object = None, out: object = None) -> Any:
    x, place = _last(a, axis)
    size = _length(n, x, x.ndim - 1)
    scale = _scale_of(size, norm, False)
    if isinstance(x, ComplexTensor):
        name = "rfft_n_even" if size % 2 == 0 else "rfft_n_odd"
        raise type_error(f"ufunc '{name}' did not contain a loop with signature matching types of {x.dtype}")
    real = _fitted(x, size)
    whole = _transform((real, zeros_of(real)), False, scale)
    return _finished(whole[..., : size // 2 + 1], place, out)


def _irfft(a: object, n: object = None, axis: object = -1, norm: object = None, out: object = None) -> object:
    x, place = _last(a, axis)
    count = 2 * (_known_last(x) - 1) if n is None else n
    size = _length(count, x, x.ndim - 1)
    scale = _scale_of(size, norm, True)
    half = size // 2 + 1
    real, imag = (_fitted(part, half) for part in as_complex(x).parts)
    # The first number, and for an even size the last, is its own mirror image, so its imaginary part does not
    # count. The numbers between them occur twice.
    inner = slice(1, (size + 1) // 2)
    mirrored = [real[..., inner][..., ::-1], -imag[..., inner][..., ::-1]]
    first = imag[..., :1] * 0
    last = [imag[..., half - 1 :] * 0] if size % 2 == 0 else []
    parts = (
        lift(np.concatenate([real, mirrored[0]], axis=-1)),
        lift(np.concatenate([first, imag[..., inner], *last, mirrored[1]], axis=-1)),
    )
    result = _transform(parts, True, scale).real
    return _finished(result, place, out)


def _known_last(x: Tensor) -> int:
    size = x.sizes[-1]
    if size is None:
        return _length(None, x, x.ndim - 1)
    return size


_SWAPPED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
"""The norm of the opposite direction: a Hermitian transform is an inverse transform of the conjugate."""


def _swapped(norm: Any) -> str:
    if norm is not None and norm not in _SWAPPED:
        _scale_of(1, norm, False)
    return _SWAPPED[norm]


def _hfft(a: object, n: object = None, axis: object = -1, norm: object = None, out: object = None) -> object:
    size = 2 * (_known_size(a, axis) - 1) if n is None else n
    return _irfft(np.conjugate(lift(a)), size, axis, _swapped(norm), out)


def _known_size(a: object, axis: object) -> int:
    return _known_last(_last(a, axis)[0])


def _ihfft(
    a: ArrayLike, n: Size | None = None, axis: int = -1, norm: Any = None, out: object = None
) -> object:
    return store(np.conjugate(_rfft(a, n, axis, _swapped(norm))), out)


# Several axes


def _lengths(a: object, s: Any, axes: Any, is_inverse_of_real: bool = False) -> tuple[list[Any], list[int]]:
    """The numbers of points and the axes, as NumPy reads its arguments ``s`` and ``axes``."""
    x = lift(a)
    if s is None:
        places = list(range(-x.ndim, 0)) if axes is None else list(axes)
        sizes: list[Any] = [x.sizes[normal_axis(place, x.ndim)] for place in places]
        if is_inverse_of_real and places:
            sizes[-1] = None if sizes[-1] is None else (sizes[-1] - 1) * 2
        return sizes, places
    sizes = list(s)
    places = list(range(-len(sizes), 0)) if axes is None else list(axes)
    if len(sizes) != len(places):
        raise value_error("Shape and axes have different lengths.")
    present = [x.sizes[normal_axis(place, x.ndim)] for place in places]
    return [was if size == -1 else size for size, was in zip(sizes, present, strict=True)], places


def _along_axes(one: Callable[..., Any]) -> Callable[..., Any]:
    def transform(
        a: object, s: object = None, axes: object = None, norm: object = None, out: object = None
    ) -> object:
        sizes, places = _lengths(a, s, axes)
        result = lift(a)
        if not places:  # NumPy returns the argument as an array.
            return store(np.array(result), out)
        for size, place in list(zip(sizes, places, strict=True))[::-1]:
            result = one(result, size, place, norm)
        return store(result, out)

    return transform


_fftn, _ifftn = _along_axes(_fft), _along_axes(_ifft)


def _rfftn(
    a: object, s: object = None, axes: object = None, norm: object = None, out: object = None
) -> object:
    sizes, places = _lengths(a, s, axes)
    result = _rfft(a, sizes[-1], places[-1], norm)
    for size, place in list(zip(sizes[:-1], places[:-1], strict=True))[::-1]:
        result = _fft(result, size, place, norm)
    return store(result, out)


def _irfftn(a: Any, s: object = None, axes: Any = None, norm: Any = None, out: object = None) -> object:
    sizes, places = _lengths(a, s, axes, is_inverse_of_real=True)
    result = lift(a)
    for size, place in zip(sizes[:-1], places[:-1], strict=True):
        result = _ifft(result, size, place, norm)
    return _irfft(result, sizes[-1], places[-1], norm, out)


def _of_two(several: Callable[..., Any]) -> Callable[..., Any]:
    def transform(
        a: object, s: object = None, axes: object = (-2, -1), norm: object = None, out: object = None
    ) -> object:
        return several(a, s, axes, norm, out)

    return transform


_FAMILY: dict[str, Callable[..., Any]] = {
    "fft": _fft,
    "ifft": _ifft,
    "rfft": _rfft,
    "irfft": _irfft,
    "hfft": _hfft,
    "ihfft": _ihfft,
    "fftn": _fftn,
    "ifftn": _ifftn,
    "rfftn": _rfftn,
    "irfftn": _irfftn,
    "fft2": _of_two(_fftn),
    "ifft2": _of_two(_ifftn),
    "rfft2": _of_two(_rfftn),
    "irfft2": _of_two(_irfftn),
}

for _name, _implementation in _FAMILY.items():
    overload(getattr(np.fft, _name))(_implementation)
    complex_overload(getattr(np.fft, _name))(_implementation)
