# group: Functions
# since: 3.13
# plain: f(3)
# staged: f(np.int64(3))
"""Defaults of type parameters"""


def f[T = int](x: T) -> T:
    return x + 1 if x > 0 else x
