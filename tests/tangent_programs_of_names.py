"""Programs whose names are those of helpers, of builtins, and of what derivatives are made of."""

from __future__ import annotations

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])
K = np.array([1.0, 2.0, 3.0])


def act(x):
    return x * x


def act_forward(v):
    return v + 5.0


def act_tangent(v, w=2.0):
    return v + w


def act_backward(v, w=3.0):
    return v * w


@on(2.0)
def calls_functions_named_as_passes(x):
    return act(x) * act_forward(2.0) * act_tangent(2.0) * act_backward(2.0)


@on(2.0)
def calls_functions_named_as_passes_in_callees(x):
    return calls_functions_named_as_passes(x) * act_tangent(x, 3.0)


@on(2.0)
def variables_named_as_passes(x):
    act_forward = x * 3
    saved_act_x = 2.0
    return act(x) * act_forward * saved_act_x


@on(2.0)
def variables_named_as_the_derivative(x):
    dvariables_named_as_the_derivativedx = x * 3
    variables_named_as_the_derivative_tangent = dvariables_named_as_the_derivativedx * x
    return dvariables_named_as_the_derivativedx * variables_named_as_the_derivative_tangent


@on(V)
def variables_named_as_helpers(x):
    copy = x * 2.0
    for i in range(3):
        copy[i] = copy[i] * copy[0]
    unbroadcast = np.sum(copy)
    zeros_like = unbroadcast * x[0]
    return zeros_like * np.sum(copy)


@on(1.7, 0.6)
def variables_named_as_temporaries(x):
    y = x
    y_values = 3.0
    y_before = 2.0
    y_copy = 2.0
    steps = 5.0
    taken = 1.0
    product = 3.0
    by = 7.0
    value = 1
    saved = 2
    items = 4
    i_values = 1
    went_on = 3.0
    broke = 1.0
    for _i in range(3):
        y = y * x
        if y > 4:
            break
    return (
        y * y_values * by * steps * taken * product * y_before * y_copy
        + value
        + saved
        + items
        + i_values
        + went_on * broke
    )


@on((2.0, 3.0), wrt=(0, 1))
def parameters_named_as_temporaries(value, saved):
    return value * saved * value


@on((2.0, 3.0), wrt=(0, 1))
def parameters_named_as_adjoints(x, bx, by=2.0):
    return x * bx * by * x


@on(2.0)
def parameter_named_as_a_builtin(range):
    return range * range


@on((2.0, 3.0))
def variables_named_as_builtins(x, len, min=3.0):
    print = x * 2
    s = print
    for _a in [1.0, 2.0]:
        s = s * x + len * min
    return s


@on(2.0)
def variable_named_math(x):
    math = x * x
    return math * 3


@on(V)
def variable_named_sum(x):
    sum = 0.0
    for v in x:
        sum = sum + v * v
    return sum


@on(2.0)
def variable_named_range_beside_a_loop(x):
    range = 3
    s = x
    while s < 10:
        s = s * x + range
    return s


@on(V)
def variables_named_reversed_and_len(x):
    reversed = 2.0
    len = 3.0
    s = 1.0
    for v in x:
        s = s * v + reversed * len
    return s


@on(2.0)
def variables_named_as_classes(x):
    list = x
    float = 2.0
    zip = 1.0
    enumerate = 3.0
    s = list * float
    return s * zip * enumerate


@on(2.0)
def argument_that_makes_the_name_of_a_pass(forward):
    return act(forward) * forward


@on(2.0)
def other_argument_that_makes_the_name_of_a_pass(backward):
    return act(backward) * backward


@on(V)
def default_that_is_no_literal(x, k=K * 2, *, m=float("2.5")):
    return np.sum(x * k * m)


@on(2.0)
def unicode_names(x):
    größe = x * x
    λ = größe * x
    return λ + größe


@on(2.0)
def private_names(_x):
    __y = _x * _x
    _ = __y * 3
    return _ * __y
