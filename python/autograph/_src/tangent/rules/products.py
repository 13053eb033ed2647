"""Rules of products of vectors, matrices and arrays."""
# mypy: ignore-errors

import operator

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, newer, tangent_of


@adjoint(np.dot, np.ndarray.dot)
def dot(z, a, b):
    d[a] = tangent.dot_left(d[z], np.shape(a), b)
    d[b] = tangent.dot_right(d[z], a, np.shape(b))


@tangent_of(np.dot, np.ndarray.dot)
def dot_tangent(z, a, b):
    d[z] = np.dot(d[a], b)
    d[z] = np.dot(a, d[b])


@adjoint(np.dot, np.ndarray.dot, ranks=(2, 2))
def dot_of_matrices(z, a, b):
    d[a] = np.dot(d[z], b.T)
    d[b] = np.dot(a.T, d[z])


@adjoint(np.dot, np.ndarray.dot, ranks=(2, 1))
def dot_of_matrix_and_vector(z, a, b):
    d[a] = np.outer(d[z], b)
    d[b] = np.dot(a.T, d[z])


@adjoint(np.dot, np.ndarray.dot, ranks=(1, 2))
def dot_of_vector_and_matrix(z, a, b):
    d[a] = np.dot(b, d[z])
    d[b] = np.outer(a, d[z])


@adjoint(np.dot, np.ndarray.dot, ranks=(1, 1))
def dot_of_vectors(z, a, b):
    d[a] = d[z] * b
    d[b] = d[z] * a


@adjoint(np.matmul, np.linalg.matmul, operator.matmul)
def matmul(z, x1, x2):
    d[x1] = tangent.matmul_left(d[z], np.shape(x1), x2)
    d[x2] = tangent.matmul_right(d[z], x1, np.shape(x2))


@tangent_of(np.matmul, np.linalg.matmul, operator.matmul)
def matmul_tangent(z, x1, x2):
    d[z] = d[x1] @ x2
    d[z] = x1 @ d[x2]


@adjoint(np.matmul, np.linalg.matmul, operator.matmul, ranks=(2, 2))
def matmul_of_matrices(z, x1, x2):
    d[x1] = d[z] @ x2.T
    d[x2] = x1.T @ d[z]


@adjoint(np.matmul, np.linalg.matmul, operator.matmul, ranks=(2, 1))
def matmul_of_matrix_and_vector(z, x1, x2):
    d[x1] = np.outer(d[z], x2)
    d[x2] = x1.T @ d[z]


@adjoint(np.matmul, np.linalg.matmul, operator.matmul, ranks=(1, 2))
def matmul_of_vector_and_matrix(z, x1, x2):
    d[x1] = x2 @ d[z]
    d[x2] = np.outer(x1, d[z])


@adjoint(np.matmul, np.linalg.matmul, operator.matmul, ranks=(1, 1))
def matmul_of_vectors(z, x1, x2):
    d[x1] = d[z] * x2
    d[x2] = d[z] * x1


@adjoint(newer("matvec"))
def matvec(z, x1, x2):
    d[x1] = tangent.sum_to(np.expand_dims(d[z], -1) * np.expand_dims(x2, -2), np.shape(x1))
    d[x2] = tangent.sum_to(np.matvec(np.matrix_transpose(x1), d[z]), np.shape(x2))


@tangent_of(newer("matvec"))
def matvec_tangent(z, x1, x2):
    d[z] = np.matvec(d[x1], x2)
    d[z] = np.matvec(x1, d[x2])


@adjoint(newer("vecmat"))
def vecmat(z, x1, x2):
    d[x1] = tangent.sum_to(np.conj(np.matvec(x2, d[z])), np.shape(x1))
    d[x2] = tangent.sum_to(np.conj(np.expand_dims(x1, -1)) * np.expand_dims(d[z], -2), np.shape(x2))


