# group: Directives
# plain: f(3)
# staged: f(np.int64(3))
# plain: array([1.0, 2.0])
# staged: array(np.array([1.0, 2.0]))
# plain: unknown(3)
# refused: unknown(np.int64(3)) AG101 where the number of iterations depends on data
"""`ag.unroll`"""
import autograph as ag


def f(x):
    values = []
    for i in ag.unroll(range(3)):
        values.append(x * i)
    return values


def array(x):
    values = []
    for value in ag.unroll(x):
        values.append(value * 2)
    return values


def unknown(n):
    total = 0
    for i in ag.unroll(range(n)):
        total += i
    return total
