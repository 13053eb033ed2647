# group: Classes
# plain: f(3)
# staged: f(np.int64(3))
"""Metaclasses, class keywords, `__init_subclass__`, `__set_name__`"""


class Meta(type):
    def __new__(mcs, name, bases, namespace, **options):
        made = super().__new__(mcs, name, bases, namespace)
        made.options = sorted(options.items())
        return made

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)


class Named:
    def __set_name__(self, owner, name):
        self.name = name


class Base:
    def __init_subclass__(cls, tag=None, **options):
        cls.seen = f"{cls.__name__} {tag}"


def f(x):
    class Local(metaclass=Meta, a=1, b=2):
        field = Named()

    class Sub(Base, tag="t"):
        pass

    return x * 2, Local.options, Local.field.name, Sub.seen, type(Local).__name__