@tangent_of(newer("vecmat"))
def vecmat_tangent(z, x1, x2):
    d[z] = np.vecmat(d[x1], x2)
    d[z] = np.vecmat(x1, d[x2])


@adjoint(np.vecdot)
def vecdot(z, x1, x2, *, axis=-1):
    d[x1] = tangent.sum_to(np.conj(np.expand_dims(d[z], axis) * x2), np.shape(x1))
    d[x2] = tangent.sum_to(np.expand_dims(d[z], axis) * np.conj(x1), np.shape(x2))


@tangent_of(np.vecdot)
def vecdot_tangent(z, x1, x2, *, axis=-1):
    d[z] = np.vecdot(d[x1], x2, axis=axis)
    d[z] = np.vecdot(x1, d[x2], axis=axis)


@adjoint(newer("linalg.vecdot"))
def linalg_vecdot(z, x1, x2, *, axis=-1):
    d[x1] = tangent.sum_to(np.conj(np.expand_dims(d[z], axis) * x2), np.shape(x1))
    d[x2] = tangent.sum_to(np.expand_dims(d[z], axis) * np.conj(x1), np.shape(x2))


@tangent_of(newer("linalg.vecdot"))
def linalg_vecdot_tangent(z, x1, x2, *, axis=-1):
    d[z] = np.linalg.vecdot(d[x1], x2, axis=axis)
    d[z] = np.linalg.vecdot(x1, d[x2], axis=axis)


@adjoint(np.vdot)
def vdot(z, a, b):
    d[a] = np.reshape(np.conj(d[z] * np.ravel(b)), np.shape(a))
    d[b] = np.reshape(d[z] * np.conj(np.ravel(a)), np.shape(b))


@tangent_of(np.vdot)
def vdot_tangent(z, a, b):
    d[z] = np.vdot(d[a], b)
    d[z] = np.vdot(a, d[b])


@adjoint(np.inner)
def inner(z, a, b):
    d[a] = tangent.inner_left(d[z], np.shape(a), b)
    d[b] = tangent.inner_right(d[z], a, np.shape(b))


@tangent_of(np.inner)
def inner_tangent(z, a, b):
    d[z] = np.inner(d[a], b)
    d[z] = np.inner(a, d[b])


@adjoint(np.outer)
def outer(z, a, b):
    d[a] = np.reshape(np.dot(d[z], np.ravel(b)), np.shape(a))
    d[b] = np.reshape(np.dot(np.ravel(a), d[z]), np.shape(b))


@tangent_of(np.outer)
def outer_tangent(z, a, b):
    d[z] = np.outer(d[a], b)
    d[z] = np.outer(a, d[b])


@adjoint(np.linalg.outer)
def linalg_outer(z, x1, x2, /):
    d[x1] = np.dot(d[z], x2)
    d[x2] = np.dot(x1, d[z])


@tangent_of(np.linalg.outer)
def linalg_outer_tangent(z, x1, x2, /):
    d[z] = np.outer(d[x1], x2)
    d[z] = np.outer(x1, d[x2])


@adjoint(np.tensordot)
def tensordot(z, a, b, axes=2):
    d[a] = tangent.tensordot_left(d[z], np.shape(a), b, axes)
    d[b] = tangent.tensordot_right(d[z], a, np.shape(b), axes)


@tangent_of(np.tensordot)
def tensordot_tangent(z, a, b, axes=2):
    d[z] = np.tensordot(d[a], b, axes)
    d[z] = np.tensordot(a, d[b], axes)


@adjoint(np.linalg.tensordot)
def linalg_tensordot(z, x1, x2, /, *, axes=2):
    d[x1] = tangent.tensordot_left(d[z], np.shape(x1), x2, axes)
    d[x2] = tangent.tensordot_right(d[z], x1, np.shape(x2), axes)


@tangent_of(np.linalg.tensordot)
def linalg_tensordot_tangent(z, x1, x2, /, *, axes=2):
    d[z] = np.tensordot(d[x1], x2, axes)
    d[z] = np.tensordot(x1, d[x2], axes)


