# group: Entities
# plain: f(3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
"""`ag.convert` and `ag.function` on functions that are called"""
import autograph as ag


@ag.convert
def sign(x):
    if x > 0:
        return 1
    return -1


@ag.function
def doubled(x):
    return x * 2


def f(x):
    return sign(x) + doubled(x)
