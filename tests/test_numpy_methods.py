"""Methods of arrays and of ufuncs, `out=`, `where=`, and scalars give what NumPy gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy_cases import INPUTS, Case, cases, identities, judge
from numpy_tables import changed

TRIED = settings(max_examples=12, deadline=None, derandomize=True)


def writes(function: Any) -> Any:
    """A case that writes into an array of the shape and dtype of a result: that array afterwards."""

    def program(x: Any, *others: Any) -> Any:
        y = np.zeros_like(x)
        function(x, y, *others)
        return y

    return program


UFUNC_METHODS = [
    *cases(
        "tame axis",
        add=[
            lambda x: np.add.reduce(x, axis=-1, dtype=np.float64),
            lambda x: np.add.accumulate(x * 1.0, axis=0),
            lambda x: np.add.outer(x, x[0]),
            lambda x: np.add.reduceat(x * 1.0, [0], axis=0),
        ],
        multiply=[lambda x: np.multiply.outer(x, x), lambda x: np.multiply.accumulate(x * 1.0)],
        subtract=[lambda x: np.subtract.outer(x * 1.0, 2), lambda x: np.subtract.reduceat(x * 1.0, [0])],
        maximum=[
            lambda x: np.maximum.reduce(x),
            lambda x: np.maximum.accumulate(x, axis=-1),
            lambda x: np.maximum.reduceat(x, [0], axis=-1),
            lambda x: np.maximum.outer(x, 1),
        ],
        minimum=lambda x: np.minimum.accumulate(x),
        logical_and=lambda x: np.logical_and.reduce(x),
        logical_or=lambda x: np.logical_or.accumulate(x, axis=0),
        logical_xor=lambda x: np.logical_xor.reduce(x),
        power=[lambda x: np.power.outer(x * 1.0, 2), lambda x: np.power.accumulate(np.abs(x) % 3)],
        divide=[
            lambda x: np.divide.reduce(x * 1.0 + 7),
            lambda x: np.divide.accumulate(x * 1.0 + 7, axis=-1),
            lambda x: np.divide.reduceat(x * 1.0 + 7, [0, 0], axis=-1),
        ],
        floor_divide=lambda x: np.floor_divide.reduce(x * 1.0 + 7, axis=-1, keepdims=True),
        remainder=lambda x: np.remainder.accumulate(x * 1.0),
        fmod=lambda x: np.fmod.reduce(x * 1.0, axis=-1),
        hypot=[lambda x: np.hypot.reduce(x * 1.0), lambda x: np.hypot.accumulate(x * 1.0, axis=-1)],
        arctan2=lambda x: np.arctan2.accumulate(x * 1.0),
        logaddexp=[lambda x: np.logaddexp.reduce(x * 1.0), lambda x: np.logaddexp.accumulate(x * 1.0)],
        copysign=lambda x: np.copysign.reduce(x * 1.0, axis=-1),
        float_power=lambda x: np.float_power.reduce(np.abs(x) % 2, dtype=np.float64),
        heaviside=lambda x: np.heaviside.accumulate(x * 1.0),
        gcd=lambda x: np.gcd.reduce(x.astype(np.int64)),
        lcm=lambda x: np.lcm.accumulate(x.astype(np.int64)),
    ),
    *cases(
        "axis",
        subtract=[
            lambda x: np.subtract.reduce(x * 1.0),
            lambda x: np.subtract.reduce(x * 1.0, axis=-1, keepdims=True),
            lambda x: np.subtract.accumulate(x * 1.0, axis=-1),
        ],
        logaddexp2=lambda x: np.logaddexp2.reduce(x * 1.0),
    ),
    *cases(
        "axis",
        fmax=lambda x: np.fmax.reduce(x),
        bitwise_or=lambda x: np.bitwise_or.reduce(x > 0, axis=-1),
        bitwise_xor=lambda x: np.bitwise_xor.reduce(x != 0, keepdims=True),
    ),
    *cases(
        "indexed",
        add=[changed(lambda x, i: np.add.at(x, i, 1)), changed(lambda x, i: np.add.at(x > 0, i, 1))],
        maximum=changed(lambda x, i: np.maximum.at(x, i, np.arange(i.size).astype(x.dtype))),
        multiply=changed(lambda x, i: np.multiply.at(x, i, x[i])),
        divide=changed(lambda x, i: np.divide.at(np.maximum(x, 1), i, 3)),
        subtract=[
            changed(lambda x, i: np.subtract.at(x[:, None] * 1.0, (i, 0), 2)),
            changed(lambda x, i: np.subtract.at(x * 1.0, x > 0, 2)),
        ],
    ),
]

ARRAY_METHODS = [
    *cases(
        "tame axis",
        sum=lambda x: (x * 1.0).sum(axis=0),
        mean=lambda x: x.mean(-1, keepdims=True),
        round=lambda x: (x / 3).round(2),
        clip=lambda x: x.clip(0, 3),
        conj=lambda x: x.conj(),
        tolist=lambda x: x.tolist(),
        astype=[lambda x: x.astype("f4"), lambda x: x.astype(np.int64, casting="safe")],
        argpartition=lambda x: np.sort(x.argpartition(0, axis=0), axis=0),
        flatten=lambda x: x.flatten(),
        item=[lambda x: x.item(-1), lambda x: x.item((0,) * x.ndim), lambda x: x.item()],
        sort=[changed(lambda x: x.sort()), changed(lambda x: x.sort(axis=0))],
        partition=changed(lambda x: (x.partition(0), x.sort())),
        fill=changed(lambda x: x.fill(3)),
        put=changed(lambda x: x.put([0], 2)),
        imag=lambda x: x.imag,
        nbytes=lambda x: x.nbytes,
    ),
    *cases("rows", mT=lambda x: x.mT, diagonal=lambda x: x.diagonal(), trace=lambda x: (x * 1.0).trace()),
    *cases(
        "table",
        searchsorted=lambda x, keys, heights: keys.searchsorted(x),
        choose=lambda x, keys, heights: (keys > 0).choose([keys, heights]),
    ),
]

DESTINATIONS = [
    *cases(
        "tame axis",
        add=[writes(lambda x, y: np.add(x, 1, out=y)), writes(lambda x, y: np.add(x, x, out=y, where=x > 0))],
        negative=writes(lambda x, y: np.negative(x, y)),
        round=writes(lambda x, y: np.round(x, out=y)),
        clip=writes(lambda x, y: np.clip(x, 0, 2, out=y)),
        true_divide=writes(lambda x, y: np.true_divide(x, 2, out=y)),
        take=lambda x: np.take(x, [0], axis=0, out=np.zeros((1, *x.shape[1:]), x.dtype)),
        max=lambda x: np.max(x, axis=0, out=np.zeros(x.shape[1:], x.dtype)),
        median=lambda x: np.median(x, axis=0, out=np.zeros(x.shape[1:])),
        einsum=lambda x: np.einsum("i...->...", x, out=np.zeros(x.shape[1:], x.dtype)),
    ),
]

CASES = [*UFUNC_METHODS, *ARRAY_METHODS, *DESTINATIONS]


@pytest.mark.parametrize("case", CASES, ids=identities(CASES))
@given(data=st.data())
@TRIED
def test_methods(case: Case, data: Any) -> None:
    judge(case.function, *data.draw(INPUTS[case.inputs]))


SCALARS = [
    *cases("scalar", **{
        "round": lambda x: np.round(x, 1),
        "clip": lambda x: np.clip(x, 0, 1),
        "where": lambda x: np.where(x > 0, x, 0),
        "isclose": [lambda x: np.isclose(x, 1.0), lambda x: np.isclose(np.float32([1, 2]), x)],
        "allclose": lambda x: np.allclose(x, x),
        "nan_to_num": lambda x: np.nan_to_num(x),
        "median": lambda x: np.median(x),
        "quantile": lambda x: np.quantile(x, 0.5),
        "atleast_1d": lambda x: np.atleast_1d(x),
        "reshape": lambda x: np.reshape(x, (1, 1)),
        "searchsorted": lambda x: np.searchsorted(np.array([0.0, 1.0]), x),
        "interp": lambda x: np.interp(x, [0.0, 1.0], [5, 6]),
        "digitize": lambda x: np.digitize(x, [0.0, 1.0]),
        "polyval": lambda x: np.polyval([1, 2, 3], x),
        "result_type": lambda x: np.zeros(1, np.result_type(x, np.float32)) + (x != x),
        "isscalar": lambda x: np.isscalar(x),
        "select": lambda x: np.select([np.array([True, False])], [x], 1),
        "full_like": lambda x: np.full_like(np.zeros(2, np.float32), x),
        "kron": lambda x: np.kron(x, [1, 2]),
        "outer": lambda x: np.outer(x, [1, 2]),
        "copysign": lambda x: np.copysign(x, -1.0),
        "modf": lambda x: np.modf(x),
        "real": lambda x: np.real(x),
        "sinc": lambda x: np.sinc(x),
    }),
]  # fmt: skip


@pytest.mark.parametrize("case", SCALARS, ids=identities(SCALARS))
@pytest.mark.parametrize("x", [1.5, -0.25, np.float32(0.5), np.float64(2), np.int64(3)], ids=repr)
def test_scalars(case: Case, x: Any) -> None:
    judge(case.function, x)
