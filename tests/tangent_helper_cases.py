"""The calls that the rules of the helpers of generated code are tried with."""

from __future__ import annotations

import numpy as np
from autograph._src.tangent import runtime as tangent
from tangent_rule_cases import c, call, definite, r
from tangent_rules import const

WRITES = [
    call(tangent.put, r(5), np.array([0, -2, 0]), r(3)),
    call(tangent.put, r(3, 4), [0, 15], [0.5, 1.5], "wrap"),
    call(tangent.put, r(5), np.array([0, -2, 3]), 0.5),
    call(tangent.putmask, r(2, 3), np.array([[True, False, True], [False, False, True]]), r(2)),
    call(tangent.place, r(2, 3), np.array([[True, False, True], [False, False, True]]), r(2)),
    call(tangent.copyto, r(2, 3), r(3)),
    call(tangent.copyto, r(2, 3), 0.5, where=const(np.array([True, False, True]))),
    call(tangent.put_along_axis, r(3, 4), np.array([[0], [-1], [2]]), r(3, 1), 1),
    call(tangent.fill_diagonal, r(3, 4), r(3)),
    call(tangent.fill_diagonal, r(5, 2), 0.5, True),
]

HELPERS = [
    call(tangent.unbroadcast, r(2, 3), const(r(3))),
    call(tangent.unbroadcast, r(2, 3), const(0.5)),
    call(tangent.in_form, r(3), const(r(3))),
    call(tangent.broadcast, r(3), const(r(2, 3))),
    call(tangent.sum_to, r(2, 3), (3,)),
    call(tangent.unreduce, r(3), const(r(2, 3)), 0),
    call(tangent.unreduce, 0.5, const(r(2, 3))),
    call(tangent.uncast, r(3), const(r(3)), const(r(3))),
    call(tangent.through, r(3), const(r(3))),
    call(tangent.cast, r(3), const(r(3))),
    call(tangent.add_grad, r(3), r(3)),
    call(tangent.add_grad, [0.5, r(3)], [1.5, r(3)]),
    call(tangent.copy, r(3)),
    call(tangent.as_gradient, r(3), const(r(3))),
    call(tangent.as_gradient, [0.5, r(3)], const((0.5, r(3)))),
    call(tangent.split_like, r(5), const([r(2), r(3)])),
    call(tangent.unstack_like, r(2, 3), const([r(3), r(3)])),
    call(tangent.array_items, r(2), const(r(2)), const([0.5, 1.5])),
    *[call(tangent.dot_left, r(2, 4), (2, 3), r(3, 4)), call(tangent.dot_right, r(2, 4), r(2, 3), (3, 4))],
    *[call(tangent.dot_left, 0.5, (3,), r(3)), call(tangent.dot_right, r(2), r(2, 3), (3,))],
    *[
        call(tangent.matmul_left, r(2, 4), (2, 3), r(3, 4)),
        call(tangent.matmul_right, r(2, 4), r(2, 3), (3, 4)),
    ],
    *[
        call(tangent.matmul_left, r(5, 2, 4), (2, 3), r(5, 3, 4)),
        call(tangent.matmul_right, r(2), r(2, 3), (3,)),
    ],
    call(tangent.tensordot_left, r(2, 5), (2, 3, 4), r(4, 3, 5), ([1, 2], [1, 0])),
    call(tangent.tensordot_right, r(2, 5), r(2, 3, 4), (4, 3, 5), ([1, 2], [1, 0])),
    call(tangent.reverse_cumsum, r(2, 3), 1),
    call(tangent.untake, r(3), (2, 4), np.array([5, 1, 5])),
    call(tangent.untake, r(2, 3), (2, 4), np.array([0, 1, 1]), 1),
    call(tangent.untake_along, r(2, 2), (2, 3), np.array([[0, 0], [1, 2]]), 1),
    call(tangent.put_back, r(3), np.array([2, -1, 2]), (4,)),
    call(tangent.unorder, r(2, 3), np.array([[2, 0, 1], [0, 1, 2]]), 1, (2, 3)),
    call(tangent.unorder, r(6), np.array([2, 0, 1, 3, 5, 4]), None, (2, 3)),
    call(tangent.unrepeat, r(6), (3,), 2, 0),
    call(tangent.unresize, r(5), (3,)),
    call(tangent.undiag, r(3), (3, 4), 1),
    call(tangent.undiagonal, r(2, 3), (3, 3, 2)),
    call(tangent.unpad, r(5), (3,), 1),
    call(tangent.unitem, 0.5, const(r(3, 4)), (5,)),
    call(tangent.untrim, r(2), const(np.array([0.0, 1.0, 2.0])), "fb"),
    call(tangent.quotient, 0.5, 1.5),
    call(tangent.spread_items, 0.5, const([0.5, 1.5])),
    call(tangent.deviations, r(3, 4), 1),
    call(tangent.deviations, c(4)),
    call(tangent.cofactors, definite(3, 3)),
    call(tangent.quantile_adjoint, r(2), r(4), const([0.3, 0.6])),
    call(tangent.quantile_tangent, r(4), const(r(2)), r(4), const([0.3, 0.6])),
    call(tangent.unset, r(2), const(np.array([0.5, 1.5])), const(np.array([1.5, 0.5]))),
    call(tangent.set_tangent, r(2), const(np.array([0.5, 1.5])), const(np.array([1.5, 0.5]))),
]
