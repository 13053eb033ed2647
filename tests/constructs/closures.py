# group: Functions
# plain: f(3)
# staged: f(np.int64(3))
# plain: loop_variable(3)
# staged: loop_variable(np.int64(3))
# plain: later(3)
# staged: later(np.int64(3))
# plain: unbound(3)
# plain: made_outside(3)
# staged: made_outside(np.int64(3))
"""Closures, over loop variables and variables assigned later"""


def f(x):
    y = x
    read = lambda: y
    y = x * 2
    return read()


def loop_variable(x):
    functions = []
    for i in range(3):

        def g():
            return i * x

        functions.append(g)
    return [g() for g in functions]


def later(x):
    def g():
        return z + 1

    z = x
    first = g()
    z = x * 10
    return first, g()


def unbound(x):
    def g():
        return z

    g()
    z = x


def maker(start):
    total = start

    def made_outside(x):
        return total + x

    return made_outside


made_outside = maker(100)
