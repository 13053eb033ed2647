# group: Classes
# plain: f(3)
# staged: f(np.int64(3))
# plain: local(3)
# staged: local(np.int64(3))
# plain: explicit(3)
"""Inheritance, `super()`, `__class__`"""


class Base:
    def __init__(self, value):
        self.value = value

    def result(self):
        if self.value > 0:
            return self.value * 2
        return self.value

    @classmethod
    def make(cls, value):
        return cls(value)


class Derived(Base):
    def __init__(self, value):
        super().__init__(value)
        self.extra = 1

    def result(self):
        return super().result() + self.extra

    @classmethod
    def make(cls, value):
        made = super().make(value)
        made.extra = 50
        return made


def f(x):
    return Derived(x).result(), Derived.make(x).result()


def local(x):
    class Local(Derived):
        def result(self):
            return super().result() * 3, __class__.__name__

    return Local(x).result()


def explicit(x):
    return super(Derived, Derived(x)).result()
