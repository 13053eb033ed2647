# group: Frames and names
# plain: f(3)
# staged: f(np.int64(3))
"""`globals()`, `__name__`"""

setting = 7


def f(x):
    return globals()["setting"] + x, __name__, globals() is f.__globals__
