"""Objects of the program that NumPy takes for arrays: their class has ``__array__``.

    class Signal:
        def __array__(self, dtype=None, copy=None):
            return self.samples

    x + signal              x + np.asarray(signal)

The method is converted and runs while the graph is recorded, as any method of the program. An object of a
library, such as a pandas ``Series``, has code that is not staged: `np.asarray` has to make the array before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.calls import converted_call
from autograph._src.policy import is_user_class
from autograph._src.staging.tensors.lifting import OF_OBJECTS, lift
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import require_trace

_OWN_RULES = ("__array_ufunc__", "__array_function__")


def array_of(value: object) -> Any:
    """What NumPy makes of an object with ``__array__``; ``None`` if its class has none that is staged.

    Raises:
        ValueError: NumPy's own, if the method gives no array.
    """
    kind: Any = type(value)
    if backend_of(value) is not None or not hasattr(kind, "__array__") or not is_user_class(kind):
        return None
    if any(hasattr(kind, name) for name in _OWN_RULES):
        return None
    made = converted_call(kind.__array__, value)
    if not isinstance(made, np.ndarray) and not (isinstance(made, Tensor) and made.form is Form.ARRAY):
        raise ValueError("object __array__ method not producing an array")
    require_trace().note(f"a {kind.__name__} beside a staged value is the array that its `__array__` gives")
    return lift(made)


OF_OBJECTS.append(array_of)
