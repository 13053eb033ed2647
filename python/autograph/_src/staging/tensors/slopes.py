"""Values whose derivative is another than that of what computes them.

y = with_slope(np.sin(x) / x, series)       # the quotient, with the derivative of a series of powers
y = without_slope(x)                        # a constant for gradients
"""

from __future__ import annotations

from autograph import _core
from autograph._src.staging.tensors.tensor import Tensor, emit
from autograph._src.staging.trace.active import require_trace


def without_slope(x: Tensor) -> Tensor:
    """The same value, treated as a constant by gradients."""
    trace = require_trace()
    return Tensor(trace, _core.identity(trace.locate_in_graph(), x.read(), True), x.form)


def with_slope(x: Tensor, slope: object) -> Tensor:
    """The same value with the derivatives, of each order, of a value that equals it.

    Without gradients, nothing of the other value is computed.

    Args:
        x: The value, a float.
        slope: A value of the same dtype and shape.
    """
    if not isinstance(slope, Tensor) or slope.dtype.kind != "f":
        return x
    return Tensor(require_trace(), emit("with_slope", x.read(), slope.read()), x.form)
