"""Programs with objects of classes: attributes, methods, properties, objects that are made and changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])


class Layer:
    """A layer, as people write it."""

    def __init__(self, w, b=0.5, *, name="layer"):
        self.w = w
        self.b = b
        self.name = name

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __call__(self, x):
        return np.tanh(x * self.w + self.b)

    def scaled(self, x, k=2.0):
        return self(x) * k

    @property
    def size(self):
        return self.w * self.w + self.b

    @staticmethod
    def squared(x):
        return x * x

    @classmethod
    def named(cls, x):
        return cls(x)


class Deep(Layer):
    """A layer with another `__call__`."""

    def __call__(self, x):
        return self.scaled_by_itself(np.sin(x))

    def scaled_by_itself(self, x):
        return x * self.w


class Net:
    """Layers in an object."""

    first: Layer
    second: Layer

    def __init__(self, w):
        self.first = Layer(w)
        self.second = Layer(w * 2, w)

    def loss(self, x):
        h = self.first(x)
        return self.second(h) ** 2 + self.first.size * self.second.w


class Untyped:
    """Layers of which no annotation says the class."""

    def __init__(self, w):
        self.first = Layer(w)

    def loss(self, x):
        return self.first(x)


@dataclass
class Point:
    a: float
    b: float = 2.0

    def length(self):
        return np.sqrt(self.a * self.a + self.b * self.b)


@dataclass
class Computed:
    a: float

    def __post_init__(self):
        self.b = self.a * 2


@dataclass(frozen=True)
class Frozen:
    a: float

    def doubled(self):
        return self.a * 2


@dataclass(slots=True)
class Slotted:
    a: float
    b: float

    def product(self):
        return self.a * self.b


class Hooked:
    """Its attributes are not what they are set to."""

    def __init__(self, a):
        self.a = a

    def __getattr__(self, name):
        return 1.0

    def get(self):
        return self.a


class Holder:
    """It holds a function."""

    def __init__(self, f):
        self.f = f

    def call(self, x):
        return self.f(x)


class Counter:
    """It counts its calls."""

    def __init__(self):
        self.calls = 0

    def double(self, x):
        self.calls += 1
        return x * 2

    def add(self, v):
        self.calls = self.calls + v


class Replaced:
    """A method that the objects replace."""

    def __init__(self, x):
        self.get = lambda: x

    def get(self):
        return 1.0


LAYER = Layer(2.0, 0.25)
DEEP = Deep(1.5)


@on(1.5, -0.5)
def object_of_the_module(x):
    return LAYER(x) + LAYER.scaled(x, 3.0) * LAYER.w + LAYER.scaled(x=x)


@on(1.5)
def object_of_a_subclass(x):
    return DEEP(x) + DEEP.scaled(x)


@on((1.5, Layer(2.0)))
def annotated_argument(x, layer: Layer):
    return layer(x) * layer.w + layer.size


@on((1.5, Layer(2.0)))
def argument_without_its_class(x, layer):
    return layer(x)


@on((1.5, Deep(2.0)))
def argument_of_another_class(x, layer: Layer):
    return layer(x)


@on((1.5, Layer(2.0)))
def argument_of_which_values_are_read(x, layer):
    return x * layer.w


@on(1.5)
def made_inside(x):
    layer = Layer(x * x, x)
    return layer(x) + layer.w * layer.b


@on(1.5)
def made_with_defaults(x):
    layer = Layer(x, name="a")
    return layer(2.0) + layer.b


@on(1.5)
def made_twice(x):
    one = Layer(x)
    two = Layer(one(x), b=x)
    return one(2.0) * two(x)


@on((1.5, 3), (1.5, 0))
def made_in_a_loop(x, n):
    s = x
    for i in range(n):
        layer = Layer(s, float(i))
        s = layer(x) * s
    return s


@on(1.5, -1.5)
def made_in_a_branch(x):
    if x > 0:
        layer = Layer(x)
        y = layer(x)
    else:
        y = x
    return y


@on(1.5, -1.5)
def made_in_two_branches(x):
    layer = Layer(x) if x > 0 else Layer(2 * x)
    return layer(x)


@on(1.5)
def made_with_arrays(x):
    layer = Layer(V * x, np.array([1.0, 2.0, x]))
    return np.sum(layer(V))


@on(1.5)
def made_of_layers(x):
    net = Net(x)
    return net.loss(x) + net.first(x) * net.second.b


@on(1.5)
def made_of_layers_without_classes(x):
    net = Untyped(x)
    return net.loss(x)


@on(1.5)
def made_by_its_class(x):
    layer = Layer.named(x)
    return layer(x)


@on(1.5)
def property_of_what_is_made(x):
    layer = Layer(x, x * 2)
    return layer.size * x


@on(1.5)
def static_method(x):
    layer = Layer(x)
    return layer.squared(x) + Layer.squared(x)


@on(1.5)
def method_by_its_class(x):
    layer = Layer(x)
    return Layer.scaled(layer, x)


@on(1.5)
def method_in_another_name(x):
    layer = Layer(x)
    f = layer.scaled
    return f(x)


@on(1.5)
def dataclass_made_inside(x):
    p = Point(x, x * x)
    q = Point(x)
    return p.length() * q.length() + q.b


@on(1.5)
def dataclass_with_more_to_do(x):
    p = Computed(x)
    return p.a * p.b


@on(1.5)
def frozen_dataclass(x):
    p = Frozen(x)
    return p.doubled()


@on(1.5)
def slots(x):
    p = Slotted(x, x * 2)
    p.a = p.a * p.product()
    return p.product()


@on(1.5)
def hooks(x):
    p = Hooked(x)
    return p.get()


@on(1.5)
def attribute_that_is_set(x):
    layer = Layer(1.0, 2.0)
    layer.w = x * x
    layer.b += x
    layer.more = x * 3
    layer.w *= layer.more
    return layer(3.0) * layer.w + layer.more


@on((1.5, 3), (1.5, 0))
def attribute_that_a_loop_sets(x, n):
    layer = Layer(x, 0.0)
    for i in range(n):
        layer.b = layer(x) + layer.b * i
    return layer.b * layer.w


@on(1.5)
def attribute_that_is_set_after_a_call(x):
    layer = Layer(x, x)
    y = layer(x) * 1.0
    layer.w = V * x
    return y + np.sum(layer(V))


@on(1.5)
def attribute_array_that_is_written(x):
    layer = Layer(V * x, 0.0)
    y = np.sum(layer(V)) * 1.0
    layer.w[0] = 5.0
    return y + np.sum(layer.w * x)


@on(1.5)
def two_names_of_an_object(x):
    layer = Layer(x)
    other = layer
    other.w = 2.0
    return layer(x)


@on(1.5)
def object_in_a_list(x):
    layers = [Layer(x), Layer(2 * x)]
    s = x
    for layer in layers:
        s = layer(s)
    return s


@on(1.5)
def object_given_on(x):
    layer = Layer(x)
    return runs(layer, x) + runs(LAYER, x)


def runs(layer, x):
    return layer(x) * layer.w


@on(1.5)
def object_returned(x):
    return makes(x).w * x


def makes(x):
    return Layer(x)


@on(1.5)
def object_with_a_function(x):
    holder = Holder(np.sin)
    return holder.call(x)


@on(1.5)
def object_that_counts(x):
    counter = Counter()
    y = counter.double(x)
    return y * counter.calls


@on(1.5)
def object_that_is_added_to(x):
    counter = Counter()
    counter.add(x)
    return counter.calls * x


@on(1.5)
def method_that_is_replaced(x):
    one = Replaced(x)
    return one.get() * x


@on(1.5)
def object_in_a_closure(x):
    layer = Layer(x)

    def inner(y):
        return layer(y) * layer.w

    return inner(x)


@on((1.5, Layer(2.0)))
def attribute_of_an_argument_set(x, layer: Layer):
    layer.w = 3.0
    return layer(x)


class Vector:
    """It has operators and items."""

    def __init__(self, a):
        self.a = a

    def __add__(self, other):
        return Vector(self.a + 2.0 * other.a)

    def __neg__(self):
        return Vector(self.a * -3.0)

    def __getitem__(self, i):
        return self.a[i]

    def __iter__(self):
        return iter(self.a)

    def __array__(self, dtype=None, copy=None):
        return np.array([self.a, self.a])


@on(1.5)
def operator_of_objects(x):
    u = Vector(x)
    v = Vector(x * x)
    w = u + v
    return w.a


@on(1.5)
def operator_of_an_object(x):
    u = Vector(x)
    w = -u
    return w.a


@on(V)
def item_of_an_object(x):
    u = Vector(x)
    return u[0] * u[1]


@on(V)
def loop_over_an_object(x):
    u = Vector(x)
    s = 0.0
    for a in u:
        s = s + a * a
    return s


@on(V)
def unpacked_object(x):
    u = Vector(x)
    a, b, c = u
    return a * b + c


@on(1.5)
def object_added_in_place(x):
    u = Vector(x)
    v = Vector(2 * x)
    v += u
    return v.a


@on(1.5)
def function_of_numpy_of_an_object(x):
    u = Vector(x)
    return np.sum(u) * x


REFUSED = {
    "unpacked_object": "AG021",
    "function_of_numpy_of_an_object": "AG021",
    "loop_over_an_object": "AG021",
    "argument_without_its_class": "AG022",
    "argument_of_another_class": "TypeError",
    "made_in_two_branches": "AG022",
    "made_by_its_class": "AG022",
    "method_in_another_name": "AG021",
    "hooks": "AG022",
    "object_with_a_function": "AG022",
    "method_that_is_replaced": "AG022",
}
"""As in `tangent_programs.REFUSED`."""
