"""Methods that call those of base classes by `super()`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.7, -1.2, 0.4])


class Layer:
    """A base class whose `__init__` ends the line."""

    gain = 1.5

    def __init__(self, w):
        super().__init__()
        self.w = w

    def applied(self, x):
        return self.w * x

    @property
    def size(self):
        return self.w * self.w

    @staticmethod
    def squeezed(x):
        return x / (1.0 + x * x)

    def grown(self, x):
        self.w = self.w + x

    def copied(self, v):
        return Layer(v * self.w)


class Biased(Layer):
    gain = 2.5

    def __init__(self, w, b):
        super().__init__(w)
        self.b = b

    def applied(self, x):
        return super().applied(x) + self.b

    @property
    def size(self):
        return super().size + self.b

    @staticmethod
    def squeezed(x):
        return x

    def gains(self, x):
        return super().gain * x + self.gain * x * x

    def squeezed_twice(self, x):
        return super().squeezed(super().squeezed(x))

    def grown(self, x):
        super().grown(x * self.b)
        super().grown(x)
        self.b = self.b * self.w

    def looped(self, x, n):
        total = 0.0
        for i in range(n):
            total = total + super().applied(x * i) * self.b
        return total

    def run(self, x, tolerance):
        h = x
        while h > tolerance:
            h = super().applied(h) * 0.2
        return h

    def chosen(self, x):
        if x > 1.0:
            return super().applied(x)
        y = super(Biased, self).applied(x * x)  # noqa: UP008
        return y * self.b

    def weight_of_a_copy(self, x):
        return super().copied(x).w * self.b


class Gated(Biased):
    def __init__(self, w, b, g=2.0):
        self.g = g
        super().__init__(w * g, b=b)

    def applied(self, x):
        return np.tanh(super().applied(x)) * self.g

    def skipped(self, x):
        return super(Biased, self).applied(x) * self.g


class Named:
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.calls = 0

    def applied(self, x):
        self.calls = self.calls + 1
        return super().applied(x * self.calls)


class Scaling:
    def applied(self, x):
        return 3.0 * super().applied(x) + super().applied(2.0 * x)


class Tagged(Named, Layer):
    pass


class Both(Scaling, Named, Biased):
    pass


class Other(Named, Scaling, Layer):
    def __init__(self, w):
        super().__init__(w)
        self.w = self.w * 2.0


class Left(Layer):
    def applied(self, x):
        return super().applied(x) * 2.0


class Right(Layer):
    def applied(self, x):
        return super().applied(x) + x * x


class Diamond(Left, Right):
    def applied(self, x):
        return super().applied(x) * self.w


class Recorder(Layer):
    def __init__(self, w):
        super().__init__(w.copy())
        self.last = np.zeros(3)
        self.total = np.zeros(3)

    def applied(self, x):
        self.last = super().applied(x) + self.last
        self.total = self.total + self.last * x
        return np.sum(self.last)


class Buffer:
    def __init__(self, n):
        self.data = np.zeros(n)

    def put(self, i, v):
        self.data[i] += v

    def __getitem__(self, i):
        return self.data[i]

    def __setitem__(self, i, v):
        self.data[i] = v

    def __mul__(self, v):
        return np.sum(self.data) * v


class Doubling(Buffer):
    def put(self, i, v):
        super().put(i, v)
        super().put(i, v * v)

    def __getitem__(self, i):
        return 2.0 * super().__getitem__(i)

    def __setitem__(self, i, v):
        super().__setitem__(i, v * v)

    def __mul__(self, v):
        return super().__mul__(v) + self.data[0]


@dataclass
class Point:
    x: float
    y: float = 2.0

    def norm(self):
        return self.x * self.x + self.y


@dataclass
class Point3(Point):
    z: float = 1.0

    def norm(self):
        return super().norm() + self.z * self.x


class Origin(Point):
    def __init__(self, v):
        super().__init__(v * v, y=v)


class Counted:
    """A mixin whose `__init__` is the last."""

    def __init__(self, w, *args):
        super().__init__(*args)
        self.w = w * 2.0


class Empty:
    def __init__(self):
        """It does nothing."""

    def prepared(self):
        pass


class Filled(Empty):
    def __init__(self, w):
        if w > 1.0:
            super().__init__()
        self.w = w
        self.prepared()

    def prepared(self):
        super().prepared()
        self.w = self.w * self.w


class Activation(ABC):
    """An abstract class, whose properties and methods others have."""

    def __init__(self, w):
        super().__init__()
        self.w = w

    @abstractmethod
    def act(self, x):
        """What is done to a number."""

    @property
    @abstractmethod
    def slope(self):
        """A factor."""

    def __call__(self, x):
        return self.act(x * self.w) * self.slope


class Tanh(Activation):
    @property
    def slope(self):
        return self.w

    def act(self, x):
        return np.tanh(x)


class Softened(Tanh):
    def __init__(self, w, b):
        super().__init__(w)
        self.b = b

    @property
    def slope(self):
        return super().slope * self.b

    def act(self, x):
        return super().act(x) + self.b


class Making(Biased):
    @classmethod
    def made(cls, v):
        return v * v


class Asking(Making):
    def made_by_super(self, x):
        return super().made(x)

    def applied(self, x):
        def act(v):
            return super(Asking, self).applied(v)

        return act(x)

    def applied_to_all(self, xs):
        return sum([super(Asking, self).applied(x) for x in xs])

    def by_value(self, x):
        base = super()
        return base.applied(x)


class Shadowing(Layer):
    def applied(self, x, Layer=3.0):
        return super().applied(x) * Layer * self.halves()

    def halves(self):
        return 2


class Halved(Shadowing):
    def halves(self):
        return super().halves() + 1


class Plain:
    """A class without `__init__`."""


class Made(Plain):
    def __init__(self, v):
        super().__init__()
        self.v = v * v


@on((1.5, 0.5), wrt=(0, 1))
def super_init(w, b):
    layer = Biased(w, b)
    return layer.w * layer.b * layer.w


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_method(w, b, x):
    return Biased(w, b).applied(x) * x


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_of_two_levels(w, b, x):
    return Gated(w, b, x).applied(x)


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_that_skips_a_level(w, b, x):
    return Gated(w, b).skipped(x) * Gated(w, b, g=x).applied(w)


@on((V, 0.5, 0.8), wrt=(0, 1, 2))
def super_with_arrays(w, b, x):
    layer = Gated(w, b)
    return np.sum(layer.applied(x) * layer.w)


@on((1.5, 0.5), wrt=(0, 1))
def super_of_a_property(w, b):
    return Biased(w, b).size * b


@on((1.5, 0.5), wrt=(0, 1))
def super_of_a_number_of_the_class(x, b):
    return Biased(x, b).gains(x)


@on((1.5, 0.5), wrt=(0, 1))
def super_of_a_static_method(x, b):
    return Biased(x, b).squeezed_twice(x) * b


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_that_writes(w, b, x):
    layer = Biased(w, b)
    layer.grown(x)
    first = layer.w
    layer.grown(x * x)
    return layer.w * layer.b * first


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_that_writes_in_a_loop(w, b, x):
    layer = Biased(w, b)
    for _ in range(3):
        layer.grown(x)
        x = x * layer.b
    return layer.w + layer.b * x


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_in_a_loop(w, b, x):
    return Biased(w, b).looped(x, 4)


@on((1.5, 0.5, 5.0), wrt=(0, 1, 2))
def super_in_a_while(w, b, x):
    return Biased(w, b).run(x, 0.3) * x


@on((1.5, 0.5, 0.8), (1.5, 0.5, 1.8), wrt=(0, 1, 2))
def super_in_branches(w, b, x):
    return Biased(w, b).chosen(x)


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_that_makes_an_object(w, b, x):
    return Biased(w, b).weight_of_a_copy(x)


@on((1.5, 0.8), wrt=(0, 1))
def super_of_a_mixin(w, x):
    layer = Tagged(w)
    return layer.applied(x) * layer.applied(x * x)


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_of_two_mixins(w, b, x):
    layer = Both(w, b)
    return layer.applied(x) * layer.applied(x)


@on((1.5, 0.8), wrt=(0, 1))
def super_of_mixins_in_the_other_order(w, x):
    layer = Other(w)
    return layer.applied(x) * layer.applied(x)


@on((1.5, 0.8), wrt=(0, 1))
def one_mixin_of_two_classes(w, x):
    total = Tagged(w).applied(x)
    return total * Other(w * x).applied(x) * Both(w, x).applied(w)


@on((1.5, 0.8), wrt=(0, 1))
def super_of_a_diamond(w, x):
    return Diamond(w).applied(x) * Right(x).applied(w) * Left(w).applied(x)


@on((V, 0.8), wrt=(0, 1))
def super_that_keeps_arrays(w, x):
    layer = Recorder(w)
    h = x
    for _ in range(3):
        h = layer.applied(h) * x
    return np.sum(layer.total * layer.last * layer.w)


@on((1.5, 0.8), wrt=(0, 1))
def super_that_writes_to_an_array(w, x):
    buffer = Doubling(3)
    for i in range(3):
        buffer.put(i, x * i)
        buffer.put(0, w)
    return buffer.data[0] * buffer.data[2]


@on((1.5, 0.8), wrt=(0, 1))
def super_of_items(w, x):
    buffer = Doubling(3)
    buffer[1] = w * x
    buffer[2] = buffer[1] * x
    return buffer[2] * w


@on((1.5, 0.8), wrt=(0, 1))
def super_of_an_operator(w, x):
    buffer = Doubling(3)
    buffer[0] = w
    return (buffer * x) * w


@on((1.5, 0.8), wrt=(0, 1))
def super_of_dataclasses(x, z):
    return Point3(x, z=z).norm() * Point3(x, z).norm()


@on((1.5,))
def super_init_of_a_dataclass(x):
    origin = Origin(x)
    return origin.norm() * origin.y


@on((1.5,))
def super_init_of_a_bare_class(x):
    return Made(x).v * x


@on((1.5, 0.5, 0.8), wrt=(0, 1, 2))
def super_in_classes_with_abstract_methods(w, b, x):
    return Softened(w, b)(x) * Tanh(b)(x)


def activated(activation: Activation, x):
    return activation(x) * x


@on((1.5, 0.8), wrt=(0, 1))
def abstract_class_as_an_annotation(w, x):
    return activated(Tanh(w), x)


@on((1.5,), (0.5,))
def super_of_empty_methods(x):
    return Filled(x).w * x


@on((1.5,))
def super_init_with_stars_of_no_class(x):
    return Counted(x).w * x


@on((1.5, 0.8), wrt=(0, 1))
def super_beside_a_variable_of_its_name(w, x):
    return Halved(w).applied(x)


@on((1.5, 0.5), wrt=(0, 1))
def super_of_objects_in_a_list(x, b):
    layers = [Biased(x, b), Biased(b, x)]
    total = 0.0
    for layer in layers:
        total += layer.applied(x) * layer.size
    return total


def made_here():
    """A program with classes that no module has."""

    class Inner:
        def __init__(self, w):
            self.w = w

        def applied(self, x):
            return self.w * x

        def count(self):
            return 2

    class Outer(Inner):
        def __init__(self, w):
            super().__init__(w * w)

        def applied(self, x):
            return super().applied(x) * super().count()

    def super_of_classes_of_a_function(w, x):
        outer = Outer(w)
        return outer.applied(x) * outer.count()

    return super_of_classes_of_a_function


super_of_classes_of_a_function = on((1.5, 0.8), wrt=(0, 1))(made_here())


@on((1.5, 0.8), wrt=(0, 1))
def super_of_a_class_method(w, x):
    return Asking(w, x).made_by_super(x)


@on((1.5, 0.8), wrt=(0, 1))
def super_in_an_inner_function(w, x):
    return Asking(w, x).applied(x)


@on((1.5, 0.8), wrt=(0, 1))
def super_in_a_comprehension(w, x):
    return Asking(w, x).applied_to_all([x, w])


@on((1.5, 0.8), wrt=(0, 1))
def super_as_a_value(w, x):
    return Asking(w, x).by_value(x)


REFUSED = {
    "super_init_with_stars_of_no_class": "AG021",
    "super_of_a_class_method": "AG021",
    "super_in_an_inner_function": "AG021",
    "super_in_a_comprehension": "AG021",
    "super_as_a_value": "AG021",
}
