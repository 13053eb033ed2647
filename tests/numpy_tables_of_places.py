"""Cases of NumPy's functions of places, spaces and orders, which the run may know only."""

from __future__ import annotations

import numpy as np
from numpy_cases import cases

PLACE_CASES = [
    *cases(
        "tame axis",
        repeat=[
            lambda x: np.repeat(x, np.abs(x.astype(np.int64)).ravel() % 3),
            lambda x: np.repeat(x, np.abs(x.ravel()[0].astype(np.int64)), axis=0),
            lambda x: np.repeat(x, (x != 0).ravel()[: x.shape[-1]], axis=-1),
            lambda x: np.repeat(x, np.array([x.size]), axis=0),
            lambda x: np.repeat(x, x.ravel()),
        ],
        reshape=[
            lambda x: np.reshape(x, x.shape[::-1], order="F"),
            lambda x: np.reshape(x, (-1, 1), order="F"),
            lambda x: np.reshape(x, (x.shape[0], -1), order="F"),
        ],
        ravel=[lambda x: np.ravel(x, "F"), lambda x: np.ravel(np.transpose(x), order="F")],
        unravel_index=[
            lambda x: np.unravel_index(np.argmax(x), x.shape),
            lambda x: np.unravel_index(np.argsort(x.ravel(), kind="stable"), x.shape, order="F"),
            lambda x: np.unravel_index(x, (3, 4)),
        ],
        ravel_multi_index=[
            lambda x: np.ravel_multi_index(np.nonzero(x), x.shape),
            lambda x: np.ravel_multi_index((x, x[0]), (4, 5), mode=("clip", "wrap")),
            lambda x: np.ravel_multi_index((x, x), (4, 5), order="F"),
        ],
        logspace=[
            lambda x: np.logspace(0, x / 4, 5),
            lambda x: np.logspace(x[0], 1, 4, base=2.0, endpoint=False, axis=-1),
            lambda x: np.logspace(0, x.ravel()[0], 3, dtype=np.float32),
        ],
        geomspace=[
            lambda x: np.geomspace(1, x, 4),
            lambda x: np.geomspace(-8.0, -1.0 - x * x, 5, endpoint=False),
            lambda x: np.geomspace(x * x + 1.0, 9, 1, axis=-1),
        ],
        linspace=[
            lambda x: np.linspace(0, x, 5, retstep=True),
            lambda x: np.linspace(x.ravel()[0], 2, 1, True, True),
            lambda x: np.linspace(0, x[0], 3, endpoint=False, retstep=True, axis=-1),
        ],
        quantile=[
            lambda x: np.quantile(x, x.ravel()[0] / 6),
            lambda x: np.quantile(x, np.abs(x.ravel()) / 6.0, axis=0),
            lambda x: np.quantile(x, float(x.ravel()[0]) / 6, axis=-1, keepdims=True),
        ],
        percentile=lambda x: np.percentile(x, np.abs(x.ravel()[0]) * 10.0),
        unique=[
            lambda x: np.unique(x, axis=0),
            lambda x: np.unique(x, axis=-1, return_index=True, return_inverse=True, return_counts=True),
        ],
        histogram=[
            lambda x: np.histogram(x, 3, weights=x),
            lambda x: np.histogram(x, 4, (-2.0, 2.0), weights=np.abs(x) * 1.0, density=True),
            lambda x: np.histogram(x, [-2, 0, 1, 4], weights=x * 2),
        ],
    ),
    *cases(
        "full axis",
        nanpercentile=[
            lambda x: np.nanpercentile(x, 40),
            lambda x: np.nanpercentile(x.astype(float), [10, 75.0], axis=0),
        ],
        nanquantile=lambda x: np.nanquantile(x.astype(float), (0.0, 0.5), axis=-1),
        unique=lambda x: np.unique(x, axis=0, return_counts=True),
        compress=lambda x: x.compress(np.ravel(x) > 0),
        nonzero=lambda x: x.nonzero(),
    ),
    *cases(
        "tame rows",
        gradient=[
            lambda x: np.gradient(x, np.cumsum(np.abs(x[:, 0]) + 1.0), axis=0),
            lambda x: np.gradient(x, x[0, 0] * 0 + 2.0, np.arange(x.shape[1]) * 3 + x[0, 0], axis=(0, 1)),
            lambda x: np.gradient(x, np.cumsum(np.abs(x[:, 0]) + 1.0), axis=0, edge_order=2),
            lambda x: np.gradient(x, x[0], axis=1),
        ],
        cross=[
            lambda x: np.cross(x[:, :2], x[:, -2:]),
            lambda x: np.cross(x[0, :2], np.array([1, 2, 3], x.dtype)),
            lambda x: np.cross(x[:2].T, np.ones((x.shape[1], 3)), axisc=0),
            lambda x: np.cross(np.ones(3), x[:2], axisb=0),
        ],
    ),
    *cases(
        "tame vector",
        **{
            "lib.stride_tricks.sliding_window_view": [
                lambda x: np.lib.stride_tricks.sliding_window_view(x, 2),
                lambda x: np.lib.stride_tricks.sliding_window_view(x, 1, axis=-1),
            ]
        },
    ),
    *cases(
        "rows",
        **{
            "lib.stride_tricks.sliding_window_view": [
                lambda x: np.lib.stride_tricks.sliding_window_view(x, (2, 1), axis=(0, 1)),
                lambda x: np.lib.stride_tricks.sliding_window_view(x, (1,) * x.ndim),
                lambda x: np.lib.stride_tricks.sliding_window_view(x, (2, 2), axis=(0, 0)),
            ]
        },
    ),
]


