"""Programs with `match` around values with derivatives: literals, guards, parts of containers and objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])


class Codes:
    DOUBLE = 2
    HALF = "half"


@dataclass
class Box:
    width: float
    height: float


class Polar:
    __match_args__ = ("r", "angle")

    def __init__(self, r, angle):
        self.r = r
        self.angle = angle


@on((1.5, "square"), (1.5, "sine"), (1.5, "sin"), (1.5, "other"))
def match_of_a_string(x, kind):
    match kind:
        case "square":
            y = x * x
        case "sine" | "sin":
            y = np.sin(x)
        case _:
            y = x
    return y


@on((1.5, 2), (1.5, "half"), (1.5, None), (1.5, True), (-1.5, 3))
def match_that_returns(x, kind):
    match kind:
        case Codes.DOUBLE:
            return 2 * x
        case Codes.HALF if x > 0:
            return x / 2
        case None:
            return x * x
        case True:
            return np.exp(x)
    return x * 3


@on(1.5, -2.0, 7.0)
def match_of_an_active_value(x):
    match x:
        case 0.0:
            return x * 5
        case v if v > 5:
            y = v * v
        case v if v < 0:
            y = v * v * v
        case other:
            y = other
    return y + x


@on((V, (1, 0, 7, 4, 1)), (V, (1, 2, 1)), (V, (7, 3, 1)), (V, ()))
def match_in_a_loop(x, steps):
    s = 0.0
    for i, step in enumerate(steps):
        match step:
            case 0:
                continue
            case 1:
                s += np.sum(x) * i
            case 2:
                break
            case n if n > 5:
                s = s + x[0] * n
            case 3:
                return s * x[1]
            case _:
                s = s * x[2]
    else:
        s = s + x[1]
    return s


@on((1.5, 2.0, 0), (2.0, 3.0, 1), (4.0, 2.0, 2), (2.0, 3.0, 2), (-1.0, 3.0, 3), wrt=(0, 1))
def match_of_several_values(x, y, n):
    match x, y, n:
        case (a, b, 0) | (b, a, 1):
            return a + b * b
        case (-1.0, 2.0, _) | (_, _, None):
            return 0.0
        case (a, b, 2) if a > b:
            return a * b * b
        case a, *rest:
            return a * rest[0]


@on(([1.5, 2.0],), ([1.5],), ([1.5, 2.0, 3.0],), ([],), (1.5,))
def match_of_a_list(xs):
    match xs:
        case [a, b]:
            return a * b * b
        case [a]:
            return a * a
        case [a, *_, z]:
            return a * z
        case []:
            return 0.0
    return xs * 2


@on(((1.5, 2.0),), ((1.5, 2.0, 3.0, 4.0),), ((7.0, 2.0, 3.0),))
def match_with_a_star(xs):
    match xs:
        case (a, *rest) if a > 5:
            return sum(rest) * a
        case (a, *rest, z):
            s = a * z
            for v in rest:
                s = s * v
            return s


@on((1.5, 2.0), (-1.5, 2.0), wrt=(0, 1))
def match_of_nested_containers(x, y):
    match [x, (y, {"k": x * y})]:
        case [a, (b, {"k": c})] if a < 0:
            return a * b * c
        case [a, (b, {"k": c, **rest})]:
            return a + b * c * c + len(rest)
    return x


@on(({"sum": 1.5, "a": 1.5, "b": 2.0},), ({"product": 2.5, "a": 1.5, "b": 2.0},), ({"a": 1.5},), ({},))
def match_of_a_dict(p):
    match p:
        case {"sum": _, "a": a, "b": b}:
            return a + b * 2
        case {"product": k, **rest}:
            return rest["a"] * rest["b"] * k
        case {"a": a}:
            return a * a
    return 0.0


def area(box: Box, n):
    match box:
        case Box(_, height=h) if n > 1:
            return h * h
        case Box(w, h) if w > h:
            return w * w * h
        case Box(width=w, height=h):
            return w * h


@on((1.5, 2.0, 1), (1.5, 2.0, 2), (3.0, 2.0, 1), wrt=(0, 1))
def match_of_an_object(x, y, n):
    return area(Box(x, y), n) * x


@on((1.5, 0.5), wrt=(0, 1))
def match_of_an_object_that_is_made(r, angle):
    match Polar(r * r, angle):
        case Polar(r, a) as p:
            return r * np.cos(a) * p.r
    return r


@on((1.5, 2), (1.5, 2.5), (1.5, "s"), (1.5, None))
def match_of_builtin_classes(x, n):
    match n:
        case int(k):
            return x**k
        case float(v) | str(v) if v != "s":
            return x * v
        case str():
            return np.sin(x)
    return x


@on((1.5, 0, 0), (1.5, 2, 0), (1.5, 2, 3))
def match_of_alternatives_with_names(x, k, m):
    p = [x, k, m]
    match p:
        case [v, 0, w] | [v, w, 0]:
            return v * v * 3 + x * w
        case [v, *w]:
            return v * x * sum(w)


@on((1.5, ["mul", 2.0, "stop", 7.0]), (1.5, ["add", 2.0, 3.0]), (1.5, []), (1.5, 4))
def match_in_a_match(x, program):
    r = x
    match program:
        case [op, *rest]:
            for step in rest:
                match op, step:
                    case _, "stop":
                        break
                    case "mul", float(c):
                        r = r * c * x
                    case "add", c:
                        r = r + c * x
        case int(n):
            r = x * n
    return r


@on((V, "a"), (V, "b"), (V, "c"))
def match_around_writes(x, kind):
    y = x * 1.0
    match kind:
        case "a":
            y[0] = x[1] * x[2]
        case "b":
            y[1:] *= 3.0
        case _:
            y = y * y
    return np.sum(y * x)


@on((1.5, 3), (1.5, 4))
def match_that_stays(x, n):
    match n % 2:
        case 0:
            k = 2
        case _:
            k = 3
    return x**k


def shape_of(v, kind):
    match kind:
        case "relu":
            return v if v > 0 else 0.0
        case ("scaled", float(k) | int(k)):
            return v * k
        case _:
            return v


@on((1.5, "relu"), (-1.5, "relu"), (1.5, ("scaled", 3)), (1.5, None))
def match_in_a_callee(x, kind):
    return shape_of(x * x - 1, kind) + shape_of(x, kind)


@on((1.5, 2), (1.5, 3))
def match_in_a_closure(x, n):
    def inner(v):
        match n:
            case 2:
                return v * x
            case k:
                return v + k * x

    return inner(x) * inner(2.0)


@on((1.5, 5.0), (9.0, 5.0), wrt=(0, 1))
def names_stay_bound_where_a_guard_fails(x, y):
    n = y
    match x, 1.0:
        case (n, _) if n > 5:
            n = n * 2
        case (_, 2.0):
            n = 0.0
    return n * x + y


@on(([1.5, 2.0], "twice"), ([1.5, 2.0, 3.0], "once"), ([1.5], "twice"))
def match_that_binds_what_the_result_is_of(xs, kind):
    match xs:
        case [a, b]:
            y = a * b
        case [a, *rest] if len(rest) > 1:
            y = a * rest[0]
        case _:
            y = xs[0]
    match kind:
        case "doubled" | "twice":
            y = y * 2
    return y


@on((1.5, 2), (1.5, 0))
def match_of_a_computed_value(x, n):
    z = 0.0
    match x * x, n:
        case v, 0:
            z = v
        case v, k:
            z = v * k
    return z * x
