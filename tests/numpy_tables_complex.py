"""The cases of functions of complex values, and of those that give such; see `numpy_cases`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy_cases import cases, is_there


def changed(function: Any) -> Any:
    """A case of a function that writes into its first argument: the argument afterwards."""

    def program(x: Any, *others: Any) -> Any:
        y = np.copy(x)
        function(y, *others)
        return y

    return program


CREATION = [
    *cases(
        "complex",
        array=[lambda z: np.array(z), lambda z: np.array([z, z]), lambda z: np.array(z, ndmin=3)],
        asarray=[lambda z: np.asarray(z), lambda z: np.asarray(z, dtype=np.complex128)],
        asanyarray=lambda z: np.asanyarray(z),
        ascontiguousarray=lambda z: np.ascontiguousarray(z),
        copy=lambda z: np.copy(z),
        astype=lambda z: np.astype(z, np.complex64),
        zeros=lambda z: np.zeros(z.shape, complex) + z,
        ones=lambda z: np.ones(z.shape, dtype=np.complex64) * z,
        empty=lambda z: np.empty(3, z.dtype).dtype.itemsize,
        full=[lambda z: np.full(2, 1j) * np.sum(z), lambda z: np.full((2, 1), np.sum(z), np.complex64)],
        zeros_like=[lambda z: np.zeros_like(z), lambda z: np.zeros_like(z, dtype=np.float32)],
        ones_like=[lambda z: np.ones_like(z), lambda z: np.ones_like(z.real, dtype=complex)],
        empty_like=lambda z: np.empty_like(z).shape,
        full_like=[
            lambda z: np.full_like(z, 2),
            lambda z: np.full_like(z, 1j),
            lambda z: np.full_like(z, 1.5),
        ],
        eye=lambda z: np.eye(2, 3, 1, dtype=complex) * np.sum(z),
        identity=lambda z: np.identity(2, z.dtype) * np.sum(z),
        arange=lambda z: np.arange(4, dtype=complex) * np.sum(z),
        linspace=[
            lambda z: np.linspace(0, np.sum(z), 5),
            lambda z: np.linspace(1j, np.sum(z).real, 4, endpoint=False),
            lambda z: np.linspace(0, 1 + 2j, 5) * np.sum(z),
        ],
    ),
]

METADATA = [
    *cases(
        "complex",
        shape=lambda z: np.shape(z),
        ndim=lambda z: np.ndim(z),
        size=lambda z: np.size(z),
        iterable=lambda z: np.iterable(z),
        isscalar=lambda z: np.isscalar(z),
        iscomplexobj=lambda z: np.iscomplexobj(z),
        isrealobj=lambda z: np.isrealobj(z),
        iscomplex=lambda z: np.iscomplex(z),
        isreal=lambda z: np.isreal(z),
        real=lambda z: np.real(z),
        imag=lambda z: np.imag(z),
        angle=[lambda z: np.angle(z), lambda z: np.angle(z, deg=True)],
        common_type=lambda z: np.zeros(2, np.common_type(z)) + np.sum(z),
        result_type=lambda z: np.zeros(2, np.result_type(z, np.float32)) + np.sum(z),
        can_cast=lambda z: np.can_cast(z.dtype, np.complex64),
    ),
]

MOVES = [
    *cases(
        "complex",
        ravel=lambda z: np.ravel(z),
        reshape=lambda z: np.reshape(z, z.shape[::-1]),
        transpose=lambda z: np.transpose(z),
        squeeze=lambda z: np.squeeze(z),
        expand_dims=lambda z: np.expand_dims(z, 0),
        atleast_1d=[lambda z: np.atleast_1d(z), lambda z: np.atleast_1d(z, z.real)],
        atleast_2d=lambda z: np.atleast_2d(z),
        atleast_3d=lambda z: np.atleast_3d(z),
        tile=lambda z: np.tile(z, 2),
        repeat=lambda z: np.repeat(z, 2),
        broadcast_to=lambda z: np.broadcast_to(z, (2, *z.shape)),
        broadcast_arrays=lambda z: np.broadcast_arrays(z, np.ones((2, 1, 1, 1))),
        append=[lambda z: np.append(z, 1.5), lambda z: np.append([1, 2], z)],
        flip=lambda z: np.flip(z),
        roll=lambda z: np.roll(z, 2),
        where=[lambda z: np.where(z.real > 0, z, 0), lambda z: np.where(z.real > 0, 1.5, z)],
        nan_to_num=lambda z: np.nan_to_num(z),
        round=[lambda z: np.round(z), lambda z: np.round(z, 1)],
        diagflat=lambda z: np.diagflat(z),
        meshgrid=lambda z: np.meshgrid(np.ravel(z), np.arange(2)),
        select=lambda z: np.select([z.real > 0, z.imag > 0], [z, 1j], 2),
        resize=lambda z: np.resize(z, (2, 3)),
        block=lambda z: np.block([np.ravel(z), np.ones(2)]),
    ),
    *cases(
        "complex axis",
        concatenate=[lambda z: np.concatenate([z, z]), lambda z: np.concatenate([z, z.imag], axis=-1)],
        stack=[lambda z: np.stack([z, z]), lambda z: np.stack([z.real, z], -1)],
        vstack=lambda z: np.vstack([z, z]),
        hstack=lambda z: np.hstack([z, z.real]),
        dstack=lambda z: np.dstack([z, z]),
        column_stack=lambda z: np.column_stack([np.ravel(z), np.ravel(z)]),
        split=lambda z: np.split(z, [1]),
        array_split=lambda z: np.array_split(z, 2),
        hsplit=lambda z: np.hsplit(np.ravel(z), [1]),
        swapaxes=lambda z: np.swapaxes(z, 0, -1),
        moveaxis=lambda z: np.moveaxis(z, 0, -1),
        rollaxis=lambda z: np.rollaxis(z, -1),
        flipud=lambda z: np.flipud(z),
        roll=lambda z: np.roll(z, 1, -1),
        repeat=lambda z: np.repeat(z, 2, axis=0),
        take=[lambda z: np.take(z, [0, 0]), lambda z: np.take(z, 0, axis=-1)],
        delete=lambda z: np.delete(z, 0, axis=0),
        insert=[lambda z: np.insert(np.ravel(z), 0, 1j), lambda z: np.insert(z, 1, 2.5, axis=0)],
        pad=[
            lambda z: np.pad(z, 1),
            lambda z: np.pad(z, 2, mode="edge"),
            lambda z: np.pad(z, 1, constant_values=1j),
        ],
        diff=[lambda z: np.diff(z), lambda z: np.diff(z, append=z[..., :1])],
        ediff1d=lambda z: np.ediff1d(z, to_end=1j),
        sum=[
            lambda z: np.sum(z),
            lambda z: np.sum(z, axis=0),
            lambda z: np.sum(z, axis=-1, keepdims=True, initial=1j),
            lambda z: np.sum(z, initial=2),
        ],
        mean=[lambda z: np.mean(z), lambda z: np.mean(z, axis=0)],
        cumsum=[lambda z: np.cumsum(z), lambda z: np.cumsum(z, axis=-1)],
        cumulative_sum=lambda z: np.cumulative_sum(z, axis=0),
        prod=[lambda z: np.prod(z), lambda z: np.prod(z, axis=0), lambda z: np.prod(z, -1, keepdims=True)],
        cumprod=[lambda z: np.cumprod(z), lambda z: np.cumprod(z, axis=-1)],
        cumulative_prod=lambda z: np.cumulative_prod(z, axis=0, include_initial=True),
        std=[lambda z: np.std(z), lambda z: np.std(z, axis=0, ddof=0)],
        var=[lambda z: np.var(z), lambda z: np.var(z, axis=-1, keepdims=True)],
        average=lambda z: np.average(z, axis=0),
        take_along_axis=lambda z: np.take_along_axis(z, np.zeros(z.shape, int), -1),
        compress=lambda z: np.compress([True], z, axis=0),
        extract=lambda z: np.extract(z.real > 0, z),
        choose=lambda z: np.choose([0, 1, 0], [z[..., :1], 1j]),
        trapezoid=lambda z: np.trapezoid(z, dx=0.5),
        apply_along_axis=lambda z: np.apply_along_axis(lambda row: row * 2j, 0, z),
    ),
    *cases(
        "complex rows",
        fliplr=lambda z: np.fliplr(z),
        rot90=lambda z: np.rot90(z),
        diagonal=lambda z: np.diagonal(z),
        diag=lambda z: np.diag(np.ravel(z)),
        trace=lambda z: np.trace(z),
        tril=lambda z: np.tril(z),
        triu=lambda z: np.triu(z, 1),
        vsplit=lambda z: np.vsplit(z, [1]),
        matrix_transpose=lambda z: np.matrix_transpose(z),
        linalg_trace=lambda z: np.linalg.trace(z),
        linalg_diagonal=lambda z: np.linalg.diagonal(z),
        gradient=lambda z: np.gradient(z),
        unstack=lambda z: np.unstack(z),
    ),
    *cases(
        "complex vector",
        interp=lambda z: np.interp(0.5, np.arange(z.size), z),
        put=changed(lambda y: np.put(y, [0], 1j)),
        place=changed(lambda y: np.place(y, y.real > 0, [1j])),
        putmask=changed(lambda y: np.putmask(y, y.real > 0, 2)),
        copyto=[changed(lambda y: np.copyto(y, 1j)), changed(lambda y: np.copyto(y, 2.5))],
    ),
    *cases("complex square", fill_diagonal=changed(lambda y: np.fill_diagonal(y, 1j))),
]

PRODUCTS = [
    *cases(
        "complex vectors",
        dot=lambda a, b: np.dot(a, b),
        vdot=lambda a, b: np.vdot(a, b),
        inner=lambda a, b: np.inner(a, b),
        outer=lambda a, b: np.outer(a, b),
        tensordot=lambda a, b: np.tensordot(a, b, 1),
        kron=lambda a, b: np.kron(a, b),
        einsum=[
            lambda a, b: np.einsum("i,i->", a, b),
            lambda a, b: np.einsum("i,j->ij", a, b),
            lambda a, b: np.einsum("i,i,i->", a, b, a),
        ],
        convolve=[lambda a, b: np.convolve(a, b), lambda a, b: np.convolve(a, b, "same")],
        correlate=[lambda a, b: np.correlate(a, b), lambda a, b: np.correlate(a, b, "full")],
        vecdot=lambda a, b: np.vecdot(a, b),
        linalg_vecdot=lambda a, b: np.linalg.vecdot(a, b),
        linalg_outer=lambda a, b: np.linalg.outer(a, b),
        polyval=lambda a, b: np.polyval(a, b),
        polyadd=lambda a, b: np.polyadd(a, b),
        polymul=lambda a, b: np.polymul(a, b),
    ),
    *cases(
        "complex squares",
        matmul=[lambda a, b: np.matmul(a, b), lambda a, b: np.matmul(a, b[0])],
        dot=lambda a, b: np.dot(a, b),
        linalg_matmul=lambda a, b: np.linalg.matmul(a, b),
        linalg_multi_dot=lambda a, b: np.linalg.multi_dot([a, b, a]),
        matvec=lambda a, b: np.matvec(a, b[0]),
        vecmat=lambda a, b: np.vecmat(a[0], b),
        linalg_solve=[
            lambda a, b: np.linalg.solve(a + 20 * np.eye(len(a)), b),
            lambda a, b: np.linalg.solve(a + 20j * np.eye(len(a)), b[0]),
        ],
    ),
    *cases(
        "complex square",
        linalg_inv=lambda a: np.linalg.inv(a + 20 * np.eye(len(a))),
        linalg_matrix_power=lambda a: np.linalg.matrix_power(a, 3),
        linalg_norm=[
            lambda a: np.linalg.norm(a),
            lambda a: np.linalg.norm(a, axis=0),
            lambda a: np.linalg.norm(a, 1),
            lambda a: np.linalg.norm(a[0], np.inf),
            lambda a: np.linalg.norm(a, 2),
            lambda a: np.linalg.norm(a, "nuc"),
        ],
        linalg_vector_norm=lambda a: np.linalg.vector_norm(a, axis=0),
        linalg_eigvalsh=[lambda a: np.linalg.eigvalsh(a), lambda a: np.linalg.eigvalsh(a, "U")],
        linalg_matrix_rank=[
            lambda a: np.linalg.matrix_rank(a + 20 * np.eye(len(a))),
            lambda a: np.linalg.matrix_rank(a[:, :1] @ a[:1] + 20, tol=1e-6),
            lambda a: np.linalg.matrix_rank(a + 20 * np.eye(len(a)), hermitian=True),
        ],
        linalg_cond=[
            lambda a: np.linalg.cond(a + 20 * np.eye(len(a))),
            lambda a: np.linalg.cond(a + 20 * np.eye(len(a)), 1),
        ],
        linalg_lstsq=lambda a: np.linalg.lstsq(a + 20 * np.eye(len(a)), a[0])[0],
        linalg_tensorsolve=lambda a: np.linalg.tensorsolve(a + 20 * np.eye(len(a)), a[0]),
        linalg_tensorinv=lambda a: np.linalg.tensorinv(a + 20 * np.eye(len(a)), ind=1),
    ),
    *cases(
        "complex stack",
        linalg_inv=lambda a: np.linalg.inv(a + 20 * np.eye(a.shape[-1])),
        linalg_cholesky=[
            lambda a: np.linalg.cholesky(a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(a.shape[-1])),
            lambda a: np.linalg.cholesky(a + 200 * np.eye(a.shape[-1]), upper=True),
        ],
        linalg_qr=[
            lambda a: np.linalg.qr(a + 20 * np.eye(a.shape[-1])),
            lambda a: np.linalg.qr((a + 20 * np.eye(a.shape[-1]))[..., :1, :], "complete"),
            lambda a: np.linalg.qr((a + 20 * np.eye(a.shape[-1]))[..., :1, :], "r"),
        ],
        linalg_eigh=lambda a: np.linalg.eigh(a)[0],
        linalg_svd=[
            lambda a: np.linalg.svd(a)[1],
            lambda a: np.linalg.svd(a, compute_uv=False),
            lambda a: np.linalg.svd(a, hermitian=True).S,
        ],
        linalg_svdvals=lambda a: np.linalg.svdvals(a),
        linalg_pinv=[
            lambda a: np.linalg.pinv(a + 20 * np.eye(a.shape[-1])),
            lambda a: np.linalg.pinv(a + 20 * np.eye(a.shape[-1]), hermitian=True),
        ],
        linalg_det=lambda a: np.linalg.det(a + 20 * np.eye(a.shape[-1])),
        linalg_slogdet=lambda a: np.linalg.slogdet(a + 20 * np.eye(a.shape[-1])),
        linalg_matrix_norm=lambda a: np.linalg.matrix_norm(a, ord="nuc"),
    ),
]

ORDER = [
    *cases("tame axis", sort_complex=lambda x: np.sort_complex(x)),
    *cases(
        "complex axis",
        sort=[lambda z: np.sort(z), lambda z: np.sort(z, axis=0), lambda z: np.sort(z, axis=None)],
        argsort=lambda z: np.argsort(z, axis=0, kind="stable"),
        sort_complex=lambda z: np.sort_complex(z),
        max=[lambda z: np.max(z), lambda z: np.max(z, axis=0), lambda z: np.max(z, -1, keepdims=True)],
        min=[lambda z: np.min(z), lambda z: np.min(z, axis=0, initial=1j)],
        amax=lambda z: np.amax(z),
        amin=lambda z: np.amin(z, axis=-1),
        argmax=[lambda z: np.argmax(z), lambda z: np.argmax(z, axis=0)],
        argmin=lambda z: np.argmin(z, axis=-1, keepdims=True),
    ),
]

TESTS = [
    *cases(
        "complex",
        any=lambda z: np.any(z),
        all=[lambda z: np.all(z), lambda z: z.all()],
        count_nonzero=lambda z: np.count_nonzero(z),
        nonzero=lambda z: np.nonzero(np.ravel(z)),
        argwhere=lambda z: np.argwhere(np.ravel(z)),
        flatnonzero=lambda z: np.flatnonzero(z),
    ),
    *cases(
        "complex alike",
        isclose=[lambda a, b: np.isclose(a, b), lambda a, b: np.isclose(a, b, atol=5.0, equal_nan=True)],
        allclose=lambda a, b: np.allclose(a, b, atol=8.0),
        array_equal=[lambda a, b: np.array_equal(a, b), lambda a, b: np.array_equal(a, a * 1j / 1j)],
        array_equiv=lambda a, b: np.array_equiv(a, b[:1]),
    ),
]

POLYNOMIALS = [
    *cases(
        "vectors",
        polymul=[lambda x, y: np.polymul(x, y), lambda x, y: np.polymul(x, y[:1])],
        polydiv=[lambda x, y: np.polydiv(x, np.append([2], y[:1])), lambda x, y: np.polydiv(x[:1], [4, 1])],
    ),
    *cases("complex vector", polydiv=lambda z: np.polydiv(z, [2j, 1])),
]

FOURIER = [
    *cases(
        "complex axis",
        fft_fft=[
            lambda z: np.fft.fft(z),
            lambda z: np.fft.fft(z, 5, axis=0, norm="ortho"),
            lambda z: np.fft.fft(z.real, 2),
        ],
        fft_ifft=[lambda z: np.fft.ifft(z), lambda z: np.fft.ifft(z, 3, 0, "forward")],
        fft_rfft=[lambda z: np.fft.rfft(z.real), lambda z: np.fft.rfft(z.imag, 5, norm="forward")],
        fft_irfft=[
            lambda z: np.fft.irfft(z, 5),
            lambda z: np.fft.irfft(z, axis=0),
            lambda z: np.fft.irfft(z, 1),
        ],
        fft_hfft=[lambda z: np.fft.hfft(z, 4), lambda z: np.fft.hfft(z, 5, norm="ortho")],
        fft_ihfft=[lambda z: np.fft.ihfft(z.real), lambda z: np.fft.ihfft(z.real, 4, norm="forward")],
        fft_fftshift=lambda z: np.fft.fftshift(z),
        fft_ifftshift=lambda z: np.fft.ifftshift(z, axes=0),
    ),
    *cases(
        "complex rows",
        fft_fft2=[lambda z: np.fft.fft2(z), lambda z: np.fft.fft2(z.real, (3, 4))],
        fft_ifft2=lambda z: np.fft.ifft2(z, norm="ortho"),
        fft_rfft2=lambda z: np.fft.rfft2(z.real),
        fft_irfft2=[lambda z: np.fft.irfft2(z), lambda z: np.fft.irfft2(z, (3, 5))],
        fft_fftn=[lambda z: np.fft.fftn(z), lambda z: np.fft.fftn(z, axes=(0,))],
        fft_ifftn=lambda z: np.fft.ifftn(z, (2, 3), axes=(0, 1)),
        fft_rfftn=[lambda z: np.fft.rfftn(z.real), lambda z: np.fft.rfftn(z.real, axes=(1, 0))],
        fft_irfftn=lambda z: np.fft.irfftn(z, (2, 5), axes=(0, 1)),
    ),
    *cases("tame axis", fft_fft=lambda x: np.fft.fft(x), fft_rfft=lambda x: np.fft.rfft(x, axis=0)),
]

_ALL = [*CREATION, *METADATA, *MOVES, *PRODUCTS, *ORDER, *TESTS, *POLYNOMIALS, *FOURIER]

COMPLEX_CASES = [case for case in _ALL if is_there(case.name)]
"""Those of the functions that the installed NumPy has."""
