# group: Functions
# plain: f(3)
# staged: f(np.int64(3))
# plain: in_branch(3)
# plain: in_branch(-3)
# plain: returned(3)
# staged: returned(np.int64(3))
# plain: attributes(3)
"""Functions in functions"""


def f(x):
    def square(y):
        if y > 0:
            return y * y
        return -y

    def twice(function, y):
        return function(function(y))

    return twice(square, x), square(-x)


def in_branch(x):
    if x > 0:

        def g(y):
            return y + 1

    else:

        def g(y):
            return y - 1

    return g(x)


def returned(x):
    def add(y):
        return x + y

    return [add][0](5)


def attributes(x):
    def inner(a, b=1, *, c: int = 2) -> str:
        """The documentation."""

    inner.note = x
    return [
        inner.__name__,
        inner.__qualname__,
        inner.__doc__,
        inner.__defaults__,
        inner.__kwdefaults__,
        str(inner.__annotations__),
        inner.note,
        inner.__module__,
    ]
