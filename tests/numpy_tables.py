"""The cases of NumPy's functions, by what they take; `numpy_cases` says what each kind of argument is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy_cases import Case, cases, is_there
from numpy_tables_of_places import PLACE_CASES, SERIES_CASES


def changed(function: Any) -> Any:
    """A case of a function that writes into its first argument: the argument afterwards."""

    def program(x: Any, *others: Any) -> Any:
        y = np.copy(x)
        function(y, *others)
        return y

    return program


CREATION = [
    *cases(
        "any",
        array=[lambda x: np.array(x), lambda x: np.array(x, ndmin=2), lambda x: np.array(x, np.float32)],
        asarray=[lambda x: np.asarray(x), lambda x: np.asarray(x, dtype=np.float64)],
        asanyarray=lambda x: np.asanyarray(x),
        ascontiguousarray=lambda x: np.ascontiguousarray(x),
        copy=lambda x: np.copy(x),
        asarray_chkfinite=lambda x: np.asarray_chkfinite(x),
        astype=[lambda x: np.astype(x, np.int32), lambda x: np.astype(x, x.dtype, copy=False)],
        zeros=lambda x: np.zeros(x.shape) + np.sum(x != x),
        ones=lambda x: np.ones(x.shape, np.int32) + np.sum(x != x),
        empty=lambda x: np.empty(x.shape).shape,
        full=[
            lambda x: np.full((2, 2), np.sum(x != x)),
            lambda x: np.full(3, 2.5, np.float32) + np.sum(x != x),
        ],
        zeros_like=[lambda x: np.zeros_like(x), lambda x: np.zeros_like(x, dtype=bool, shape=(2, 1))],
        ones_like=lambda x: np.ones_like(x),
        empty_like=lambda x: np.empty_like(x).shape,
        full_like=[lambda x: np.full_like(x, 1), lambda x: np.full_like(x, 2.5, dtype=np.float64)],
        eye=lambda x: np.eye(3, 4, 1) + np.sum(x != x),
        fromiter=lambda x: np.fromiter((value * 2 for value in np.ravel(x)), x.dtype),
        identity=lambda x: np.identity(2) + np.sum(x != x),
        tri=lambda x: np.tri(3, 4, -1) + np.sum(x != x),
        arange=[lambda x: np.arange(4) + np.sum(x != x), lambda x: np.arange(1, 9, 2.5) + np.sum(x != x)],
        linspace=[
            lambda x: np.linspace(0, np.sum(x != x), 5),
            lambda x: np.linspace(1, 2, 3) + np.sum(x != x),
            lambda x: np.linspace(np.sum(x != x), -7, 6, dtype=int),
        ],
        hanning=lambda x: np.hanning(5) + np.sum(x != x),
        hamming=lambda x: np.hamming(5) + np.sum(x != x),
        blackman=lambda x: np.blackman(5) + np.sum(x != x),
        bartlett=lambda x: np.bartlett(5) + np.sum(x != x),
        kaiser=lambda x: np.kaiser(5, 14.0) + np.sum(x != x),
        indices=lambda x: np.indices((2, 3)) + np.sum(x != x),
        logspace=lambda x: np.logspace(0, 2, 5) + np.sum(x != x),
        geomspace=lambda x: np.geomspace(1, 8, 4) + np.sum(x != x),
        fromfunction=lambda x: np.fromfunction(lambda i, j: i + j, (2, 3)) + np.sum(x != x),
    ),
    *cases(
        "square",
        diag_indices=lambda x: x[np.diag_indices(x.shape[0])],
        diag_indices_from=lambda x: x[np.diag_indices_from(x)],
        tril_indices_from=lambda x: x[np.tril_indices_from(x)],
        triu_indices_from=lambda x: x[np.triu_indices_from(x, 1)],
        tril_indices=lambda x: x[np.tril_indices(x.shape[0])],
        triu_indices=lambda x: x[np.triu_indices(x.shape[0], 1)],
        mask_indices=lambda x: x[np.mask_indices(x.shape[0], np.triu)],
        unravel_index=lambda x: x[np.unravel_index([0], (x.shape[0], x.shape[1]))],
        ravel_multi_index=lambda x: np.ravel(x)[np.ravel_multi_index((0, 0), (x.shape[0], x.shape[1]))],
    ),
]

METADATA = [
    *cases(
        "any",
        shape=lambda x: np.shape(x),
        ndim=lambda x: np.ndim(x),
        size=[lambda x: np.size(x), lambda x: np.size(np.ravel(x), 0)],
        iterable=lambda x: np.iterable(x),
        may_share_memory=lambda x: (np.may_share_memory(x, x * 2), np.may_share_memory(x.copy(), 2.0)),
        shares_memory=lambda x: (np.shares_memory(x, np.ones(3)), np.shares_memory(x + 1, x)),
        isscalar=[lambda x: np.isscalar(x), lambda x: np.isscalar(np.sum(x != x)), lambda x: np.isscalar(2)],
        iscomplexobj=lambda x: np.iscomplexobj(x),
        isrealobj=lambda x: np.isrealobj(x),
        iscomplex=lambda x: np.iscomplex(x),
        isreal=lambda x: np.isreal(x),
        real=lambda x: np.real(x),
        imag=lambda x: np.imag(x),
        real_if_close=lambda x: np.real_if_close(x),
        common_type=lambda x: np.zeros(2, np.common_type(x)) + np.sum(x != x),
        issubdtype=lambda x: np.issubdtype(x.dtype, np.floating),
        isdtype=lambda x: np.isdtype(x.dtype, "integral"),
        promote_types=lambda x: x.astype(np.promote_types(x.dtype, np.float32)),
        broadcast_shapes=lambda x: np.broadcast_shapes(x.shape, (2, 1, 1, 1)),
        typename=lambda x: np.typename(x.dtype.char),
        mintypecode=lambda x: np.mintypecode([x.dtype.char]),
    ),
    *cases(
        "two",
        result_type=[
            lambda x, y: x.astype(np.result_type(x, y)),
            lambda x, y: x.astype(np.result_type(x, 1)),
        ],
        can_cast=lambda x, y: np.can_cast(x.dtype, y.dtype),
    ),
    *cases("axis", min_scalar_type=lambda x: np.zeros(2, np.min_scalar_type(x)) + np.sum(x != x)),
]

SHAPES = [
    *cases(
        "any",
        ravel=lambda x: np.ravel(x),
        reshape=[lambda x: np.reshape(x, x.shape[::-1]), lambda x: np.reshape(x, (1, *x.shape))],
        transpose=lambda x: np.transpose(x),
        squeeze=lambda x: np.squeeze(x),
        expand_dims=[lambda x: np.expand_dims(x, 0), lambda x: np.expand_dims(x, (0, -1))],
        atleast_1d=[lambda x: np.atleast_1d(x), lambda x: np.atleast_1d(x, x)],
        atleast_2d=lambda x: np.atleast_2d(x),
        atleast_3d=lambda x: np.atleast_3d(x),
        tile=[lambda x: np.tile(x, 2), lambda x: np.tile(x, (2, 1, 2))],
        repeat=lambda x: np.repeat(x, 2),
        resize=[lambda x: np.resize(x, (2, 3)), lambda x: np.resize(x, 4)],
        append=lambda x: np.append(x, [1, 2]),
        broadcast_to=lambda x: np.broadcast_to(x, (2, *x.shape)),
        diagflat=[lambda x: np.diagflat(x), lambda x: np.diagflat(x, -1)],
        meshgrid=[
            lambda x: np.meshgrid(np.ravel(x), np.arange(2)),
            lambda x: np.meshgrid(np.arange(2), np.ravel(x), indexing="ij", sparse=True),
        ],
        flip=lambda x: np.flip(x),
        roll=lambda x: np.roll(x, 2),
    ),
    *cases(
        "axis",
        flipud=lambda x: np.flipud(x),
        roll=[lambda x: np.roll(x, 1, -1), lambda x: np.roll(x, -5, 0)],
        flip=lambda x: np.flip(x, -1),
        repeat=lambda x: np.repeat(x, 2, axis=0),
        append=lambda x: np.append(x, x, axis=0),
        moveaxis=lambda x: np.moveaxis(x, 0, -1),
        swapaxes=lambda x: np.swapaxes(x, 0, -1),
        rollaxis=lambda x: np.rollaxis(x, -1),
        unstack=[lambda x: np.unstack(x), lambda x: np.unstack(x, axis=-1)],
        array_split=lambda x: np.array_split(x, 3),
        split=[lambda x: np.split(x, [1, 2]), lambda x: np.split(x, 2, axis=-1)],
        pad=[
            lambda x: np.pad(x, 1),
            lambda x: np.pad(x, (1, 2), mode="edge"),
            lambda x: np.pad(x, 3, mode="reflect"),
            lambda x: np.pad(x, 2, mode="symmetric"),
            lambda x: np.pad(x, 2, mode="wrap"),
            lambda x: np.pad(x, (2, 0), constant_values=(1, 2)),
            lambda x: np.pad(x, 1, mode="maximum"),
            lambda x: np.pad(x, 1, mode="minimum"),
        ],
        ix_=lambda x: np.ix_(np.arange(x.shape[0]) + np.sum(x != x), [0]),
    ),
    *cases("tame axis", pad=lambda x: np.pad(x, ((1, 1),), mode="mean")),
    *cases(
        "full axis",
        delete=[
            lambda x: np.delete(x, 0, axis=-1),
            lambda x: np.delete(x, [0, -1]),
            lambda x: np.delete(x, slice(0, 2), axis=0),
            lambda x: np.delete(x, 9, axis=0),
        ],
        insert=[
            lambda x: np.insert(x, 1, 5, axis=0),
            lambda x: np.insert(x, [0, 1], 5),
            lambda x: np.insert(x, -1, x[0], axis=0),
            lambda x: np.insert(x, 9, 0),
        ],
        take=[
            lambda x: np.take(x, [0, -1], axis=0),
            lambda x: np.take(x, 0),
            lambda x: np.take(x, [5, -7, 0], axis=0, mode="wrap"),
            lambda x: np.take(x, [5, -7, 0], axis=-1, mode="clip"),
        ],
        apply_along_axis=lambda x: np.apply_along_axis(np.flip, 0, x),
        compress=[lambda x: np.compress([True, False], x, axis=-1), lambda x: np.compress([True], x)],
        extract=lambda x: np.extract([True, False, True], x),
    ),
    *cases(
        "rows",
        fliplr=lambda x: np.fliplr(x),
        rot90=[lambda x: np.rot90(x), lambda x: np.rot90(x, 2), lambda x: np.rot90(x, -1, (1, 0))],
        matrix_transpose=lambda x: np.matrix_transpose(x),
        linalg_matrix_transpose=lambda x: np.linalg.matrix_transpose(x),
        hsplit=lambda x: np.hsplit(x, 2),
        vsplit=lambda x: np.vsplit(x, [1]),
        tril=lambda x: np.tril(x, 1),
        triu=lambda x: np.triu(x),
        diagonal=[
            lambda x: np.diagonal(x),
            lambda x: np.diagonal(x, 1, -1, 0),
            lambda x: np.diagonal(x, -1),
        ],
        linalg_diagonal=lambda x: np.linalg.diagonal(x, offset=1),
        trace=lambda x: np.trace(x, dtype=np.float64),
        linalg_trace=lambda x: np.linalg.trace(x, dtype=np.float64),
        permute_dims=lambda x: np.permute_dims(x),
    ),
    *cases("cube", dsplit=lambda x: np.dsplit(x, [1])),
    *cases("matrix", diag=[lambda x: np.diag(x), lambda x: np.diag(x, -1)]),
    *cases("vector", diag=lambda x: np.diag(x, 1)),
    *cases(
        "alike axis",
        concatenate=[lambda x, y: np.concatenate([x, y]), lambda x, y: np.concatenate([x, y], axis=None)],
        concat=lambda x, y: np.concat((x, y), axis=-1),
        stack=[lambda x, y: np.stack([x, y]), lambda x, y: np.stack([x, y], axis=-1)],
        hstack=lambda x, y: np.hstack([x, y]),
        vstack=lambda x, y: np.vstack([x, y]),
        row_stack=lambda x, y: np.row_stack([x, y]),
        dstack=lambda x, y: np.dstack([x, y]),
        column_stack=lambda x, y: np.column_stack([x, y]),
        block=[lambda x, y: np.block([x, y]), lambda x, y: np.block([[x, y], [y, x]])],
        select=[
            lambda x, y: np.select([x > y, x < y], [x, y], default=2),
            lambda x, y: np.select([x != 0], [1.5]),
        ],
    ),
    *cases(
        "two",
        broadcast_arrays=lambda x, y: np.broadcast_arrays(x, y),
        where=lambda x, y: np.where(x > 0, x, y),
        isin=[lambda x, y: np.isin(x, y), lambda x, y: np.isin(x, y, invert=True)],
    ),
    *cases(
        "indexed",
        take=lambda x, i: np.take(x, i),
        take_along_axis=lambda x, i: np.take_along_axis(x, i, axis=0),
        choose=lambda x, i: np.choose(i % 3, [x[0], x[-1], 5]),
        put=changed(lambda x, i: np.put(x, i, [1, 2, 3])),
        put_along_axis=changed(lambda x, i: np.put_along_axis(x, i, 1, axis=0)),
    ),
]

REDUCTIONS = [
    *cases(
        "tame axis",
        sum=[lambda x: np.sum(x, axis=-1, dtype=np.float64), lambda x: np.sum(x * 1.0, where=x > 0)],
        prod=lambda x: np.prod(x, axis=0, dtype=np.float64),
        mean=[
            lambda x: np.mean(x),
            lambda x: np.mean(x, axis=0, keepdims=True),
            lambda x: np.mean(x, axis=-1, where=x > 0),
        ],
        var=[
            lambda x: np.var(x, axis=-1),
            lambda x: np.var(x, ddof=1),
            lambda x: np.var(x, axis=0, ddof=1, where=x > 0),
        ],
        std=[lambda x: np.std(x, axis=0), lambda x: np.std(x, where=x < 2, keepdims=True)],
        ptp=lambda x: np.ptp(x, axis=-1),
        cumsum=lambda x: np.cumsum(x, axis=-1, dtype=np.float64),
        cumprod=lambda x: np.cumprod(x, dtype=np.float64),
        cumulative_sum=lambda x: np.cumulative_sum(x, axis=0, include_initial=True, dtype=np.int64),
        cumulative_prod=lambda x: np.cumulative_prod(x, axis=-1, dtype=np.float64),
        average=[
            lambda x: np.average(x, axis=0),
            lambda x: np.average(x, axis=0, weights=np.arange(1.0, x.shape[0] + 1)),
            lambda x: np.average(x, weights=x * 0.0 + 2, returned=True),
        ],
        diff=[lambda x: np.diff(x), lambda x: np.diff(x, 2, axis=0)],
        ediff1d=[lambda x: np.ediff1d(x), lambda x: np.ediff1d(x, to_end=x[:1])],
        trapezoid=[lambda x: np.trapezoid(x), lambda x: np.trapezoid(x, dx=0.5, axis=0)],
        unwrap=[lambda x: np.unwrap(x), lambda x: np.unwrap(x, axis=0, period=4)],
        apply_over_axes=lambda x: np.apply_over_axes(np.max, x, [0, -1]),
        linalg_norm=[
            lambda x: np.linalg.norm(x),
            lambda x: np.linalg.norm(x, axis=0),
            lambda x: np.linalg.norm(x, 1, axis=-1),
            lambda x: np.linalg.norm(x, np.inf, axis=0, keepdims=True),
            lambda x: np.linalg.norm(x, 3, axis=0),
            lambda x: np.linalg.norm(x, 0, axis=0),
        ],
        linalg_vector_norm=[lambda x: np.linalg.vector_norm(x), lambda x: np.linalg.vector_norm(x, axis=0)],
    ),
    *cases(
        "tame rows",
        gradient=[
            lambda x: np.gradient(x),
            lambda x: np.gradient(x, 2.0, axis=0),
            lambda x: np.gradient(x, 0.5),
        ],
        linalg_norm=[lambda x: np.linalg.norm(x, 1, axis=(0, 1)), lambda x: np.linalg.norm(x, "fro", (0, 1))],
        linalg_matrix_norm=lambda x: np.linalg.matrix_norm(x),
    ),
    *cases(
        "axis",
        max=[
            lambda x: np.max(x, axis=0),
            lambda x: np.max(x, axis=-1, keepdims=True, initial=1),
            lambda x: np.max(x * 1, axis=-1, initial=-9, where=x < 2),
        ],
        amax=lambda x: np.amax(x),
        min=[lambda x: np.min(x, axis=-1), lambda x: np.min(x * 1.0, initial=5.0, where=x > 0)],
        amin=lambda x: np.amin(x, axis=0),
        any=lambda x: np.any(x, axis=0),
        all=lambda x: np.all(x),
        argmax=[lambda x: np.argmax(x), lambda x: np.argmax(x, axis=-1)],
        argmin=lambda x: np.argmin(x, axis=0, keepdims=True),
        count_nonzero=[lambda x: np.count_nonzero(x), lambda x: np.count_nonzero(x, axis=0)],
        median=[
            lambda x: np.median(x),
            lambda x: np.median(x, axis=-1),
            lambda x: np.median(x, 0, keepdims=True),
        ],
        sort=[lambda x: np.sort(x), lambda x: np.sort(x, axis=0), lambda x: np.sort(x, axis=None)],
        argsort=lambda x: np.argsort(x, axis=-1, kind="stable"),
        lexsort=lambda x: np.lexsort((np.ravel(x), np.ravel(x) > 0)),
        nansum=lambda x: np.nansum(np.minimum(x, 9), axis=0, dtype=np.float64),
        nanprod=lambda x: np.nanprod(np.clip(x, 0, 3), dtype=np.float64),
        nancumsum=lambda x: np.nancumsum(np.clip(x, 0, 3), axis=-1, dtype=np.float64),
        nancumprod=lambda x: np.nancumprod(np.clip(x, 0, 3), axis=0, dtype=np.float64),
        nanmax=[lambda x: np.nanmax(x), lambda x: np.nanmax(x, axis=0)],
        nanmin=lambda x: np.nanmin(x, axis=-1, keepdims=True),
        nanargmax=lambda x: np.nanargmax(x),
        nanargmin=lambda x: np.nanargmin(x, axis=0),
        nanmean=[lambda x: np.nanmean(x), lambda x: np.nanmean(x, axis=0)],
        nanmedian=[lambda x: np.nanmedian(x), lambda x: np.nanmedian(x, axis=-1)],
        nan_to_num=[lambda x: np.nan_to_num(x), lambda x: np.nan_to_num(x, nan=1.0, posinf=2.0, neginf=-2)],
    ),
    *cases(
        "tame axis",
        quantile=[
            lambda x: np.quantile(x, 0.3),
            lambda x: np.quantile(x, [0.1, 0.5], axis=0),
            lambda x: np.quantile(x, 0.7, axis=-1, method="lower"),
            lambda x: np.quantile(x, 0.7, axis=-1, method="hazen", keepdims=True),
            lambda x: np.quantile(x, 0.5, method="inverted_cdf"),
            lambda x: np.quantile(x, 0.25, method="midpoint"),
        ],
        percentile=[lambda x: np.percentile(x, 30), lambda x: np.percentile(x, [0, 50, 100.0], axis=0)],
        nanquantile=[lambda x: np.nanquantile(x, 0.3), lambda x: np.nanquantile(x, 0.3, axis=0)],
        nanpercentile=lambda x: np.nanpercentile(x, 40.0, axis=-1),
        nanvar=[lambda x: np.nanvar(x), lambda x: np.nanvar(x, axis=0, ddof=1)],
        nanstd=lambda x: np.nanstd(x, axis=-1),
        histogram_bin_edges=[
            lambda x: np.histogram_bin_edges(x, 3, (0, 1)),
            lambda x: np.histogram_bin_edges(x, 3),
        ],
        histogram=[
            lambda x: np.histogram(x, 4, (-5.0, 5.0)),
            lambda x: np.histogram(x),
            lambda x: np.histogram(x, np.array([-2, 0, 1, 4]), density=True),
        ],
    ),
    *cases("float", quantile=lambda x: np.quantile(x, 0.4), nanquantile=lambda x: np.nanquantile(x, 0.4)),
    *cases("matrix", cov=lambda x: np.cov(x)),
    *cases(
        "tame rows",
        cov=[
            lambda x: np.cov(x, rowvar=False),
            lambda x: np.cov(x, x, bias=True),
            lambda x: np.cov(x, ddof=0),
        ],
        corrcoef=[lambda x: np.corrcoef(x), lambda x: np.corrcoef(x, rowvar=False)],
    ),
    *cases(
        "full axis",
        partition=lambda x: np.sort(np.partition(x, 0, axis=-1)),
        argpartition=lambda x: np.sort(np.argpartition(x, 0, axis=0), axis=0),
    ),
]

SELECTING = [
    *cases(
        "axis",
        nonzero=lambda x: np.nonzero(x),
        argwhere=lambda x: np.argwhere(x),
        flatnonzero=lambda x: np.flatnonzero(x),
        compress=lambda x: np.compress(np.ravel(x) != 0, x),
        extract=lambda x: np.extract(x != 0, x),
        where=lambda x: np.where(x),
    ),
    *cases(
        "any",
        unique=[
            lambda x: np.unique(x),
            lambda x: np.unique(x, return_index=True, return_inverse=True, return_counts=True),
        ],
        unique_values=lambda x: np.sort(np.unique_values(x)),
    ),
    *cases(
        "tame axis",
        unique_counts=lambda x: tuple(np.unique_counts(x)),
        unique_inverse=lambda x: tuple(np.unique_inverse(x)),
        unique_all=lambda x: tuple(np.unique_all(x)),
    ),
    *cases(
        "tame vector",
        trim_zeros=[lambda x: np.trim_zeros(x), lambda x: np.trim_zeros(x, "f")],
        bincount=[
            lambda x: np.bincount(np.abs(x).astype(np.int64)),
            lambda x: np.bincount(np.abs(x).astype(np.int64), minlength=5),
            lambda x: np.bincount(np.abs(x).astype(np.int64), x.astype(float)),
        ],
    ),
    *cases(
        "two",
        union1d=lambda x, y: np.union1d(x, y),
        intersect1d=lambda x, y: np.intersect1d(x, y),
        setdiff1d=lambda x, y: np.setdiff1d(x, y),
        setxor1d=lambda x, y: np.setxor1d(x, y),
    ),
]

ELEMENT_WISE = [
    *cases(
        "number",
        round=[lambda x: np.round(x), lambda x: np.round(x, 2), lambda x: np.round(x, -1)],
        around=lambda x: np.around(x, 1),
        clip=[lambda x: np.clip(x, 0, 5), lambda x: np.clip(x, None, 3), lambda x: np.clip(x, min=1)],
    ),
    *cases(
        "any",
        fix=lambda x: np.fix(x),
        sinc=lambda x: np.sinc(x),
        i0=lambda x: np.i0(np.clip(x, 0, 20)),
        angle=lambda x: np.angle(x),
        isposinf=lambda x: np.isposinf(x),
        isneginf=lambda x: np.isneginf(x),
    ),
    *cases(
        "two",
        isclose=[lambda x, y: np.isclose(x, y), lambda x, y: np.isclose(x, y, rtol=0.5, equal_nan=True)],
        allclose=[lambda x, y: np.allclose(x, y), lambda x, y: np.allclose(x, x, equal_nan=True)],
        array_equal=[lambda x, y: np.array_equal(x, y), lambda x, y: np.array_equal(x, x, equal_nan=True)],
        array_equiv=lambda x, y: np.array_equiv(x, y),
    ),
    *cases(
        "alike",
        array_equal=lambda x, y: np.array_equal(x, y),
        allclose=lambda x, y: np.allclose(x, y, atol=9),
    ),
]

PRODUCTS = [
    *cases(
        "chain",
        dot=lambda x, y: np.dot(x, y),
        matmul=lambda x, y: np.matmul(x, y),
        linalg_matmul=lambda x, y: np.linalg.matmul(x, y),
        tensordot=[lambda x, y: np.tensordot(x, y, 1), lambda x, y: np.tensordot(x, y, ([1], [0]))],
        einsum=[
            lambda x, y: np.einsum("ij,jk->ik", x, y),
            lambda x, y: np.einsum("ij,jk", x, y),
            lambda x, y: np.einsum("ij,jk->ki", x, y),
            lambda x, y: np.einsum("ij,jk->", x, y),
            lambda x, y: np.einsum("ij,jk->ijk", x, y),
            lambda x, y: np.einsum("...j,j...->...", x, y[:, 0]) if y.shape[1] else x,
            lambda x, y: np.einsum(x, [0, 1], y, [1, 2], [0, 2]),
        ],
    ),
    *cases(
        "squares",
        einsum=[
            lambda x, y: np.einsum("ii", x),
            lambda x, y: np.einsum("ii->i", x),
            lambda x, y: np.einsum("ij->ji", x),
            lambda x, y: np.einsum("ij->j", x),
            lambda x, y: np.einsum("ij,ij->i", x, y),
            lambda x, y: np.einsum("ij,kl,jk->il", x, y, x),
            lambda x, y: np.einsum("ii,jj->ij", x, y),
        ],
        inner=lambda x, y: np.inner(x, y),
        outer=lambda x, y: np.outer(x, y),
        vdot=lambda x, y: np.vdot(x, y),
        kron=lambda x, y: np.kron(x, y),
        linalg_multi_dot=lambda x, y: np.linalg.multi_dot([x, y, x]),
        linalg_matrix_power=[
            lambda x, y: np.linalg.matrix_power(x, 3),
            lambda x, y: np.linalg.matrix_power(x, 0),
        ],
        fill_diagonal=changed(lambda x, y: np.fill_diagonal(x, y[0])),
        linalg_tensordot=lambda x, y: np.linalg.tensordot(x, y, axes=1),
    ),
    *cases(
        "stacks",
        matmul=lambda x, y: np.matmul(x, y),
        einsum=[
            lambda x, y: np.einsum("bij,bjk->bik", x, y),
            lambda x, y: np.einsum("...ij,...jk->...ik", x, y),
            lambda x, y: np.einsum("...ii->...i", x),
            lambda x, y: np.einsum("bij->b", x),
        ],
    ),
    *cases(
        "vectors",
        dot=lambda x, y: np.dot(x, y),
        linalg_outer=lambda x, y: np.linalg.outer(x, y),
        linalg_vecdot=lambda x, y: np.linalg.vecdot(x, y),
        convolve=[
            lambda x, y: np.convolve(x, y),
            lambda x, y: np.convolve(x, y[:2], mode="same"),
            lambda x, y: np.convolve(x[:2], y, mode="valid"),
        ],
        correlate=[
            lambda x, y: np.correlate(x, y),
            lambda x, y: np.correlate(x, y[:2], "full"),
            lambda x, y: np.correlate(x[:1], y, "same"),
        ],
        polyadd=lambda x, y: np.polyadd(x, y[:2]),
        polysub=lambda x, y: np.polysub(x[:2], y),
        polyval=[lambda x, y: np.polyval(x, y), lambda x, y: np.polyval([1.0, 2, 3], x)],
    ),
    *cases(
        "tame vector",
        poly=lambda x: np.poly(x),
        polyder=[lambda x: np.polyder(x), lambda x: np.polyder(x, 2)],
        polyint=[lambda x: np.polyint(x), lambda x: np.polyint(x, 2, [1, 2])],
        vander=[lambda x: np.vander(x), lambda x: np.vander(x, 3, increasing=True)],
    ),
    *cases(
        "three",
        cross=[lambda x, y: np.cross(x, y), lambda x, y: np.cross(x[0], y)],
        linalg_cross=lambda x, y: np.linalg.cross(x, y),
    ),
]

LOOKUPS = [
    *cases(
        "table",
        searchsorted=[
            lambda x, keys, heights: np.searchsorted(keys, x),
            lambda x, keys, heights: np.searchsorted(keys, x, side="right"),
            lambda x, keys, heights: np.searchsorted(heights, 2.5, sorter=np.argsort(heights, stable=True)),
        ],
        interp=[
            lambda x, keys, heights: np.interp(x, keys, heights),
            lambda x, keys, heights: np.interp(x, keys, heights, left=-1, right=9),
            # Which of two equal places is first NumPy leaves to its sort.
            lambda x, keys, heights: np.interp(x, keys[0] + 0.9 * np.arange(len(heights)), heights, period=7),
        ],
        digitize=[
            lambda x, keys, heights: np.digitize(x, [0.0, 1.0, 2.5]),
            lambda x, keys, heights: np.digitize(x, np.array([3, 0, -2]), right=True),
        ],
    ),
]

WRITES = [
    *cases(
        "masked",
        copyto=[
            changed(lambda x, mask: np.copyto(x, 1)),
            changed(lambda x, mask: np.copyto(x, np.max(mask, initial=False), casting="unsafe", where=x > 0)),
        ],
        putmask=changed(lambda x, mask: np.putmask(x, x > 0, [1, 2, 3])),
        place=changed(lambda x, mask: np.place(x, x > 0, [1, 2, 3])),
        put=changed(lambda x, mask: np.put(x, [0, 7], [1, 2], mode="wrap")),
    ),
]

PARTS = [
    *cases(
        "full axis",
        fft_fftshift=[lambda x: np.fft.fftshift(x), lambda x: np.fft.fftshift(x, axes=-1)],
        unpackbits=[
            lambda x: np.unpackbits((x > 0).astype(np.uint8), axis=0, count=3),
            lambda x: np.unpackbits((x > 0).astype(np.uint8), count=-2),
            lambda x: np.unpackbits((x > 0).astype(np.uint8), axis=0, count=40),
        ],
        fft_ifftshift=[lambda x: np.fft.ifftshift(x), lambda x: np.fft.ifftshift(x, axes=(0,))],
    ),
    *cases(
        "axis",
        packbits=[
            lambda x: np.packbits(x > 0),
            lambda x: np.packbits(x, axis=0, bitorder="little"),
            lambda x: np.packbits(x != x[:1], axis=-1),
        ],
        unpackbits=[
            lambda x: np.unpackbits(x.astype(np.uint8)),
            lambda x: np.unpackbits(np.where(x > 0, np.uint8(5), np.uint8(130)), axis=-1, bitorder="little"),
        ],
        piecewise=[
            lambda x: np.piecewise(x, [x < 0, x > 1], [1, 2, 3.5]),
            lambda x: np.piecewise(x, x < 0, [1, 2]),
            lambda x: np.piecewise(x, [x < 2, x > 1], [4, 5]),
        ],
    ),
    *cases(
        "vectors",
        histogram2d=[
            lambda x, y: np.histogram2d(x, y, 3),
            lambda x, y: np.histogram2d(x, y, [-2.0, 0, 1, 3], density=True),
            lambda x, y: np.histogram2d(x, y, [2, [-1, 0, 4]], range=[[-3, 3], [0, 1]], weights=y),
        ],
        histogramdd=[
            lambda x, y: np.histogramdd((x, y, x), bins=2)[0],
            lambda x, y: np.histogramdd(np.stack([x, y], 1), [2, 4], range=[(-4, 4), (0, 6)])[0],
            lambda x, y: np.histogramdd(x, [[0.0, 1, 5]])[0],
            lambda x, y: np.histogramdd((x, y), [1, 2, 3])[0],
        ],
    ),
    *cases(
        "number",
        fft_fftfreq=lambda x: np.fft.fftfreq(5, 1.0 + np.sum(x != x)),
        fft_rfftfreq=lambda x: np.fft.rfftfreq(6, 1.0 + np.sum(x != x)),
    ),
    *cases(
        "tame vector",
        linalg_tensorinv=lambda x: np.linalg.tensorinv(np.eye(6).reshape(6, 2, 3) * (np.sum(x != x) + 2), 1),
        linalg_tensorsolve=[
            lambda x: np.linalg.tensorsolve(np.eye(6).reshape(2, 3, 6) * 2, x[:1] + np.ones((2, 3))),
            lambda x: np.linalg.tensorsolve(np.ones((1, 2, 2)), x[:2]),
        ],
        polyfit=[
            lambda x: np.polyfit(np.arange(5.0), x[0] * np.arange(5.0) ** 2, 2),
            lambda x: np.polyfit([1.0, 2, 4, 8], np.ones((4, 2)) * x[-1], 1, w=[1, 2, 1, 1]),
            lambda x: np.polyfit(x, x, -1),
        ],
    ),
]

EDGES = [
    *cases(
        "full axis",
        roll=[lambda x: np.roll(x, (1, 2), (0, -1)), lambda x: np.roll(x, (1, 2), 0)],
        linspace=lambda x: np.linspace(np.clip(x, 0, 1), 9, 4, axis=-1),
        tile=lambda x: np.tile(x, 0),
        diff=[lambda x: np.diff(x, prepend=0), lambda x: np.diff(x, axis=0, append=x[:1])],
        tril=lambda x: np.tril(np.ravel(x)),
    ),
    *cases("tame rows", gradient=lambda x: np.gradient(x, [0.0, 2, 3, 7][: x.shape[0]], axis=0)),
    *cases("squares", tensordot=lambda x, y: np.tensordot(x, y, 2)),
    *cases("float", nanstd=lambda x: np.nanstd(x), nanvar=lambda x: np.nanvar(x, ddof=1)),
]

ALL: list[Case] = [
    *EDGES,
    *PARTS,
    *CREATION,
    *METADATA,
    *SHAPES,
    *REDUCTIONS,
    *ELEMENT_WISE,
    *SELECTING,
    *PRODUCTS,
    *LOOKUPS,
    *WRITES,
    *PLACE_CASES,
    *SERIES_CASES,
]

CASES = [case for case in ALL if is_there(case.name)]
"""The cases of the functions that the installed NumPy has."""
