"""Functions whose results may be views of their arguments: the same memory under another name."""

from __future__ import annotations

import numpy as np

from autograph._src.tangent import runtime

_VIEWS = (
    runtime.storable,
    np.asarray,
    np.asanyarray,
    np.ascontiguousarray,
    np.asfortranarray,
    np.require,
    np.reshape,
    np.ravel,
    np.transpose,
    np.matrix_transpose,
    np.permute_dims,
    np.swapaxes,
    np.moveaxis,
    np.rollaxis,
    np.squeeze,
    np.expand_dims,
    np.broadcast_to,
    np.broadcast_arrays,
    np.atleast_1d,
    np.atleast_2d,
    np.atleast_3d,
    np.split,
    np.array_split,
    np.hsplit,
    np.vsplit,
    np.dsplit,
    np.unstack,
    np.diagonal,
    np.diag,
    np.linalg.diagonal,
    np.linalg.matrix_transpose,
    np.real,
    np.imag,
    np.flip,
    np.fliplr,
    np.flipud,
    np.rot90,
    np.nan_to_num,
    np.lib.stride_tricks.sliding_window_view,
    np.astype,
    np.ndarray.T,
    np.ndarray.mT,
    np.ndarray.real,
    np.ndarray.imag,
    np.ndarray.flat,
    np.ndarray.astype,
    np.ndarray.view,
    np.ndarray.reshape,
    np.ndarray.ravel,
    np.ndarray.transpose,
    np.ndarray.swapaxes,
    np.ndarray.squeeze,
    np.ndarray.diagonal,
)

_identities = {id(function) for function in _VIEWS}


def is_view(function: object) -> bool:
    """Whether the result of a function may be a view of an argument."""
    return id(function) in _identities
