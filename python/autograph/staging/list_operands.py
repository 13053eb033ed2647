"""What stands beside a list in an operator: `xs * n`, `ys += xs`."""

from __future__ import annotations

import dis
import sys
from typing import Any

import numpy as np

from autograph.backends.protocol import active_backend, backend_of
from autograph.staging.frames import user_frame
from autograph.staging.list_indices import no_factor
from autograph.staging.tensor import Kind, Tensor
from autograph.staging.trace import staging_error


def is_plain(value: Any) -> bool:
    """Whether it can be compared in Python: it is not staged, and holds nothing that is."""
    return backend_of(value) is None and not isinstance(value, (list, tuple, np.ndarray))


def is_staged_int(value: Any) -> bool:
    """Whether it is a staged integer."""
    return isinstance(value, Tensor) and not value.shape and value.dtype.kind in "iu"


def refuse_factor(count: Any) -> Any:
    """A list times a float, which NumPy's scalars refuse too; an array multiplies the elements."""
    if isinstance(count, Tensor) and not count.shape and count.kind is not Kind.ARRAY:
        # No `TypeError`: the variable may be an integer on the path that is taken.
        raise staging_error("AG120", no_factor(count), "convert it: `int(n)`")
    return NotImplemented


def is_in_place() -> bool:
    """Whether the running instruction of the program is ``+=``."""
    if sys._getframe(2).f_code.co_name in ("update_item", "update_attr"):  # `operator.iadd`
        return True
    frame = user_frame()
    if frame is None or active_backend() is None:
        return False
    code, place = frame.f_code.co_code, frame.f_lasti
    return dis.opname[code[place]] == "BINARY_OP" and code[place + 1] >= _IN_PLACE


def is_product_of_scalar(ufunc: np.ufunc, operands: tuple[Any, ...]) -> bool:
    """Whether NumPy asks for ``np.float64(2) * xs``, which it leaves to a list, unlike `np.multiply`."""
    frame = user_frame() if ufunc is np.multiply and isinstance(operands[0], (np.generic, list)) else None
    if frame is None or not isinstance(operands[-1], (np.generic, list)):
        return False
    return dis.opname[frame.f_code.co_code[frame.f_lasti]] == "BINARY_OP"


def repeated_by_scalar(one: Any, other: Any) -> Any:
    """A list as often as a scalar of NumPy says, which has to be an integer."""
    values, count = (one, other) if isinstance(one, list) else (other, one)
    if not isinstance(count, np.integer):
        raise TypeError(no_factor(count))
    return values * int(count)


_IN_PLACE = 13
"""From this number on, CPython's kinds of ``BINARY_OP`` are in place."""
