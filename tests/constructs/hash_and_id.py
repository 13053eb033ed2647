# group: Builtins
# plain: f(3)
# refused: f(np.int64(3)) AG101
"""`hash`, dictionary keys"""


def f(x):
    return hash(x), {x: 1}[3]
