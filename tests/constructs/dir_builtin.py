# group: Frames and names
# plain: f(3)
# staged: f(np.int64(3))
"""`dir()`"""


def f(x):
    y = x
    if y is None:
        z = 1
    return dir(), "append" in dir([])
