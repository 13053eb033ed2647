"""Rules of linear algebra: inverses, solutions, determinants, decompositions."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, newer, tangent_of


@adjoint(np.linalg.inv)
def inv(z, a):
    d[a] = -np.matrix_transpose(z) @ d[z] @ np.matrix_transpose(z)


@tangent_of(np.linalg.inv)
def inv_tangent(z, a):
    d[z] = -z @ d[a] @ z


@adjoint(np.linalg.det)
def det(z, a):
    d[a] = np.expand_dims(d[z], (-2, -1)) * tangent.cofactors(a)


@tangent_of(np.linalg.det)
def det_tangent(z, a):
    d[z] = np.sum(tangent.cofactors(a) * d[a], axis=(-2, -1))


@adjoint(np.linalg.slogdet)
def slogdet(z, a):
    d[a] = tangent.slogdet_adjoint(d[z], z, a)


@tangent_of(np.linalg.slogdet)
def slogdet_tangent(z, a):
    d[z] = tangent.slogdet_tangent(d[a], z, a)


@adjoint(np.linalg.solve)
def solve(z, a, b):
    d[a] = tangent.solve_left(d[z], z, a, np.ndim(b) == 1)
    d[b] = tangent.solve_right(d[z], a, np.shape(b))


@tangent_of(np.linalg.solve)
def solve_tangent(z, a, b):
    d[z] = tangent.solve_tangent_left(d[a], z, a, np.ndim(b) == 1)
    d[z] = tangent.solve_tangent_right(d[b], a, np.ndim(b) == 1)


@adjoint(np.linalg.cholesky)
def cholesky(z, a, /, *, upper=False):
    d[a] = tangent.cholesky_adjoint(d[z], z, upper)


@tangent_of(np.linalg.cholesky)
def cholesky_tangent(z, a, /, *, upper=False):
    d[z] = tangent.cholesky_tangent(d[a], z, upper)


@adjoint(np.linalg.qr)
def qr(z, a, mode="reduced"):
    d[a] = tangent.qr_result_adjoint(d[z], z, a, mode)


@tangent_of(np.linalg.qr)
def qr_tangent(z, a, mode="reduced"):
    d[z] = tangent.qr_result_tangent(d[a], z, a, mode)


@adjoint(np.linalg.svd)
def svd(z, a, full_matrices=True, compute_uv=True):
    if compute_uv:
        d[a] = tangent.svd_adjoint(d[z][0], d[z][1], d[z][2], z[0], z[1], z[2])
    else:
        d[a] = tangent.svdvals_adjoint(d[z], a)


@tangent_of(np.linalg.svd)
def svd_tangent(z, a, full_matrices=True, compute_uv=True):
    if compute_uv:
        d[z] = tangent.svd_tangent(d[a], z[0], z[1], z[2])
    else:
        d[z] = tangent.svdvals_tangent(d[a], a)


@adjoint(newer("linalg.svdvals"))
def svdvals(z, x, /):
    d[x] = tangent.svdvals_adjoint(d[z], x)


@tangent_of(newer("linalg.svdvals"))
def svdvals_tangent(z, x, /):
    d[z] = tangent.svdvals_tangent(d[x], x)


@adjoint(np.linalg.eigh)
def eigh(z, a, UPLO="L"):  # noqa: N803
    d[a] = tangent.eigh_adjoint(d[z][0], d[z][1], z[0], z[1], UPLO)


@tangent_of(np.linalg.eigh)
def eigh_tangent(z, a, UPLO="L"):  # noqa: N803
    d[z] = tangent.eigh_tangent(d[a], z[0], z[1], UPLO)


@adjoint(np.linalg.eigvalsh)
def eigvalsh(z, a, UPLO="L"):  # noqa: N803
    d[a] = tangent.eigh_adjoint(d[z], 0.0, *np.linalg.eigh(a, UPLO), UPLO)


@tangent_of(np.linalg.eigvalsh)
def eigvalsh_tangent(z, a, UPLO="L"):  # noqa: N803
    d[z] = tangent.eigh_tangent(d[a], *np.linalg.eigh(a, UPLO), UPLO)[0]


@adjoint(np.linalg.pinv)
def pinv(z, a, rcond=None):
    d[a] = tangent.pinv_adjoint(d[z], z, a)


@tangent_of(np.linalg.pinv)
def pinv_tangent(z, a, rcond=None):
    d[z] = tangent.pinv_tangent(d[a], z, a)


@adjoint(np.linalg.lstsq)
def lstsq(z, a, b, rcond=None):
    ba, bb = tangent.lstsq_adjoints(d[z], z, a, b, rcond)
    d[a] = ba
    d[b] = bb


@tangent_of(np.linalg.lstsq)
def lstsq_tangent(z, a, b, rcond=None):
    d[z] = tangent.lstsq_tangent(d[a], None, z, a, b, rcond)
    d[z] = tangent.lstsq_tangent(None, d[b], z, a, b, rcond)


@adjoint(np.linalg.matrix_power)
def matrix_power(z, a, n):
    d[a] = tangent.matrix_power_adjoint(d[z], a, n)


@tangent_of(np.linalg.matrix_power)
def matrix_power_tangent(z, a, n):
    d[z] = tangent.matrix_power_tangent(d[a], a, n)


@adjoint(np.linalg.multi_dot)
def multi_dot(z, arrays):
    d[arrays] = tangent.multi_dot_adjoint(d[z], arrays)


@tangent_of(np.linalg.multi_dot)
def multi_dot_tangent(z, arrays):
    d[z] = tangent.multi_dot_tangent(d[arrays], arrays)


@adjoint(np.linalg.cond)
def cond(z, x, p=None):
    d[x] = np.expand_dims(d[z], (-2, -1)) * tangent.cond_slope(x, z, p)


@tangent_of(np.linalg.cond)
def cond_tangent(z, x, p=None):
    d[z] = np.sum(tangent.cond_slope(x, z, p) * d[x], axis=(-2, -1))


@adjoint(np.linalg.tensorinv)
def tensorinv(z, a, ind=2):
    d[a] = tangent.tensorinv_adjoint(d[z], z, np.shape(a))


@tangent_of(np.linalg.tensorinv)
def tensorinv_tangent(z, a, ind=2):
    d[z] = tangent.tensorinv_tangent(d[a], z)


@adjoint(np.linalg.tensorsolve)
def tensorsolve(z, a, b, axes=None):
    ba, bb = tangent.tensorsolve_adjoints(d[z], z, a, b, axes)
    d[a] = ba
    d[b] = bb


@tangent_of(np.linalg.tensorsolve)
def tensorsolve_tangent(z, a, b, axes=None):
    d[z] = tangent.tensorsolve_tangent(d[a], None, z, a, b, axes)
    d[z] = tangent.tensorsolve_tangent(None, d[b], z, a, b, axes)
