# group: Statements
# since: 3.12
# plain: f(3)
# staged: f(np.int64(3))
"""`type`"""


def f(x):
    type Pair[T] = tuple[T, T]
    type Other = Pair[int]
    if x > 0:
        x = x + 1
    return str(Pair), str(Other.__value__), x
