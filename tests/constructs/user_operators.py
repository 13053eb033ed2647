# group: Classes
# plain: f(3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# plain: containers(3)
# staged: containers(np.int64(3))
# plain: truth(3)
# plain: member(3)
# staged: member(np.int64(3))
"""Operators of user classes"""


class Vector:
    def __init__(self, *values):
        self.values = list(values)

    def __add__(self, other):
        return Vector(*[a + b for a, b in zip(self.values, other.values)])

    def __radd__(self, other):
        return Vector(*[other - a for a in self.values])

    def __iadd__(self, other):
        self.values[0] = self.values[0] + other
        return self

    def __mul__(self, factor):
        return Vector(*[a * factor for a in self.values])

    def __neg__(self):
        return self * -1

    def __getitem__(self, index):
        return self.values[index]

    def __setitem__(self, index, value):
        self.values[index] = value

    def __delitem__(self, index):
        del self.values[index]

    def __len__(self):
        return len(self.values)

    def __contains__(self, value):
        return any(one is value for one in self.values)

    def __iter__(self):
        return iter(self.values)

    def __call__(self, x):
        if x > 0:
            return self.values[0] + x
        return self.values[0] - x

    def __bool__(self):
        return len(self.values) > 2

    def __eq__(self, other):
        return len(self) == len(other)

    def __lt__(self, other):
        return len(self) < len(other)


def f(x):
    a = Vector(x, 2) + Vector(3, x)
    b = -(a * 2)
    a += 10
    return a.values, b.values, (1 + a).values, a(x)


def containers(x):
    a = Vector(1, x, 3)
    a[0] = x * 2
    del a[2]
    first, second = a
    total = 0
    for value in a:
        total = total + value
    return a[0], len(a), first - second, total, a[-1]


def truth(x):
    a, b = Vector(1, 2), Vector(1, 2, 3)
    chosen = a or b
    return bool(a), not b, len(a and b), len(chosen), a == b, a < b < Vector(1, 2, 3, 4), "big" if b else "small"


def member(x):
    return x in Vector(1, x)