SERIES_CASES = cases(
    "tame vector",
    **{
        "polynomial.polynomial.polyval": [
            lambda x: np.polynomial.polynomial.polyval(x, [1, 2, 3]),
            lambda x: np.polynomial.polynomial.polyval(0.5, x),
            lambda x: np.polynomial.polynomial.polyval(x, np.stack([x, x, x]), tensor=False),
            lambda x: np.polynomial.polynomial.polyval(x, np.stack([x, x * 2], axis=-1)),
        ],
        "polynomial.polynomial.polyvander": lambda x: np.polynomial.polynomial.polyvander(x, 3),
        "polynomial.polynomial.polyder": lambda x: np.polynomial.polynomial.polyder(x),
        "polynomial.chebyshev.chebval": [
            lambda x: np.polynomial.chebyshev.chebval(x, [1, 2, 3]),
            lambda x: np.polynomial.chebyshev.chebval(x, np.stack([x, x * 2], axis=-1)),
        ],
        "polynomial.chebyshev.chebvander": lambda x: np.polynomial.chebyshev.chebvander(x, 3),
        "polynomial.chebyshev.chebder": lambda x: np.polynomial.chebyshev.chebder(x),
        "polynomial.hermite.hermval": lambda x: np.polynomial.hermite.hermval(x, [1, 2, 3]),
        "polynomial.hermite.hermvander": lambda x: np.polynomial.hermite.hermvander(x, 3),
        "polynomial.hermite.hermder": lambda x: np.polynomial.hermite.hermder(x),
        "polynomial.hermite_e.hermeval": lambda x: np.polynomial.hermite_e.hermeval(x, [1, 2, 3]),
        "polynomial.hermite_e.hermevander": lambda x: np.polynomial.hermite_e.hermevander(x, 3),
        "polynomial.hermite_e.hermeder": lambda x: np.polynomial.hermite_e.hermeder(x),
        "polynomial.laguerre.lagval": lambda x: np.polynomial.laguerre.lagval(x, [1, 2, 3]),
        "polynomial.laguerre.lagvander": lambda x: np.polynomial.laguerre.lagvander(x, 3),
        "polynomial.laguerre.lagder": lambda x: np.polynomial.laguerre.lagder(x),
        "polynomial.legendre.legval": lambda x: np.polynomial.legendre.legval(x, [1, 2, 3]),
        "polynomial.legendre.legvander": lambda x: np.polynomial.legendre.legvander(x, 3),
        "polynomial.legendre.legder": lambda x: np.polynomial.legendre.legder(x),
        "poly1d.__call__": lambda x: np.poly1d.__call__(np.poly1d([1.0, -2, 3]), x),
        "polynomial.Polynomial.__call__": lambda x: np.polynomial.Polynomial.__call__(
            np.polynomial.Polynomial([1.0, -2, 3], domain=[0, 4]), x
        ),
    },
)
