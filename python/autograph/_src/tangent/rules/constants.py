"""What has no derivative: results that are integers, truths, shapes, or steps."""
# mypy: ignore-errors

import builtins
import math
import operator

import numpy as np

from autograph._src.tangent.registry import newer, register_non_differentiable

STEPS = (
    np.floor,
    np.ceil,
    np.trunc,
    np.rint,
    np.fix,
    np.round,
    np.around,
    np.sign,
    np.signbit,
    np.floor_divide,
)

COMPARISONS = (
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    *(np.logical_and, np.logical_or, np.logical_xor, np.logical_not, np.isnan, np.isinf, np.isfinite),
    *(
        np.isclose,
        np.allclose,
        np.array_equal,
        np.array_equiv,
        np.isin,
        np.any,
        np.all,
        np.iscomplex,
        np.isreal,
    ),
    *(np.isposinf, np.isneginf, np.iscomplexobj, np.isrealobj, np.isscalar, np.iterable),
)

PLACES = (
    *(np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.argsort, np.argpartition, np.lexsort, np.argwhere),
    *(np.nonzero, np.flatnonzero, np.searchsorted, np.digitize, np.count_nonzero, np.unravel_index),
    *(np.ravel_multi_index, np.diag_indices, np.diag_indices_from, np.tril_indices, np.tril_indices_from),
    *(np.triu_indices, np.triu_indices_from, np.mask_indices, np.indices, np.ix_, np.ndindex, np.ndenumerate),
    *(np.packbits, np.unpackbits),
)

FORMS = (
    *(np.shape, np.ndim, np.size, np.result_type, np.promote_types, np.common_type, np.min_scalar_type),
    *(np.can_cast, np.issubdtype, newer("isdtype"), np.finfo, np.iinfo, np.dtype, np.broadcast_shapes),
    *(np.typename, np.mintypecode, np.einsum_path),
)

CREATION = (
    *(np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like, np.eye, np.identity, np.tri),
    *(np.hanning, np.hamming, np.blackman, np.bartlett, np.int64, np.int32, np.int8, np.uint8),
    *(np.bool_, np.intp, np.int16, np.uint16, np.uint32, np.uint64),
)

BITS = (
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
    np.invert,
    np.left_shift,
    np.right_shift,
    np.gcd,
    np.lcm,
)

OPERATORS = (
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.not_),
    *(operator.is_, operator.is_not, operator.contains, operator.truth, operator.floordiv, operator.index),
    *(operator.and_, operator.xor, operator.invert, operator.lshift, operator.rshift),
)

BUILTINS = (
    *(len, range, int, bool, isinstance, issubclass, print, type, id, hash, callable),
    *(hasattr, any, all, ord, chr, bin, hex, oct, ascii, bytes, builtins.slice, round),
)

MATHEMATICS = (
    *(
        math.floor,
        math.ceil,
        math.trunc,
        math.isnan,
        math.isinf,
        math.isfinite,
        math.isclose,
        math.gcd,
        math.ulp,
    ),
    *(math.lcm, math.factorial, math.comb, math.perm, math.isqrt),
)

OF_ARRAYS = (
    *(np.ndarray.shape, np.ndarray.ndim, np.ndarray.size, np.ndarray.dtype, np.ndarray.itemsize),
    *(np.ndarray.nbytes, np.ndarray.strides, np.ndarray.flags, np.ndarray.argmax, np.ndarray.argmin),
    *(np.ndarray.argsort, np.ndarray.argpartition, np.ndarray.any, np.ndarray.all, np.ndarray.nonzero),
    *(np.ndarray.searchsorted, np.ndarray.round, np.ndarray.tobytes),
)

STANDARD_DRAWS = (
    *("random", "rand", "randn", "randint", "random_sample", "standard_normal", "standard_exponential"),
    "standard_cauchy",
)

register_non_differentiable(
    *STEPS, *COMPARISONS, *PLACES, *FORMS, *CREATION, *BITS, *OPERATORS, *BUILTINS, *MATHEMATICS, *OF_ARRAYS
)
register_non_differentiable(np.spacing, np.random.default_rng, np.random.seed)
register_non_differentiable(*(newer(f"random.{name}") for name in STANDARD_DRAWS))
register_non_differentiable(
    *(
        newer(f"random.Generator.{name}")
        for name in ("random", "integers", "standard_normal", "standard_exponential")
    )
)
