"""Derivatives and rows that are refused, beside the same programs after what the help says."""

from __future__ import annotations

import random

import autograph as ag
import numpy as np
from remedies import XS, M, helped


@helped("choose one of them, such as `ag.checkpoint_policies.dots_saveable`", XS)
class PolicyByName:
    def refused(x):
        return ag.grad(ag.checkpoint(lambda y: np.sum(y * y), policy="dots"))(x)

    def fixed(x):
        policy = ag.checkpoint_policies.dots_saveable
        return ag.grad(ag.checkpoint(lambda y: np.sum(y * y), policy=policy))(x)


@helped("arguments passed by keyword use axis 0, and have no entry", M, XS)
class AxesOfKeywords:
    def refused(m, x):
        return ag.vmap(lambda row, other: row * other, in_axes=(0, 0))(m, other=m)

    def fixed(m, x):
        return ag.vmap(lambda row, other: row * other, in_axes=(0,))(m, other=m)


@helped("say which axis is over rows, or how many rows there are by `axis_size`", M)
class NoAxisOfRows:
    def refused(m):
        return ag.vmap(lambda row: row * 2, in_axes=None)(m)

    def fixed(m):
        return ag.vmap(lambda row: row * 2, in_axes=0)(m), ag.vmap(np.sum, in_axes=None, axis_size=2)(m)


@helped("pass `in_axes` with None for what is the same for all rows", M)
class NumberForAllRows:
    def refused(m):
        return ag.vmap(lambda row, factor: row * factor)(m, 2.0)

    def fixed(m):
        return ag.vmap(lambda row, factor: row * factor, in_axes=(0, None))(m, 2.0)


def hashed(row):
    h = 14695981039346656037
    for v in row:
        h = ((h ^ int(v)) * 1099511628211) % 2**64
    return h


@helped("return `np.uint64(h)`", M)
class HashesOfRows:
    def refused(m):
        return ag.vmap(hashed)(m)

    def fixed(m):
        return ag.vmap(lambda row: np.uint64(hashed(row)))(m)


@helped("return arrays and numbers, or trees of them", M)
class RowsOfFunctions:
    def refused(m):
        return ag.vmap(lambda row: (row, np.sin))(m)[0]

    def fixed(m):
        return ag.vmap(lambda row: (row, np.sin(row)))(m)[0]


@helped("pass complex numbers: `x + 0j`", XS)
class AnalyticOfFloats:
    def refused(x):
        return ag.grad(lambda z: np.sum(z * z), holomorphic=True)(x)

    def fixed(x):
        return ag.grad(lambda z: np.sum(z * z), holomorphic=True)(x + 0j)


@helped("return it by `has_aux`, beside what is differentiated", XS)
class JacobianOfInts:
    def refused(x):
        return ag.jacrev(lambda y: (y * 2, y.astype(int)))(x)

    def fixed(x):
        return ag.jacrev(lambda y: (y * 2, y.astype(int)), has_aux=True)(x)


@helped("return `(value, aux)`", XS)
class WithoutAux:
    def refused(x):
        return ag.grad(lambda y: np.sum(y * y), has_aux=True)(x)

    def fixed(x):
        return ag.grad(lambda y: (np.sum(y * y), y * 2), has_aux=True)(x)


@helped("pass it by position, or change `argnums`", XS)
class ArgumentByKeyword:
    def refused(x):
        return ag.grad(lambda y, scale: np.sum(y * y) * scale, argnums=1)(x, scale=2.0)

    def fixed(x):
        return ag.grad(lambda y, scale: np.sum(y * y) * scale, argnums=1)(x, 2.0)


@helped("return a list of arrays or numbers, or tuples of them", M)
class ListsOfListsOfRows:
    def refused(m):
        def parts(row):
            found = []
            for v in row:
                found.append([v])
            return found

        return ag.vmap(parts)(m)

    def fixed(m):
        def parts(row):
            found = []
            for v in row:
                found.append((v,))
            return found

        return ag.vmap(parts)(m)


@ag.custom_vjp
def product(x, y):
    return x * y


def forward(x, y):
    return x * y, (x, y)


def one_cotangent(saved, ct):
    return saved[1] * ct


