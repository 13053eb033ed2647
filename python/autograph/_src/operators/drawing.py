"""Calls that draw random numbers: of ``random``, and of NumPy's generators before ``np.random.Generator``."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from autograph._src.backends.protocol import Backend
from autograph._src.operators.impurity import refuse_impure

GENERATORS = (random.Random, np.random.RandomState)
"""Classes whose methods draw. A module's functions are methods of an object that it hides."""

OF_CYTHON = type(np.random.seed)
DRAWING: dict[Any, Any] = {
    np.random.seed: np.random.mtrand._rand.seed,
    np.random.sample: np.random.random_sample,
    np.random.ranf: np.random.random_sample,
}
"""Functions of ``np.random`` that are no methods of the generator whose state it hides, and these methods."""


def drawn(backend: Backend, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """A draw that each run asks Python for, or such a generator; one that a run cannot make is refused."""
    made = backend.call_builtin(function, args, kwargs)
    if made is not NotImplemented:
        return made
    refuse_impure(function, args)
    return function(*args, **kwargs)
