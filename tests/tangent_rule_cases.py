"""The calls that the rules of Tangent are tried with, by family, with every option that a rule has."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from tangent_rules import Call, const
from tangent_series_cases import SERIES_CALLS

DRAWS = np.random.default_rng(7)
GENERATOR = np.random.default_rng(8)


def r(*shape: int) -> Any:
    """Numbers of both signs, none near another or near 0."""
    size = int(np.prod(shape))
    values = (DRAWS.permutation(size) + 0.3 + 0.4 * DRAWS.random(size) - size // 2) * (3.0 / max(size, 3))
    return values.reshape(shape)


def u(*shape: int) -> Any:
    """Numbers between 0.1 and 0.9."""
    return DRAWS.uniform(0.1, 0.9, shape)


def p(*shape: int) -> Any:
    """Numbers between 1.1 and 3."""
    return DRAWS.uniform(1.1, 3.0, shape)


def c(*shape: int) -> Any:
    """Complex numbers."""
    return DRAWS.normal(size=shape) + 1j * DRAWS.normal(size=shape)


def holes(*shape: int) -> Any:
    """Numbers with a NaN among them."""
    x = r(*shape)
    x[(0,) * len(shape)] = np.nan
    return x


def call(function: Any, *args: Any, **options: Any) -> Call:
    return Call(function, args, options)


def newer(name: str, *args: Any, **options: Any) -> list[Call]:
    """A call of what later versions of NumPy have."""
    found: Any = np
    for part in name.split("."):
        found = getattr(found, part, None)
    return [] if found is None else [Call(found, args, options)]


def each(functions: list[Any], *args: Any, **options: Any) -> list[Call]:
    return [Call(function, args, options) for function in functions]


UNARY = [
    *each([np.negative, np.positive, np.square, np.exp, np.exp2, np.expm1, np.sin, np.cos, np.tan], r(3, 4)),
    *each([np.sinh, np.cosh, np.tanh, np.arctan, np.arcsinh, np.deg2rad, np.rad2deg, np.radians], r(3, 4)),
    *each([np.degrees, np.absolute, np.fabs, np.cbrt, np.sinc, np.i0, np.reciprocal, np.nan_to_num], r(3, 4)),
    *each([np.real, np.imag, np.real_if_close, np.conjugate, np.angle, np.unwrap], r(3, 4)),
    *each([np.sqrt, np.log, np.log2, np.log10, np.log1p, np.arcsin, np.arccos, np.arctanh], u(3, 4)),
    *each([np.arccosh], p(3, 4)),
    *each([operator.neg, operator.pos, operator.abs, abs], r(4)),
    *each([np.exp, np.sqrt, np.log, np.sin, np.tanh, operator.neg, abs, np.square], 0.7),
    *each([np.exp, np.tanh, np.sqrt, np.log], np.float32(0.7)),
    *each([np.modf, np.frexp], r(3, 4)),
    *each([np.exp, np.log, np.sqrt, np.sin, np.cos, np.tan, np.tanh, np.square, np.reciprocal], c(3)),
    *each([np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.absolute, abs, np.conjugate, np.real], c(3)),
    *each([np.imag, np.angle], c(3)),
    call(np.angle, c(3), deg=True),
    call(np.angle, r(3), True),
    call(np.sinc, np.array([0.0, 0.01, -0.09, 0.1, 2.5])),
    call(np.i0, np.array([0.0, 0.01, 3.0, -9.0, 20.0])),
    call(np.nan_to_num, np.array([1.5, np.inf]), nan=1.0, posinf=2.0, neginf=-2.0),
    call(np.unwrap, 3 * r(3, 4), axis=0),
    *each([np.exp, np.square, operator.neg], np.zeros((0, 3))),
]

BINARY = [
    *each(
        [np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum, np.fmax, np.fmin], r(3, 4), r(4)
    ),
    *each([np.arctan2, np.hypot, np.logaddexp, np.logaddexp2, np.copysign, np.heaviside], r(3, 1), r(4)),
    *each([np.remainder, np.fmod, np.divmod, divmod, operator.mod], r(3, 4), p(4)),
    *each([np.power, np.float_power, operator.pow], p(3, 4), r(4)),
    *each([operator.add, operator.sub, operator.mul, operator.truediv], r(3, 4), r(3, 1)),
    *each([operator.add, operator.sub, operator.mul, operator.truediv], 0.7, r(3)),
    *each([operator.add, operator.sub, operator.mul, operator.truediv, operator.pow], r(3) ** 2, 0.7),
    *each([operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.mod], 0.7, 1.3),
    *each([np.multiply, np.divide, np.add], np.float32(0.7), r(3).astype(np.float32)),
    *each([np.multiply, np.add], r(2, 1, 3), r(4, 1)),
    *each([np.multiply, np.divide, np.add, np.subtract], c(3), r(2, 3)),
    *each([np.multiply, np.subtract], [0.5, 1.5], r(3, 2)),
    *each([np.multiply, np.add], np.zeros((0, 3)), r(3)),
    *each([np.multiply, np.power], p(3), const(2.0)),
    call(operator.pow, p(3), const(3)),
    call(np.power, np.array([0.0, 1.5, -2.0]), const(np.array([2, 0, 3]))),
    call(np.ldexp, r(3), const(np.array([1, -2, 3]))),
    call(np.nextafter, r(3), r(3)),
    call(np.clip, r(3, 4), -0.3, 0.9),
    call(np.clip, r(3, 4), r(4) - 2.0, None),
    call(np.clip, r(3, 4), None, 0.9),
    call(np.clip, r(3, 4), r(3, 1) - 1.0, r(4) + 1.0),
    call(np.ndarray.clip, r(3, 4), -0.3, 0.9),
    call(np.ndarray.clip, r(3, 4), max=0.9),
    call(np.where, np.array([True, False, True]), r(2, 3), r(3)),
    call(np.where, np.array([True, False, True]), 0.5, r(3)),
    call(np.select, [np.array([True, False, False]), np.array([True, True, False])], [r(3), r(3)], 0.5),
    call(np.select, [np.array([True, False, False])], [r(3)]),
    call(np.choose, np.array([0, 2, 1, 0]), [r(4), 1.5, r(4)]),
    call(np.choose, np.array([0, 5, 1, 0]), [r(4), r(4)], mode="clip"),
]

REDUCTIONS_OF_AXES = [np.sum, np.mean, np.max, np.min, np.amax, np.amin, np.var, np.std, np.prod, np.ptp]
REDUCTIONS_OF_NANS = [np.nansum, np.nanmean, np.nanmax, np.nanmin, np.nanvar, np.nanstd, np.nanprod]
METHODS_OF_AXES = [np.ndarray.sum, np.ndarray.mean, np.ndarray.max, np.ndarray.min, np.ndarray.prod]
METHODS_OF_AXES += [np.ndarray.var, np.ndarray.std]

REDUCTIONS = [
    *each([*REDUCTIONS_OF_AXES, *METHODS_OF_AXES, np.average], r(3, 4)),
    *each([*REDUCTIONS_OF_AXES, *METHODS_OF_AXES, np.average], r(3, 4), axis=0),
    *each([*REDUCTIONS_OF_AXES, *METHODS_OF_AXES, np.average], r(2, 3, 4), axis=-1, keepdims=True),
    *each([*REDUCTIONS_OF_AXES, *METHODS_OF_AXES], r(2, 3, 4), axis=(0, -1)),
    *each([*REDUCTIONS_OF_AXES, *METHODS_OF_AXES], r(2, 3), keepdims=True),
    *each([*REDUCTIONS_OF_AXES, *REDUCTIONS_OF_NANS], r(5).astype(np.float32)),
    *each(REDUCTIONS_OF_NANS, holes(3, 4)),
    *each(REDUCTIONS_OF_NANS, holes(3, 4), axis=0),
    *each(REDUCTIONS_OF_NANS, holes(2, 3, 4), axis=(0, -1), keepdims=True),
    *each([np.var, np.std, np.nanvar, np.nanstd], r(3, 4), axis=1, ddof=1),
    *each([np.sum, np.mean, np.var, np.std, np.prod], c(2, 3), axis=0),
    *each([np.sum, np.mean, np.prod, np.max], [0.5, 1.5, -0.3]),
    *each([np.sum, np.prod], np.zeros((0, 3)), axis=0),
    *each([np.sum, np.mean], r(3, 4), where=const(np.array([True, False, True, True]))),
    *each([np.sum, np.mean], r(3, 4), axis=1, where=const(np.array([True, False, True, True]))),
    *each([np.sum, np.prod], r(3).astype(np.float32), dtype=np.float64),
    *each([np.max, np.min], r(3, 4), axis=1, initial=const(0.1)),
    *each(
        [np.max, np.min],
        r(3, 4),
        axis=1,
        initial=const(0.1),
        where=const(np.array([True, False, True, True])),
    ),
    call(np.prod, np.array([0.0, 2.0, 3.0])),
    call(np.prod, np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]), axis=1),
    call(np.average, r(3, 4), axis=0, weights=p(3)),
    call(np.average, r(3, 4), weights=p(3, 4)),
    call(np.average, r(3, 4), axis=1, weights=p(4), keepdims=True),
    call(np.average, r(2, 3, 4), axis=(2, 0), weights=p(4, 2)),
    call(np.average, r(3, 4), axis=0, weights=p(3), returned=True),
    call(np.average, r(3), weights=p(3), returned=True),
    *each([np.linalg.norm], r(4)),
    *[call(np.linalg.norm, r(4), const(ord)) for ord in (1, 2, 3, 0.5, np.inf, -np.inf)],
    *[
        call(np.linalg.norm, r(3, 4), const(ord))
        for ord in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)
    ],
    *[call(np.linalg.norm, r(2, 3, 4), const(ord), (2, 0), True) for ord in (None, "nuc", 1, -1, 2, np.inf)],
    call(np.linalg.norm, r(2, 3, 4), axis=1, keepdims=True),
    call(np.linalg.norm, r(2, 3, 4)),
    call(np.linalg.norm, c(3, 2), axis=0),
    call(np.linalg.norm, np.zeros(0)),
    *newer("linalg.matrix_norm", r(2, 3, 4)),
    *newer("linalg.matrix_norm", r(2, 3, 4), ord="nuc", keepdims=True),
    *newer("linalg.vector_norm", r(2, 3, 4)),
    *newer("linalg.vector_norm", r(2, 3, 4), axis=(0, 2), ord=3, keepdims=True),
]

SHAPES = [
    call(np.reshape, r(3, 4), (2, 6)),
    call(np.reshape, r(3, 4), -1),
    call(np.ndarray.reshape, r(3, 4), 2, 6),
    call(np.ndarray.reshape, r(3, 4), (2, -1)),
    *each([np.ravel, np.ndarray.ravel, np.ndarray.flatten, np.transpose, np.ndarray.T, np.copy], r(3, 4)),
    *each([np.matrix_transpose, np.linalg.matrix_transpose, np.ndarray.mT, np.fliplr, np.flipud], r(2, 3, 4)),
    *each(
        [
            np.ndarray.copy,
            np.ndarray.tolist,
            np.ndarray.real,
            np.ndarray.imag,
            np.ndarray.conj,
            np.ndarray.conjugate,
        ],
        r(3, 4),
    ),
    call(np.transpose, r(2, 3, 4), (2, 0, 1)),
    *newer("permute_dims", r(2, 3, 4), (2, 0, -2)),
    call(np.ndarray.transpose, r(2, 3, 4)),
    call(np.ndarray.transpose, r(2, 3, 4), 2, 0, 1),
    call(np.ndarray.transpose, r(2, 3, 4), (1, -1, 0)),
    *each([np.swapaxes, np.ndarray.swapaxes], r(2, 3, 4), 0, -1),
    call(np.moveaxis, r(2, 3, 4), 0, -1),
    call(np.moveaxis, r(2, 3, 4), (0, 1), (2, 0)),
    call(np.rollaxis, r(2, 3, 4), 2),
    call(np.rollaxis, r(2, 3, 4), 0, 2),
    call(np.rollaxis, r(2, 3, 4), -1, 1),
    call(np.rollaxis, r(2, 3, 4), 1, -1),
    *each([np.squeeze, np.ndarray.squeeze], r(1, 3, 1)),
    call(np.squeeze, r(1, 3, 1), 0),
    call(np.expand_dims, r(3, 4), (0, -1)),
    *each([np.atleast_1d, np.atleast_2d, np.atleast_3d], r(3)),
    *each([np.atleast_1d, np.atleast_2d, np.atleast_3d], 0.7),
    call(np.atleast_2d, r(3), 0.5),
    call(np.broadcast_to, r(3, 1), (2, 3, 4)),
    call(np.broadcast_arrays, r(3, 1), r(4)),
    call(np.tile, r(3), 2),
    call(np.tile, r(2, 3), (2, 1, 2)),
    call(np.tile, 0.5, (2, 2)),
    call(np.repeat, r(2, 3), 2),
    call(np.repeat, r(2, 3), 2, axis=1),
    call(np.repeat, r(2, 3), [1, 0, 2], axis=-1),
    call(np.ndarray.repeat, r(2, 3), 2, 0),
    call(np.resize, r(3), (2, 4)),
    call(np.resize, r(3, 4), (5,)),
    call(np.flip, r(3, 4)),
    call(np.flip, r(3, 4), 0),
    call(np.flip, r(3, 4), (0, 1)),
    call(np.roll, r(3, 4), 2),
    call(np.roll, r(3, 4), -1, 0),
    call(np.roll, r(3, 4), (1, 2), (0, 1)),
    *[call(np.rot90, r(3, 4), k) for k in (1, 2, -1)],
    call(np.rot90, r(2, 3, 4), 1, (2, 0)),
    call(np.meshgrid, r(3), r(2)),
    call(np.meshgrid, r(3), r(2), r(4), indexing="ij"),
    call(np.meshgrid, r(3), r(2), sparse=True),
    call(np.meshgrid, r(3)),
    call(np.array, r(3)),
    call(np.array, [0.5, 1.5]),
    call(np.array, [r(3), r(3)]),
    call(np.array, [[0.5, 1.5], [2.5, 3.5]], ndmin=3),
    call(np.array, r(3).astype(np.float32), np.float64),
    *each([np.asarray, np.asanyarray, np.ascontiguousarray, np.asarray_chkfinite], r(3, 4)),
    call(np.asarray, [0.5, 1.5]),
    call(np.ascontiguousarray, 0.5),
    call(np.ndarray.astype, r(3), np.float64),
    call(np.ndarray.astype, r(3), np.complex128),
    *newer("astype", r(3), np.float64),
    call(np.ndarray.item, r(1)),
    call(np.ndarray.item, r(3, 4), 5),
    call(np.ndarray.item, r(3, 4), 1, 2),
    call(np.full, (2, 3), 0.5),
    call(np.full, (2, 3), r(3)),
    call(np.full_like, r(2, 3), 0.5),
]

JOINING = [
    *each([np.concatenate], [r(2, 3), r(1, 3)]),
    call(np.concatenate, [r(2, 3), r(2, 1)], axis=-1),
    call(np.concatenate, (r(2, 3), r(2)), axis=None),
    *each([np.stack, np.hstack, np.vstack, np.dstack, np.column_stack], [r(3), r(3)]),
    *each([np.stack, np.hstack, np.vstack, np.dstack, np.column_stack], [r(2, 3), r(2, 3)]),
    *each([np.hstack, np.vstack, np.stack], [0.5, 1.5]),
    call(np.column_stack, [r(3), r(3, 2)]),
    *newer("row_stack", [r(3), r(2, 3)]),
    call(np.stack, [r(2, 3), r(2, 3)], axis=-1),
    call(np.block, [r(2), r(3)]),
    call(np.block, [[r(2, 2), r(2, 1)], [r(1, 2), r(1, 1)]]),
    call(np.block, [[r(2, 2), r(2, 2)], [0.5, r(3)]]),
    call(np.append, r(3), r(2)),
    call(np.append, r(2, 3), r(1, 3), axis=0),
    call(np.append, r(2, 3), 0.5),
    call(np.concatenate, [[0.5, 1.5], r(1)]),
    call(np.concatenate, [[[0.5, 1.5]], r(2, 2)]),
    call(np.stack, [[0.5, 1.5], r(2)]),
    call(np.vstack, [[0.5, 1.5], r(2)]),
    call(operator.concat, [0.5, r(2)], [1.5]),
    call(np.split, r(6), 3),
    call(np.split, r(4, 3), [1, 2], axis=-1),
    call(np.array_split, r(5, 2), 3),
    call(np.hsplit, r(2, 4), 2),
    call(np.hsplit, r(4), 2),
    call(np.vsplit, r(3, 4), [1]),
    call(np.dsplit, r(2, 2, 3), [1]),
    *newer("unstack", r(3, 4)),
    *newer("unstack", r(3, 4), axis=-1),
]

PRODUCTS = [
    *[
        call(np.dot, r(*a), r(*b))
        for a, b in (((2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)))
    ],
    *[call(np.dot, r(*a), r(*b)) for a, b in (((2, 2, 3), (3, 4)), ((2, 3), (2, 3, 4)), ((3,), (2, 3, 4)))],
    *[call(np.dot, r(*a), r(*b)) for a, b in (((2, 2, 3), (2, 3, 4)), ((2, 2, 3), (3,)), ((0, 3), (3, 2)))],
    call(np.dot, 0.5, r(3)),
    call(np.dot, r(2, 3), 0.5),
    call(np.dot, c(2, 3), c(3)),
    call(np.dot, [0.5, 1.5], r(2)),
    call(np.matmul, r(2, 2), [0.5, 1.5]),
    call(np.outer, [0.5, 1.5], [2.5, 3.5]),
    call(np.ndarray.dot, r(2, 3), r(3, 4)),
    *[
        call(function, r(*a), r(*b))
        for function in (np.matmul, operator.matmul)
        for a, b in (((2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((3,), (2, 3, 4)))
    ],
    *[
        call(np.matmul, r(*a), r(*b))
        for a, b in (((5, 2, 3), (3, 4)), ((5, 2, 3), (3,)), ((5, 1, 2, 3), (4, 3, 2)))
    ],
    call(np.matmul, c(2, 3), c(3, 2)),
    call(np.linalg.matmul, r(2, 3), r(3, 2)),
    *newer("matvec", r(2, 3, 4), r(4)),
    *newer("matvec", c(3, 4), c(2, 4)),
    *newer("vecmat", r(3), r(2, 3, 4)),
    *newer("vecmat", c(2, 3), c(3, 4)),
    *newer("vecdot", r(2, 3), r(3)),
    *newer("vecdot", c(2, 3), c(3)),
    *newer("vecdot", r(3, 2), r(3, 2), axis=0),
    *newer("linalg.vecdot", r(2, 3), r(3)),
    call(np.vdot, r(2, 3), r(2, 3)),
    call(np.vdot, c(3), c(3)),
    *[
        call(np.inner, r(*a), r(*b))
        for a, b in (((3,), (3,)), ((2, 3), (4, 3)), ((2, 3), (3,)), ((5, 2, 3), (4, 3)))
    ],
    call(np.inner, 0.5, r(3)),
    call(np.outer, r(3), r(2)),
    call(np.outer, r(2, 2), 0.5),
    call(np.linalg.outer, r(3), r(2)),
    *[call(np.tensordot, r(2, 3, 4), r(3, 4, 5), axes) for axes in (2, ([1, 2], [0, 1]), ([-1], [1]))],
    call(np.tensordot, r(2, 3, 4), r(4, 3, 5), ([1, 2], [1, 0])),
    call(np.tensordot, r(2, 3), r(4), 0),
    call(np.tensordot, r(2, 3), r(2, 3)),
    call(np.linalg.tensordot, r(2, 3), r(3, 4), axes=1),
    *[call(np.einsum, "ij,jk->ik", r(2, 3), r(3, 4)), call(np.einsum, "ij,jk", r(2, 3), r(3, 4))],
    *[call(np.einsum, "ij,jk->", r(2, 3), r(3, 4)), call(np.einsum, "ii", r(3, 3))],
    *[call(np.einsum, text, r(3, 3)) for text in ("ii->i", "ij->ji", "ij->j", "ij->", "i...->...i")],
    call(np.einsum, "...j,j...->...", r(2, 3), r(3)),
    call(np.einsum, "...ij,...jk->...ik", r(2, 2, 3), r(3, 4)),
    call(np.einsum, "bij,bjk->bik", r(2, 2, 3), r(1, 3, 4)),
    call(np.einsum, "ij,kl,jk->il", r(2, 3), r(4, 2), r(3, 4)),
    call(np.einsum, "ii,jj->ij", r(3, 3), r(2, 2)),
    call(np.einsum, r(2, 3), [0, 1], r(3, 4), [1, 2], [0, 2]),
    call(np.einsum, "ij,j->i", c(2, 3), r(3), optimize=True),
    *[
        call(np.kron, r(*a), r(*b))
        for a, b in (((2,), (3,)), ((2, 2), (3, 2)), ((2,), (3, 2)), ((2, 2, 2), (3,)))
    ],
    call(np.cross, r(2, 3), r(3)),
    call(np.cross, r(3, 2), r(3, 2), 0, 0, 0),
    call(np.cross, r(3, 2), r(3, 2), axis=0),
    call(np.linalg.cross, r(2, 3), r(3)),
    call(np.trace, r(3, 4)),
    call(np.trace, r(3, 4, 2), 1, 2, 0),
    call(np.ndarray.trace, r(3, 3), -1),
    call(np.linalg.trace, r(2, 3, 4), offset=1),
    *[
        call(function, r(n), r(m), mode)
        for function in (np.convolve, np.correlate)
        for n, m in ((5, 2), (2, 5), (4, 3), (3, 4))
        for mode in ("full", "same", "valid")
    ],
    call(np.convolve, c(4), c(2)),
    call(np.correlate, c(4), c(2)),
]

CALLS = [*UNARY, *BINARY, *REDUCTIONS, *SHAPES, *JOINING, *PRODUCTS]
"""All of them."""


def definite(*shape: int) -> Any:
    """Symmetric matrices whose values are above 1."""
    x = r(*shape)
    return x @ np.swapaxes(x, -1, -2) / 3 + 2 * np.eye(shape[-1])


CUMULATIVE = [
    *each(
        [np.cumsum, np.cumprod, np.nancumsum, np.nancumprod, np.ndarray.cumsum, np.ndarray.cumprod], r(3, 4)
    ),
    *each([np.cumsum, np.cumprod, np.nancumsum, np.nancumprod, np.ndarray.cumsum], r(3, 5), axis=0),
    *each([np.cumsum, np.cumprod, np.ndarray.cumprod], r(3, 5), axis=-1),
    *each([np.nancumsum, np.nancumprod], holes(3, 4), axis=1),
    *each([np.nancumsum, np.nancumprod], holes(3, 4)),
    *each([np.cumsum, np.cumprod], c(4)),
    *each([np.cumsum, np.cumprod], r(3).astype(np.float32)),
    *each([np.cumsum, np.cumprod], np.zeros(0)),
    call(np.cumprod, np.array([2.0, 0.0, 3.0, 0.0, 1.5])),
    *newer("cumulative_sum", r(4)),
    *newer("cumulative_sum", r(3, 4), axis=1, include_initial=True),
    *newer("cumulative_prod", r(3, 4), axis=0),
    *newer("cumulative_prod", r(3, 4), axis=-1, include_initial=True),
    call(np.diff, r(5)),
    call(np.diff, r(3, 5), 2, 0),
    call(np.diff, r(3, 5), axis=1, prepend=0.5),
    call(np.diff, r(3, 5), axis=0, append=r(1, 5)),
    call(np.diff, r(3, 5), 2, prepend=r(3, 2), append=0.3),
    call(np.ediff1d, r(3, 4)),
    call(np.ediff1d, r(4), to_end=r(2), to_begin=0.5),
    call(np.gradient, r(5)),
    call(np.gradient, r(3, 4)),
    call(np.gradient, r(3, 4), const(0.5)),
    call(np.gradient, r(3, 4), const(0.5), const(2.0)),
    call(np.gradient, r(4, 3), const(np.array([0.0, 2.0, 3.0, 7.0])), axis=0),
    call(np.gradient, r(4, 5), const(2.0), axis=1, edge_order=2),
    call(np.gradient, r(4), const(np.array([0.0, 2.0, 3.0, 7.0])), edge_order=2),
    call(np.trapezoid, r(5)),
    call(np.trapezoid, r(3, 4), dx=0.5, axis=0),
    call(np.trapezoid, r(3, 4), r(4)),
    call(np.trapezoid, r(3, 4), r(3, 4), axis=0),
]

INDEXING = [
    call(np.take, r(3, 4), [0, -1, 0], axis=0),
    call(np.take, r(3, 4), 5),
    call(np.take, r(3, 4), np.array([[0, 1], [1, -1]]), axis=-1),
    call(np.take, r(4), [5, -7, 0], mode="wrap"),
    call(np.take, r(3, 4), [5, -7, 0], axis=-1, mode="clip"),
    call(np.ndarray.take, r(3, 4), [0, 0], 1),
    call(np.take_along_axis, r(3, 4), np.array([[0], [-1], [2]]), axis=1),
    call(np.take_along_axis, r(3, 4), np.array([[0, 1, 1, -1]]), axis=0),
    call(np.take_along_axis, r(5), np.array([0, -2, 4, 0]), axis=0),
    call(np.compress, [True, False, True], r(3, 4), axis=0),
    call(np.compress, [True, False, True], r(3, 4)),
    call(np.ndarray.compress, r(3, 4), [True, False, True], 0),
    call(np.extract, np.array([[True, False], [True, True]]), r(2, 2)),
    *each([np.diag], r(3)),
    call(np.diag, r(3), -1),
    call(np.diag, r(3, 4), 1),
    call(np.diag, r(4, 3), -2),
    call(np.diagflat, r(2, 2), 1),
    call(np.diagonal, r(3, 4)),
    call(np.diagonal, r(2, 3, 4), -1, 2, 1),
    call(np.ndarray.diagonal, r(3, 4), 1),
    call(np.linalg.diagonal, r(2, 3, 4), offset=1),
    *each([np.tril, np.triu], r(2, 3, 4), 1),
    *each([np.tril, np.triu], r(3)),
    call(np.delete, r(3, 4), 0, axis=-1),
    call(np.delete, r(3, 4), [0, -1]),
    call(np.delete, r(3, 4), slice(0, 2), axis=0),
    call(np.insert, r(3, 4), 1, 0.5, axis=0),
    call(np.insert, r(3, 4), [0, 1], 0.5),
    call(np.insert, r(3, 4), -1, r(4), axis=0),
    call(np.insert, r(4), [0, 2], r(2)),
    call(np.pad, r(3, 4), 1),
    call(np.pad, r(3, 4), ((1, 2), (0, 1))),
    *[call(np.pad, r(3, 4), (1, 2), mode) for mode in ("edge", "reflect", "symmetric", "wrap")],
    call(np.pad, r(3), 5, "reflect"),
    call(np.pad, r(3), 2, "reflect", reflect_type="even"),
    call(np.pad, r(3), 2, constant_values=4),
    call(np.trim_zeros, np.array([0.0, 0.0, 1.5, 0.0, 2.0, 0.0])),
    call(np.piecewise, r(5), [r(5) < 0], [0.5, 1.5]),
    call(
        np.piecewise,
        r(4),
        [np.array([True, False, True, False]), np.array([True, True, False, False])],
        [0.5, 1.5],
    ),
    call(np.bincount, np.array([0, 2, 2, 1]), r(4)),
    call(np.bincount, np.array([0, 2, 2, 1]), weights=r(4), minlength=6),
]

ORDERING = [
    *each([np.sort], r(3, 4)),
    call(np.sort, r(3, 4), axis=0),
    call(np.sort, r(3, 4), axis=None),
    call(np.partition, r(3, 5), 2),
    call(np.partition, r(5, 3), 1, axis=0),
    call(np.sort_complex, r(4)),
    *each([np.median, np.nanmedian], r(3, 4)),
    *each([np.median, np.nanmedian], r(3, 4), axis=-1),
    *each([np.median, np.nanmedian], r(2, 3, 4), axis=(0, 2), keepdims=True),
    *each([np.nanmedian], holes(3, 5)),
    *each([np.nanmedian], holes(3, 5), axis=1),
    *each([np.quantile, np.nanquantile], r(3, 4), const(0.3)),
    *each([np.quantile, np.nanquantile], r(3, 4), const([0.1, 0.5]), axis=0),
    *each([np.quantile, np.nanquantile], r(3, 4), const(0.7), axis=-1, method="hazen", keepdims=True),
    *[
        call(np.quantile, r(7), const(0.37), method=method)
        for method in ("lower", "higher", "nearest", "midpoint", "inverted_cdf", "weibull", "median_unbiased")
    ],
    *each([np.percentile, np.nanpercentile], r(3, 4), 30),
    *each([np.percentile, np.nanpercentile], r(3, 4), const([0, 50, 100]), axis=0),
    *each([np.nanquantile], holes(3, 4), const([0.3, 0.6]), axis=1),
    call(np.unique, r(3, 4)),
    call(np.unique, r(5), return_index=True, return_inverse=True, return_counts=True),
    *newer("unique_values", r(4)),
    *newer("unique_all", r(4)),
    *newer("unique_counts", r(4)),
    *newer("unique_inverse", r(4)),
    call(np.union1d, np.array([1.5, 3.0, 2.0]), np.array([0.5, 4.0])),
    call(np.setxor1d, np.array([1.5, 3.0, 2.0]), np.array([0.5, 4.0])),
    call(np.setdiff1d, np.array([1.5, 3.0, 2.0]), np.array([0.5, 4.0])),
]

LINEAR_ALGEBRA = [
    *each([np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.pinv, np.linalg.cond], definite(3, 3)),
    *each(
        [np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.eigh, np.linalg.eigvalsh],
        definite(2, 3, 3),
    ),
    *each([np.linalg.inv, np.linalg.det, np.linalg.slogdet], c(3, 3)),
    call(np.linalg.det, np.array([[1.0, 2.0], [2.0, 4.0]])),
    *[
        call(np.linalg.solve, definite(*a), r(*b))
        for a, b in (
            ((3, 3), (3,)),
            ((3, 3), (3, 2)),
            ((2, 3, 3), (3,)),
            ((2, 3, 3), (2, 3, 1)),
            ((3, 3), (2, 3, 2)),
        )
    ],
    call(np.linalg.solve, c(3, 3), c(3)),
    *each([np.linalg.cholesky], definite(3, 3)),
    *each([np.linalg.cholesky], definite(2, 3, 3), upper=True),
    *each([np.linalg.eigh, np.linalg.eigvalsh], definite(3, 3)),
    *each([np.linalg.eigh, np.linalg.eigvalsh], definite(3, 3), "U"),
    *each([np.linalg.qr], r(3, 3)),
    *each([np.linalg.qr], r(4, 3)),
    *each([np.linalg.qr], r(2, 3, 4)),
    call(np.linalg.qr, r(3, 4), "r"),
    call(np.linalg.qr, r(4, 3), mode="r"),
    call(np.linalg.qr, r(3, 4), mode="complete"),
    call(np.linalg.svd, r(3, 3)),
    call(np.linalg.svd, r(4, 3), False),
    call(np.linalg.svd, r(2, 3, 4), full_matrices=False),
    call(np.linalg.svd, r(3, 4), compute_uv=False),
    *newer("linalg.svdvals", r(2, 3, 4)),
    *newer("linalg.svdvals", c(3, 4)),
    *each([np.linalg.pinv], r(3, 4)),
    *each([np.linalg.pinv], r(2, 4, 3)),
    call(np.linalg.lstsq, r(5, 3), r(5)),
    call(np.linalg.lstsq, r(5, 3), r(5, 2)),
    call(np.linalg.lstsq, r(3, 5), r(3)),
    *[call(np.linalg.matrix_power, definite(3, 3), n) for n in (0, 1, 3, -2)],
    call(np.linalg.matrix_power, definite(2, 3, 3), 4),
    call(np.linalg.multi_dot, [r(2, 3), r(3, 4), r(4, 2)]),
    call(np.linalg.multi_dot, [r(3), r(3, 4), r(4)]),
    *[call(np.linalg.cond, definite(3, 3), const(order)) for order in (1, -1, 2, -2, np.inf, "fro")],
    call(np.linalg.cond, r(2, 3, 4)),
    call(np.linalg.tensorinv, r(6, 2, 3), ind=1),
    call(np.linalg.tensorinv, r(2, 3, 6)),
    call(np.linalg.tensorsolve, r(2, 3, 6), r(2, 3)),
    call(np.linalg.tensorsolve, r(2, 6, 3), r(2, 3), axes=(1,)),
]

CALLS += [*CUMULATIVE, *INDEXING, *ORDERING, *LINEAR_ALGEBRA]

FOURIER = [
    *each(
        [np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.ihfft, np.fft.fftn, np.fft.rfftn, np.fft.fft2], r(3, 4)
    ),
    *each([np.fft.fft, np.fft.ifft, np.fft.irfft, np.fft.hfft, np.fft.fftn, np.fft.irfftn], c(3, 5)),
    *each([np.fft.ifft2, np.fft.rfft2, np.fft.ifftn], r(2, 3, 4)),
    *each([np.fft.irfft2, np.fft.ifft2, np.fft.ifftn], c(2, 3, 4)),
    *each([np.fft.irfft, np.fft.hfft], r(5)),
    *[
        call(function, r(3, 5), n, axis, norm)
        for function in (np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.ihfft)
        for n, axis, norm in ((3, 1, "ortho"), (8, 0, "forward"), (7, -1, "backward"))
    ],
    *[
        call(function, c(3, 5), n, axis, norm)
        for function in (np.fft.irfft, np.fft.hfft)
        for n, axis, norm in ((3, 1, "ortho"), (8, 0, "forward"), (7, -1, "backward"), (12, 1, None))
    ],
    *[
        call(function, r(3, 4, 2), (5, 2), (2, 0), "ortho")
        for function in (np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.fft2, np.fft.rfft2)
    ],
    *[call(function, c(3, 4, 2), (5, 4), (2, 0)) for function in (np.fft.irfftn, np.fft.irfft2)],
    *each([np.fft.fftshift, np.fft.ifftshift], r(3, 4)),
    *each([np.fft.fftshift, np.fft.ifftshift], r(3, 5), axes=-1),
    *each([np.fft.fftfreq, np.fft.rfftfreq], 5, 0.7),
]

PYTHON = [
    *each([math.sin, math.cos, math.tan, math.sinh, math.cosh, math.tanh, math.atan, math.asinh], 0.7),
    *each([math.exp, math.exp2, math.expm1, math.log, math.log2, math.log10, math.log1p, math.sqrt], 0.7),
    *each([math.cbrt, math.degrees, math.radians, math.erf, math.erfc, math.gamma, math.lgamma], 0.7),
    *each([math.asin, math.acos, math.atanh, math.fabs, math.modf, math.frexp], -0.6),
    *each([math.gamma, math.lgamma, math.erf], -2.3),
    *each([math.lgamma, math.acosh, math.gamma], 11.5),
    *each([math.sin, math.exp, math.sqrt, float], np.float64(0.7)),
    *each([math.sin, math.exp, math.sqrt, float], np.array(0.7)),
    *each([math.atan2, math.pow, math.log, math.fmod, math.remainder, math.copysign], 2.6, 1.1),
    *each([math.atan2, math.hypot, math.remainder], -0.4, 0.3),
    call(math.nextafter, 0.7, 1.0),
    call(math.hypot, 0.3, 0.4, 1.5),
    call(math.dist, [0.3, 0.4], [1.5, -1.0]),
    call(math.ldexp, 0.7, 3),
    call(math.fsum, [0.3, 0.4, 1.5]),
    call(math.prod, [0.3, 0.4, 1.5]),
    call(math.prod, [0.3, 0.0, 1.5], start=2.0),
    call(float, 0.7),
    call(complex, 0.7, 0.3),
    call(pow, 1.7, 0.3),
    call(sum, [0.3, 0.4, 1.5]),
    call(sum, [r(3), 0.5, r(2, 3)]),
    call(sum, r(3, 4)),
    call(sum, [0.5, 1.5], start=2.0),
    *each([max, min], 0.3, 0.4, -1.5),
    *each([max, min], [0.3, 0.4, -1.5]),
    call(max, r(4)),
    *each([sorted], [0.3, -0.4, 1.5]),
    call(sorted, [0.3, -0.4, 1.5], reverse=True),
    *each([list, tuple], [0.3, 0.4]),
    call(list, r(3)),
    *each([np.float64, np.complex128], 0.7),
    call(np.float32, np.float32(0.7)),
    call(np.complex64, np.complex64(0.7 + 0.2j)),
]

POLYNOMIALS = [
    call(np.polyval, r(4), r(3)),
    call(np.polyval, r(3), 0.7),
    call(np.polyval, r(4), r(2, 3)),
    call(np.polyadd, r(4), r(2)),
    call(np.polysub, r(2), r(4)),
    call(np.polymul, r(4), r(3)),
    call(np.polydiv, r(5), p(3)),
    call(np.polydiv, r(2), p(3)),
    call(np.polyder, r(5)),
    call(np.polyder, r(5), 2),
    call(np.polyint, r(3)),
    call(np.polyint, r(3), 2, [0.5, 1.5]),
    call(np.poly, r(3)),
    call(np.vander, r(3)),
    call(np.vander, r(3), 4, increasing=True),
    call(np.polyfit, r(6), r(6), 2),
    call(np.polyfit, r(6), r(6, 2), 1, w=p(6)),
]

LOOKUPS = [
    call(np.interp, np.array([-1.0, 0.5, 2.0, 4.0]), np.array([0.0, 1.0, 3.0]), np.array([2.0, 1.0, 5.0])),
    call(np.interp, np.array([[-1.0, 0.5], [2.0, 4.0]]), np.array([0.0, 1.0, 3.0]), r(3), 0.5, 1.5),
    call(np.interp, 0.7, const(np.array([0.0, 1.0, 3.0])), [2.0, 1.0, 5.0]),
    call(np.interp, np.array([0.5, 2.0]), np.array([1.0]), np.array([3.0])),
    call(np.histogram_bin_edges, r(7), 3),
    call(np.histogram_bin_edges, r(7), 3, (0, 1)),
    call(np.histogram, r(9), 4),
    call(np.histogram, r(9), weights=r(9)),
    call(np.histogram, r(9), 3, density=True),
    call(np.histogram, r(9), np.array([-1.1, 0.0, 0.4, 1.2]), density=True, weights=p(9)),
    call(np.histogram, r(9), 3, const((-0.5, 1.1)), True),
]

LOOKUPS += [
    call(np.histogram2d, r(9), r(9), 3),
    call(np.histogram2d, r(9), r(9), [2, 3], density=True),
    call(np.histogram2d, r(9), r(9), const([2, np.array([-1.1, 0.2, 1.3])]), weights=p(9), density=True),
    call(np.histogram2d, r(9), r(9), const(np.array([-2.0, 0, 1, 3])), density=True),
    call(np.histogramdd, (r(9), r(9), r(9)), 2),
    call(np.histogramdd, r(9, 2), [2, 4], density=True, weights=p(9)),
    call(np.histogramdd, r(9), const([np.array([-1.0, 1, 5])])),
]

STATISTICS = [
    *each([np.cov, np.corrcoef], r(3, 5)),
    *each([np.cov, np.corrcoef], r(5)),
    *each([np.cov, np.corrcoef], r(5, 3), rowvar=False),
    *each([np.cov, np.corrcoef], r(3, 5), r(5)),
    *each([np.cov, np.corrcoef], r(5, 2), r(5, 3), False),
    call(np.cov, r(3, 5), bias=True),
    call(np.cov, r(3, 5), ddof=0),
]

RANGES = [
    call(np.arange, 0.3, 2.5, 0.7),
    call(np.arange, 0.3, 2.5),
    call(np.arange, 2.5),
    call(np.linspace, 0.3, 2.5, 4),
    call(np.linspace, 0.3, 2.5, 4, False),
    call(np.linspace, 0.3, 2.5, 1),
    call(np.linspace, r(3), 2.5, 4, axis=-1),
    call(np.linspace, r(3), r(2, 1), 4),
    call(np.logspace, 0.3, 1.5, 4),
    call(np.logspace, 0.3, 1.5, 3, False, 2),
    call(np.geomspace, 0.3, 1.5, 4),
    call(np.kaiser, 5, 1.4),
]

RANDOM = [
    *each([np.random.normal, np.random.laplace, np.random.gumbel, np.random.logistic], 0.3, 0.8, (2, 3)),
    *each([np.random.uniform, np.random.lognormal], 0.3, 0.8, 4),
    *each([np.random.normal], r(3), 0.8),
    *each([np.random.exponential, np.random.rayleigh, np.random.weibull], 1.7, 3),
]
METHODS = np.random.Generator
RANDOM += [
    *each(
        [METHODS.normal, METHODS.laplace, METHODS.gumbel, METHODS.logistic, METHODS.uniform],
        GENERATOR,
        0.3,
        0.8,
        4,
    ),
    *each([METHODS.lognormal], GENERATOR, 0.3, r(3) ** 2),
    *each([METHODS.exponential, METHODS.rayleigh, METHODS.weibull], GENERATOR, 1.7, 3),
]


CALLS += [*FOURIER, *PYTHON, *POLYNOMIALS, *SERIES_CALLS, *LOOKUPS, *STATISTICS, *RANGES, *RANDOM]

TIES = [
    *each([np.maximum, np.minimum, np.fmax, np.fmin, max, min], 0.3, 0.3),
    *each([np.maximum, np.minimum], np.array([1.0, np.nan, 0.0]), np.array([1.0, 1.0, -0.0])),
    *each([np.max, np.min, np.amax, np.ptp], np.array([[1.0, 2.0, 2.0], [1.0, 1.0, 1.0]]), axis=1),
    *each([np.max, np.min], np.array([1.0, np.nan, 2.0])),
    *each([np.abs, np.fabs, np.sqrt, np.cbrt, abs], np.array([0.0])),
    *each([np.clip], np.array([0.0, 1.0, 2.0, 3.0]), 1.0, 2.0),
    *each([np.clip], np.array([1.0]), 1.0, 1.0),
    *each([np.hypot, np.arctan2, np.copysign], np.array([0.0, 3.0]), np.array([0.0, np.inf])),
    *each([np.heaviside], np.array([0.0, 1.0]), np.array([0.5, 0.5])),
    *each([np.power], np.array([0.0, 0.0, 0.0, 2.0, -2.0]), np.array([0.0, 2.0, 0.5, 0.0, 2.0])),
    *each([np.std, np.var, np.nanstd], np.array([2.0, 2.0, 2.0])),
    *each([np.linalg.norm], np.zeros(3)),
    *each([np.prod, np.cumprod], np.array([0.0, 2.0, 0.0])),
    *each([np.sort, np.median], np.array([2.0, 1.0, 2.0, 2.0])),
    *each([np.interp], np.array([0.0, 1.0, 3.0]), np.array([0.0, 1.0, 3.0]), np.array([2.0, 1.0, 5.0])),
    *each([np.where], np.array([True, False]), np.array([1.0, np.inf]), np.array([np.nan, 2.0])),
    *each([np.remainder, np.fmod], np.array([4.0, -4.5]), np.array([2.0, 2.0])),
    *each([np.modf], np.array([2.0, np.inf])),
    *each([np.arcsin, np.arccos], np.array([1.0, -1.0])),
    *each([np.log, np.reciprocal], np.array([0.0, -2.0])),
    *each([np.arcsinh, np.arctan, np.tanh, np.arccosh], np.array([np.inf, 1e200])),
    *each([np.logaddexp], np.array([1.0, -np.inf]), np.array([1.0, 2.0])),
    *each([math.sqrt], 0.0),
    *each([operator.pow], 0.0, const(0.5)),
]
"""Calls where a derivative is a convention: they have that of `ag.grad`."""
