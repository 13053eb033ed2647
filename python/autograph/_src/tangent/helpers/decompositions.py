"""Derivatives of decompositions of matrices, by Giles (2008).

What is read of a matrix is what has a derivative: `cholesky` and `eigh` read one triangle. Vectors of equal
values have none: it is infinite or NaN.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused, refused_value
from autograph._src.tangent.helpers.matrices import turned


def refuse_complex(name, a):
    """Raise `TypeError` for complex matrices, of which there is no rule."""
    if np.iscomplexobj(a):
        raise refused(
            "AG022",
            f"tangent has no rule of `np.linalg.{name}` for complex matrices",
            "give it real ones, or write a function with a rule of your own, `@tangent.adjoint(...)`",
        )


def of_triangle(change, is_upper=False):
    """Give the adjoint of a triangle that a symmetric matrix was read of."""
    both = change + turned(change)
    rest = np.triu(both, 1) if is_upper else np.tril(both, -1)
    return rest + change * np.eye(change.shape[-1], dtype=change.dtype)


def from_triangle(da, is_upper=False):
    """Give the symmetric matrix that has a triangle."""
    rest = np.triu(da, 1) if is_upper else np.tril(da, -1)
    return rest + turned(rest) + da * np.eye(da.shape[-1], dtype=da.dtype)


def lower_half(x):
    """Give the part below the diagonal, and half of the diagonal."""
    return np.tril(x) - 0.5 * x * np.eye(x.shape[-1], dtype=x.dtype)


def cholesky_adjoint(bz, z, upper=False):
    """Give the adjoint of the matrix whose factor is `z`."""
    refuse_complex("cholesky", z)
    lower, by = (turned(z), turned(bz)) if upper else (z, bz)
    inner = lower_half(turned(lower) @ np.tril(by))
    left = np.linalg.solve(turned(lower), inner)
    return of_triangle(turned(np.linalg.solve(turned(lower), turned(left))), upper)


def cholesky_tangent(da, z, upper=False):
    """Give the tangent of the factor `z` of a matrix."""
    refuse_complex("cholesky", z)
    lower = turned(z) if upper else z
    left = np.linalg.solve(lower, from_triangle(da, upper))
    found = lower @ lower_half(np.linalg.solve(lower, turned(left)))
    return turned(found) if upper else found


def qr_adjoint(bq, br, q, r):
    """Give the adjoint of the matrix whose factors are `q` and `r`."""
    refuse_complex("qr", r)
    size = q.shape[-1]
    square = r[..., :, :size]
    bskew = turned(q) @ bq - br @ turned(r)
    binner = np.tril(bskew - turned(bskew), -1) - turned(q) @ bq
    first = turned(np.linalg.solve(square, turned(bq + q @ binner)))
    rest = q @ br
    return np.concatenate([rest[..., :, :size] + first, rest[..., :, size:]], axis=-1)


def qr_tangent(da, q, r):
    """Give the tangents of both factors."""
    refuse_complex("qr", r)
    size = q.shape[-1]
    solved = turned(np.linalg.solve(turned(r[..., :, :size]), turned(da[..., :, :size])))
    inner = turned(q) @ solved
    below = np.tril(inner, -1)
    skew = below - turned(below)
    return q @ (skew - inner) + solved, turned(q) @ da - skew @ r


def qr_result_adjoint(bz, z, a, mode):
    """Give the adjoint of `np.linalg.qr(a, mode)`."""
    q, r = qr_factors(z, a, mode)
    bq, br = (np.zeros(q.shape, q.dtype), bz) if mode == "r" else bz
    return qr_adjoint(bq, br, q, r)


def qr_result_tangent(da, z, a, mode):
    """Give the tangent of `np.linalg.qr(a, mode)`."""
    q, r = qr_factors(z, a, mode)
    dq, dr = qr_tangent(da, q, r)
    return dr if mode == "r" else (dq, dr)


def qr_factors(z, a, mode):
    """Give both factors, also where the result is one of them."""
    if mode == "complete" and np.shape(a)[-2] > np.shape(a)[-1]:
        raise refused_value(
            "AG022",
            "the columns that complete `q` are not determined, so they have no derivative",
            "`mode='reduced'` gives the others",
        )
    return np.linalg.qr(a) if mode == "r" else z


def inverse_gaps(values):
    """Give 1 over the differences of values, row less column, and 0 on the diagonal."""
    gaps = values[..., None, :] - values[..., :, None]
    diagonal = np.eye(values.shape[-1], dtype=values.dtype)
    return (1 - diagonal) / (gaps + diagonal)


def eigh_adjoint(bw, bv, w, v, uplo="L"):
    """Give the adjoint of the matrix whose values are `w` and whose vectors are `v`."""
    refuse_complex("eigh", v)
    inner = np.eye(w.shape[-1], dtype=w.dtype) * np.asarray(bw)[..., None, :]
    if np.any(bv):
        inner = inner + inverse_gaps(w) * (turned(v) @ bv)
    return of_triangle(v @ inner @ turned(v), uplo in ("U", "u"))


def eigh_tangent(da, w, v, uplo="L"):
    """Give the tangents of values and vectors."""
    refuse_complex("eigh", v)
    inner = turned(v) @ from_triangle(da, uplo in ("U", "u")) @ v
    return np.diagonal(inner, axis1=-2, axis2=-1), v @ (inner * inverse_gaps(w))


def svd_adjoint(bu, bs, bvh, u, s, vh):
    """Give the adjoint of the matrix that is `u @ diag(s) @ vh`."""
    refuse_complex("svd", u)
    if u.shape[-1] != vh.shape[-2]:
        raise refused_value(
            "AG022",
            "the vectors that complete `u` or `vh` are not determined, so they have no derivative",
            "`full_matrices=False` gives the others",
        )
    row, column = s[..., None, :], s[..., :, None]
    inner, found = np.eye(s.shape[-1], dtype=s.dtype) * np.asarray(bs)[..., None, :], 0
    if np.any(bu) or np.any(bvh):
        gaps = inverse_gaps(s * s)
        of_u, of_v = gaps * (turned(u) @ bu), gaps * (vh @ turned(bvh))
        inner = inner + (of_u + turned(of_u)) * row + (of_v + turned(of_v)) * column
        if u.shape[-2] > u.shape[-1]:
            outside = bu / row
            found, inner = outside @ vh, inner - turned(u) @ outside
        if vh.shape[-1] > vh.shape[-2]:
            outside = bvh / column
            found, inner = found + u @ outside, inner - outside @ turned(vh)
    return found + u @ inner @ vh


def svd_tangent(da, u, s, vh):
    """Give the tangents of the three factors."""
    refuse_complex("svd", u)
    if u.shape[-1] != vh.shape[-2]:
        raise refused_value(
            "AG022",
            "the vectors that complete `u` or `vh` are not determined, so they have no derivative",
            "`full_matrices=False` gives the others",
        )
    row, column, gaps = s[..., None, :], s[..., :, None], inverse_gaps(s * s)
    left = turned(u) @ da
    inner = left @ turned(vh)
    of_u, of_v = inner * row, inner * column
    du = u @ (gaps * (of_u + turned(of_u)))
    dvh = turned(gaps * (of_v + turned(of_v))) @ vh
    if u.shape[-2] > u.shape[-1]:
        du = du + (da @ turned(vh) - u @ inner) / row
    if vh.shape[-1] > vh.shape[-2]:
        dvh = dvh + (left - inner @ vh) / column
    return du, np.diagonal(inner, axis1=-2, axis2=-1), dvh


def svdvals_adjoint(bs, a):
    """Give the adjoint of a matrix by its singular values alone."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.conj((u * np.asarray(bs)[..., None, :]) @ vh)


def svdvals_tangent(da, a):
    """Give the tangent of the singular values."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.real(np.sum((np.conj(turned(u)) @ da) * np.conj(vh), axis=-1))
