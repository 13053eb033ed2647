# run: dataclasses_with_super(np.float64(2.0))
# run: dataclasses_with_super(np.float64(-2.0))
# run: method_in_a_branch(np.float64(2.0)) == (1, 2.0)
# run: method_in_a_branch(np.float64(-2.0))
# run: method_in_a_loop(np.float64(2.5), np.int64(6))
# run: list_items(np.float64(3.0), np.int64(4))
# run: dict_items(np.arange(4.0), np.int64(5))
# run: appended_in_both(np.float64(-2.0))
# run: through_a_callee(np.float64(1.0), np.int64(3))
# run: through_a_callee(np.float64(-1.0), np.int64(3))
# run: property_and_setter(np.float64(4.0))
# run: slots(np.int64(5))
# run: item_methods(np.float64(2.0))
# run: nested(np.int64(3), np.int64(4))
# run: array_attribute(np.arange(3.0), np.int64(4))
# run: while_on_an_attribute(np.int64(10))
# run: class_attribute(np.int64(3))
# run: break_after_write(np.array([1.0, -2.0, 3.0]))
# run: list_in_object(np.float64(2.0))
"""Attributes, items and lists written in staged blocks, in callees and methods too."""

import dataclasses


class Counter:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, value):
        self.count += 1
        self.total += value


def method_in_a_branch(x):
    counter = Counter()
    if x > 0:
        counter.add(x)
    return counter.count, counter.total


def method_in_a_loop(x, n):
    counter = Counter()
    for i in range(n):
        if x > i:
            counter.add(x)
    return counter.count, counter.total


def list_items(x, n):
    numbers = [0, 1.5, x]
    for i in range(n):
        numbers[0] += i
        if x > i:
            numbers[2] = numbers[2] * 2
        else:
            numbers[1] = numbers[2]
    return numbers


def dict_items(xs, n):
    table = {"sum": 0.0, "n": 0, "name": "table"}
    for i in range(n):
        table["sum"] += xs[i % 4]
        table["n"] += 1
    return table


def appended_in_both(x):
    seen = []
    if x > 0:
        seen.append(x)
    else:
        seen.append(-x)
    return seen


def note(log, value):
    log[0] = value
    log[1] += 1


def through_a_callee(x, n):
    log = [x, 0]
    if x > 0:
        note(log, x * 10)
    for i in range(n):
        note(log, log[0] + i)
    return log


class Celsius:
    def __init__(self, degrees):
        self._degrees = degrees

    @property
    def fahrenheit(self):
        return self._degrees * 1.8 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self._degrees = (value - 32) / 1.8


def property_and_setter(x):
    temperature = Celsius(x)
    if x > 0:
        temperature.fahrenheit = 212.0
    return temperature._degrees, temperature.fahrenheit


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def step(self, by):
        self.x += by
        self.y, self.x = self.x, self.y


def slots(n):
    point = Point(0, 1)
    for i in range(n):
        point.step(i)
    return point.x, point.y


class Vector:
    def __init__(self, size):
        self.items = [0.0] * size

    def __setitem__(self, index, value):
        self.items[index] = value

    def __getitem__(self, index):
        return self.items[index]


def item_methods(x):
    vector = Vector(3)
    if x > 1:
        vector[1] = x
        vector[2] = vector[1] + 1
    return vector.items


def nested(n, m):
    counter = Counter()
    for i in range(n):
        for j in range(m):
            if i * j % 2 == 0:
                counter.add(1.0 * j)
    return counter.count, counter.total


class Model:
    def __init__(self, weights):
        self.weights = weights
        self.steps = 0

    def step(self, rate):
        self.weights = self.weights - rate * self.weights
        self.steps += 1


def array_attribute(w, n):
    model = Model(w)
    for i in range(n):
        model.step(0.1 * i)
    return model.weights, model.steps


class Box:
    def __init__(self, value):
        self.value = value


def while_on_an_attribute(n):
    box = Box(0)
    while box.value * box.value < n:
        box.value += 1
    return box.value


class Shared:
    count = 0


def class_attribute(n):
    box = Box(n)
    for i in range(n):
        box.value = box.value * 2 - i
    return box.value


def break_after_write(xs):
    box = Box(0.0)
    for v in xs:
        if v < 0:
            break
        box.value += v
    else:
        box.value = -1.0
    return box.value


def list_in_object(x):
    box = Box([1.0, 2.0])
    if x > 1:
        box.value[0] = x
    return box.value


@dataclasses.dataclass
class Base:
    a: float


@dataclasses.dataclass
class Derived(Base):
    b: float

    def __post_init__(self):
        self.b = self.b * 2


class Initialised(Derived):
    def __init__(self, a, b):
        super().__init__(a, b)
        self.c = a + b


def dataclasses_with_super(x):
    one, other = Derived(x, x + 1), Initialised(x, 3.0)
    if x > 0:
        one.a = one.a + other.b
        other.c = other.c * 2
    return one.a, one.b, other.c
