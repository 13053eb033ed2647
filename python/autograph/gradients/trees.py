"""Trees of tangents and cotangents: whether they fit the values that they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.gradients.recorded import is_float
from autograph.staging.tensor import Tensor, lift
from autograph.staging.trace import staging_error
from autograph.trees import flatten, leaf_paths


def frozen(value: Any) -> Any:
    """A tree as it is now: the caller may write to its arrays later."""
    leaves: list[Any] = []
    _, rebuild = flatten(value, leaves)
    return rebuild([leaf.copy() if isinstance(leaf, np.ndarray) else leaf for leaf in leaves])


def fitted(name: str, word: str, given: Any, like: Any) -> list[Tensor]:
    """The leaves of a tree of tangents, for the leaves of another tree that have derivatives.

    Raises:
        StagingError: If the trees, the shapes or the dtypes differ (AG144).
    """
    leaves: list[Any] = []
    wanted: list[Any] = []
    if flatten(given, leaves)[0] != flatten(like, wanted)[0]:
        raise staging_error(
            "AG144",
            f"the {word} given to {name} is another tree than its value",
            f"pass a {word} of the same structure: the same tuples, dicts and lists",
        )
    paths = leaf_paths(like, "value")
    return [
        _fitted_leaf(name, word, tangent, value, path)
        for tangent, value, path in zip(leaves, wanted, paths, strict=True)
        if is_float(value)
    ]


def _fitted_leaf(name: str, word: str, tangent: Any, value: Any, path: str) -> Tensor:
    of = lift(value)
    if not isinstance(tangent, (float, int, np.generic, np.ndarray, Tensor)):
        raise staging_error(
            "AG144", f"the {word} of `{path}` given to {name} is a {type(tangent).__name__}, not a float"
        )
    is_python = type(tangent) in (float, int)
    staged = lift(float(tangent) if type(tangent) is int else tangent)
    if staged.dtype != of.dtype and (is_python or staged.kind.value == "python"):
        staged = staged.astype(of.dtype)
    agrees = len(staged.sizes) == len(of.sizes) and all(
        one == other or None in (one, other) for one, other in zip(staged.sizes, of.sizes, strict=True)
    )
    if staged.dtype != of.dtype or not agrees:
        raise staging_error(
            "AG144",
            f"the {word} of `{path}` given to {name} is {staged.describe()}, and the value {of.describe()}",
            f"a {word} has the shape and the dtype of its value",
        )
    return staged
