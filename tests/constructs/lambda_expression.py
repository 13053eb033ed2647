# group: Functions
# plain: f(3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# plain: several(3)
# staged: several(np.int64(3))
# plain: in_loop(3)
# staged: in_loop(np.int64(3))
# plain: sign(3)
# staged: sign(np.int64(-3))
# plain: arguments(3)
"""Lambdas: defaults, closures, several on a line"""


def f(x):
    double = lambda y: y * 2 if y > 0 else x
    return double(x), (lambda: x)(), (lambda a, b=x: a - b)(1)


def several(x):
    first, second = lambda y: y + 1, lambda y: y * 10
    return first(x), second(x), (lambda f: f(f))(lambda f: x)


def in_loop(x):
    late = [lambda: i * x for i in range(3)]
    early = [lambda i=i: i * x for i in range(3)]
    return [one() for one in late], [one() for one in early]


sign = lambda x: 1 if x > 0 else -1


def arguments(x):
    return (lambda a, /, *b, c=1, **d: (a, b, c, d))(x, 2, 3, c=4, e=5)
