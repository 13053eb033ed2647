"""Values, real or complex, whose derivative is another than that of what computes them; see `slopes`."""

from __future__ import annotations

from autograph._src.staging.complex.complex_tensor import ComplexTensor, as_complex
from autograph._src.staging.tensors import slopes
from autograph._src.staging.tensors.tensor import Tensor


def without_slope(x: Tensor) -> Tensor:
    """The same value, treated as a constant by gradients."""
    if isinstance(x, ComplexTensor):
        return ComplexTensor(*map(slopes.without_slope, x.parts))
    return slopes.without_slope(x)


def with_slope(x: Tensor, slope: object) -> Tensor:
    """The same value with the derivatives, of each order, of a value that equals it.

    Args:
        x: The value, a float or complex.
        slope: A value of the same dtype and shape.
    """
    if isinstance(x, ComplexTensor):
        return ComplexTensor(*map(slopes.with_slope, x.parts, as_complex(slope).parts))
    return slopes.with_slope(x, slope)
