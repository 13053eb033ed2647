"""Objects of classes without `__init__`, and `__init__` of a base class that is called by its name."""

from __future__ import annotations

from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on


class Bare:
    """A class of which the program sets the attributes."""


class Scaled:
    """A class with a method, and a number of its own."""

    scale = 2.0

    def applied(self, x):
        return self.scale * x


class Weighted:
    def __init__(self, w):
        self.w = w

    def applied(self, x):
        return self.w * x


class Shifted(Weighted):
    def __init__(self, w, b):
        Weighted.__init__(self, w)
        self.b = b

    def shifted(self, x):
        return self.applied(x) + self.b * x


class Squared(Weighted):
    def __init__(self, w):
        Weighted.__init__(self, w)
        self.w = self.w * self.w


class Twice(Squared):
    def __init__(self, w, u):
        Squared.__init__(self, w)
        Weighted.__init__(self, self.w * u)
        self.u = u


class Forgetful(Weighted):
    def __init__(self, w):
        self.w = w
        Weighted.__init__(self, 1.0)


class Counted:
    total = 0.0


@on((3.0,))
def attributes_of_a_bare_object(x):
    bare = Bare()
    bare.v = x * 2
    return bare.v * bare.v


@on((3.0,), (1.0,))
def bare_object_in_branches(x):
    bare = Bare()
    if x > 2:
        bare.v = x
    else:
        bare.v = 1.0
    return bare.v * x


@on((3.0,))
def bare_objects_in_a_loop(x):
    total = 0.0
    for i in range(3):
        bare = Bare()
        bare.v = x * i
        bare.w = bare.v * x
        total += bare.v * bare.w
    return total


@on((3.0, 2.0), wrt=(0, 1))
def bare_object_given_to_a_callee(x, y):
    def filled(one, v):
        one.v = v * v
        return one.v

    bare = Bare()
    return filled(bare, x) * bare.v * y


@on((3.0,))
def method_of_a_bare_object(x):
    return Scaled().applied(x) * x


@on((3.0,))
def attribute_over_that_of_the_class(x):
    scaled = Scaled()
    before = scaled.applied(x)
    scaled.scale = x
    return before * scaled.applied(x)


@on((3.0,))
def number_of_the_class_that_grows(x):
    counted = Counted()
    for i in range(3):
        counted.total = counted.total + x * i
    return counted.total * x


@on((3.0, 2.0), wrt=(0, 1))
def init_of_the_base(x, y):
    shifted = Shifted(x, y)
    return shifted.shifted(x) * shifted.b


@on((3.0,))
def init_of_the_base_then_squared(x):
    return Squared(x).applied(x)


@on((3.0, 2.0), wrt=(0, 1))
def init_of_two_bases(x, y):
    twice = Twice(x, y)
    return twice.applied(twice.u)


@on((3.0,))
def init_of_the_base_forgets(x):
    return Forgetful(x).applied(x)


@on((3.0,))
def init_called_again(x):
    weighted = Weighted(1.0)
    first = weighted.applied(x)
    Weighted.__init__(weighted, x)
    return first * weighted.applied(x)
