# group: Classes
# plain: f(3)
# staged: f(np.int64(3))
# plain: read_only(3)
# plain: lazily(3)
"""Properties, setters, deleters, `cached_property`, descriptors"""
import functools


class Celsius:
    def __init__(self, degrees):
        self._degrees = degrees
        self.seen = []

    @property
    def fahrenheit(self):
        return self._degrees * 9 // 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self.seen.append("set")
        self._degrees = (value - 32) * 5 // 9

    @fahrenheit.deleter
    def fahrenheit(self):
        self.seen.append("deleted")

    @property
    def fixed(self):
        return 1

    @functools.cached_property
    def slow(self):
        self.seen.append("slow")
        return 7


def f(x):
    one = Celsius(x)
    first = one.fahrenheit
    one.fahrenheit = first + 18
    one.fahrenheit += 9
    del one.fahrenheit
    return first, one.fahrenheit, one.seen


def read_only(x):
    one = Celsius(x)
    one.fixed = x
    return x


def lazily(x):
    one = Celsius(x)
    return one.slow, one.slow, one.seen
