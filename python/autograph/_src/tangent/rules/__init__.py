"""The rules, by family. Importing this package registers them.

Start with ``arithmetic.py``.
"""

from autograph._src.tangent.rules import (
    arithmetic,
    choices,
    constants,
    cumulative,
    exponentials,
    fourier,
    indexing,
    joining,
    linear_algebra,
    lookups,
    ordering,
    polynomials,
    products,
    python,
    random,
    ranges,
    reductions,
    runtime,
    shapes,
    statistics,
    trigonometry,
    writes,
)

__all__ = [
    "arithmetic",
    "choices",
    "constants",
    "cumulative",
    "exponentials",
    "fourier",
    "indexing",
    "joining",
    "linear_algebra",
    "lookups",
    "ordering",
    "polynomials",
    "products",
    "python",
    "random",
    "ranges",
    "reductions",
    "runtime",
    "shapes",
    "statistics",
    "trigonometry",
    "writes",
]
