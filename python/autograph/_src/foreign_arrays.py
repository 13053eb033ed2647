"""Arrays of other libraries as arguments: PyTorch, JAX and others, without a copy.

    f(torch.ones(3))        runs the graph on the tensor's own memory; the result is a NumPy array

A staged function takes any object with ``__dlpack__`` or ``__array_interface__`` as an array. Invariant: it
does not copy the array, so the array's owner sees what the function writes in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph.errors import StagingError

_CPU = 1
"""DLPack's device type of the CPU."""


def with_foreign_arrays(leaves: list[Any]) -> list[Any]:
    """Replaces arrays of other libraries among the leaves by NumPy arrays that share their memory.

    Args:
        leaves: The leaves of a call's arguments.

    Returns:
        A new list, or the same list if it holds no such array.

    Raises:
        StagingError: If an array is not in the CPU's memory.
    """
    if all(type(leaf) in _PLAIN for leaf in leaves):
        return leaves
    # An object that is passed twice is one array.
    made: dict[int, Any] = {}
    return [made.setdefault(id(leaf), leaf) if id(leaf) in made else _enter(leaf, made) for leaf in leaves]


_PLAIN = (np.ndarray, np.float64, np.int64, float, int, bool, str, type(None))


def _enter(leaf: object, made: dict[int, Any]) -> object:
    if isinstance(leaf, (np.ndarray, np.generic)):
        return leaf
    if hasattr(type(leaf), "__dlpack__") and hasattr(type(leaf), "__dlpack_device__"):
        made[id(leaf)] = _from_dlpack(leaf)
    elif _has(leaf, "__array_interface__"):
        made[id(leaf)] = np.asarray(leaf)
    else:
        return leaf
    return made[id(leaf)]


def _from_dlpack(leaf: Any) -> object:
    device = int(leaf.__dlpack_device__()[0])
    if device != _CPU:
        raise StagingError(
            f"{with_article(type(leaf).__name__)} that is not in the processor's memory cannot be staged"
            f" (DLPack device {device})",
            code="AG105",
            help="copy it to the CPU first",
        )
    return np.from_dlpack(leaf)


def _has(leaf: object, name: str) -> bool:
    """Whether an object or its class has an attribute, found without calling its `__getattr__`."""
    return hasattr(type(leaf), name) or name in getattr(leaf, "__dict__", ())