def two_cotangents(saved, ct):
    return saved[1] * ct, None


product.defvjp(forward, one_cotangent)


@ag.custom_vjp
def right_product(x, y):
    return x * y


right_product.defvjp(forward, two_cotangents)


@helped("return a tuple with a cotangent for each argument, `None` for zero", XS)
class OneCotangent:
    def refused(x):
        return ag.grad(lambda y: np.sum(product(y, x)))(x)

    def fixed(x):
        return ag.grad(lambda y: np.sum(right_product(y, x)))(x)


@ag.custom_vjp
def square(x):
    return x * x


square.defvjp(lambda x: x * x, lambda saved, ct: (2 * saved * ct,))


@ag.custom_vjp
def right_square(x):
    return x * x


right_square.defvjp(lambda x: (x * x, x), lambda saved, ct: (2 * saved * ct,))


@helped("return `(value, residuals)`", XS)
class ForwardWithoutSaved:
    def refused(x):
        return ag.grad(lambda y: np.sum(square(y)))(x)

    def fixed(x):
        return ag.grad(lambda y: np.sum(right_square(y)))(x)


@ag.custom_jvp
def ruleless(x):
    return x * x


@ag.custom_jvp
def ruled(x):
    return x * x


@ruled.defjvp
def _(primals, tangents):
    return primals[0] ** 2, 2 * primals[0] * tangents[0]


@helped("`@ruleless.defjvp`", XS)
class WithoutARule:
    def refused(x):
        return ag.grad(lambda y: np.sum(ruleless(y)))(x)

    def fixed(x):
        return ag.grad(lambda y: np.sum(ruled(y)))(x)


@helped("pass a tangent of the same structure: the same tuples, dicts and lists", XS)
class TangentOfAnotherTree:
    def refused(x):
        return ag.jvp(lambda p: p["a"] * 2, ({"a": x},), (x,))

    def fixed(x):
        return ag.jvp(lambda p: p["a"] * 2, ({"a": x},), ({"a": x},))


@helped("return a list of the elements: `list(t)`", XS)
class DerivativeOfAGrownTuple:
    def refused(x):
        def squares(y):
            found = ()
            for v in y:
                found += (v * v,)
            return found

        return ag.jvp(squares, (x,), (x,))

    def fixed(x):
        def squares(y):
            found = ()
            for v in y:
                found += (v * v,)
            return list(found)

        return ag.jvp(squares, (x,), (x,))


@helped("give it one type on all paths", XS)
class OneOfTwoTypes:
    def refused(x):
        return ag.jvp(lambda y: y if y[0] > 1 else 2.0, (x,), (x,))

    def fixed(x):
        return ag.jvp(lambda y: y if y[0] > 1 else y * 0.0, (x,), (x,))


@helped("return an array, `np.stack(…)`, or pass an argument of one dimension", M)
class ForwardJacobianOfAList:
    def refused(m):
        def rows(y):
            found = []
            for row in y:
                if row[0] > 0:
                    found.append(row.sum())
            return found

        return ag.jacfwd(rows)(m)

    def fixed(m):
        def rows(y):
            return np.stack([row.sum() for row in y])

        return ag.jacfwd(rows)(m)


@helped("draw before, for each row, and pass the numbers as an argument", M)
class DrawsOfRows:
    def refused(m):
        return ag.vmap(lambda row: row * 0.0 * random.random())(m)

    def fixed(m):
        draws = np.array([random.random(), random.random()])
        return ag.vmap(lambda row, draw: row * 0.0 * draw)(m, draws)


@helped("return an array: `np.stack(…)`", XS)
class JacobianOfAList:
    def refused(x):
        def squares(y):
            found = []
            for v in y:
                found.append(v * v)
            return found

        return ag.jacrev(squares)(x)

    def fixed(x):
        def squares(y):
            return np.stack([v * v for v in y])

        return ag.jacrev(squares)(x)


DIAGONAL = np.eye(3)


@helped("pass `sparsity`, an array that is made outside of the staged function", XS)
class PatternInStagedCode:
    def refused(x):
        return ag.jacobian(lambda y: y * y)(x).data

    def fixed(x):
        return ag.jacobian(lambda y: y * y, sparsity=DIAGONAL)(x).data