@adjoint(np.einsum)
def einsum(z, subscripts, *operands, optimize=False):
    d[subscripts] = tangent.einsum_operands(d[z], [subscripts, *operands])[0]
    d[operands] = tangent.einsum_operands(d[z], [subscripts, *operands])[1:]


@tangent_of(np.einsum)
def einsum_tangent(z, subscripts, *operands, optimize=False):
    d[z] = tangent.einsum_tangent([d[subscripts], *operands], [subscripts, *operands], [0])
    d[z] = tangent.einsum_tangent(
        [subscripts, *d[operands]], [subscripts, *operands], range(1, 1 + len(operands))
    )


@adjoint(np.kron)
def kron(z, a, b):
    d[a] = tangent.kron_left(d[z], np.shape(a), b)
    d[b] = tangent.kron_right(d[z], a, np.shape(b))


@tangent_of(np.kron)
def kron_tangent(z, a, b):
    d[z] = np.kron(d[a], b)
    d[z] = np.kron(a, d[b])


@adjoint(np.cross)
def cross(z, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    d[a] = tangent.cross_left(d[z], a, b, axisa, axisb, axisc, axis)
    d[b] = tangent.cross_right(d[z], a, b, axisa, axisb, axisc, axis)


@tangent_of(np.cross)
def cross_tangent(z, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    d[z] = np.cross(d[a], b, axisa, axisb, axisc, axis)
    d[z] = np.cross(a, d[b], axisa, axisb, axisc, axis)


@adjoint(np.linalg.cross)
def linalg_cross(z, x1, x2, /, *, axis=-1):
    d[x1] = tangent.unbroadcast(np.linalg.cross(x2, d[z], axis=axis), x1)
    d[x2] = tangent.unbroadcast(np.linalg.cross(d[z], x1, axis=axis), x2)


@tangent_of(np.linalg.cross)
def linalg_cross_tangent(z, x1, x2, /, *, axis=-1):
    d[z] = np.linalg.cross(d[x1], x2, axis=axis)
    d[z] = np.linalg.cross(x1, d[x2], axis=axis)


@adjoint(np.trace, np.ndarray.trace)
def trace(z, a, offset=0, axis1=0, axis2=1, dtype=None):
    d[a] = tangent.undiagonal(np.expand_dims(d[z], -1), np.shape(a), offset, axis1, axis2)


@tangent_of(np.trace, np.ndarray.trace)
def trace_tangent(z, a, offset=0, axis1=0, axis2=1, dtype=None):
    d[z] = np.trace(d[a], offset, axis1, axis2)


@adjoint(np.linalg.trace)
def linalg_trace(z, x, /, *, offset=0, dtype=None):
    d[x] = tangent.undiagonal(np.expand_dims(d[z], -1), np.shape(x), offset, -2, -1)


@tangent_of(np.linalg.trace)
def linalg_trace_tangent(z, x, /, *, offset=0, dtype=None):
    d[z] = np.linalg.trace(d[x], offset=offset)


@adjoint(np.convolve)
def convolve(z, a, v, mode="full"):
    d[a] = tangent.convolve_left(d[z], np.shape(a), v, mode)
    d[v] = tangent.convolve_left(d[z], np.shape(v), a, mode)


@tangent_of(np.convolve)
def convolve_tangent(z, a, v, mode="full"):
    d[z] = np.convolve(d[a], v, mode)
    d[z] = np.convolve(a, d[v], mode)


@adjoint(np.correlate)
def correlate(z, a, v, mode="valid"):
    d[a] = tangent.correlate_left(d[z], np.shape(a), v, mode)
    d[v] = tangent.correlate_right(d[z], a, np.shape(v), mode)


@tangent_of(np.correlate)
def correlate_tangent(z, a, v, mode="valid"):
    d[z] = np.correlate(d[a], v, mode)
    d[z] = np.correlate(a, d[v], mode)
