"""``np.round``, to decimals and half to even, and ``np.fix``, towards zero."""

from __future__ import annotations

import operator

import numpy as np

from autograph._src.numpy.calls.registry import overload, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import apply, store
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import note_view
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap

_INTEGERS_STAY = np.shares_memory(*(lambda x: (x, np.round(x)))(np.zeros(1, int)))
"""Whether NumPy's rounding of an integer array returns the array itself, as older versions do."""


@overload(np.fix)
def _fix(x: object, out: object = None) -> object:
    return store(apply(np.trunc, x), out)


@overload(np.round, np.around)
def round_to(a: object, decimals: int = 0, out: object = None) -> object:
    """``np.round``: scaled, rounded and scaled back, as NumPy does it."""
    x = lift(a)
    if isinstance(decimals, Tensor):
        raise unsupported_option(np.round, "decimals")
    decimals = operator.index(decimals)
    if x.dtype.kind in "iu" and decimals >= 0:
        result = wrap(emit("reshape", x.read(), list(x.shape)))
        if _INTEGERS_STAY and x.form is Form.ARRAY and x.shape:
            note_view(result, x)
        return store(result, out)
    if x.dtype.kind in "iu":
        tens = apply(np.multiply, apply(np.rint, apply(np.true_divide, x, 10**-decimals)), 10**-decimals)
        return store(lift(tens).astype(x.dtype), out)
    if x.dtype.kind != "f":
        raise unsupported_option(np.round, "decimals")
    if decimals == 0:
        return store(apply(np.rint, x), out)
    if isinstance(out, Tensor) and out.dtype != x.dtype:
        raise unsupported_option(np.round, "out")  # NumPy stores scaled numbers in it, which may overflow.
    power = 10.0 ** abs(decimals)
    scale, back = (np.multiply, np.divide) if decimals > 0 else (np.divide, np.multiply)
    return store(apply(back, apply(np.rint, apply(scale, x, power)), power), out)
