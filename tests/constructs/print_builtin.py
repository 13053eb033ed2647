# group: Builtins
# plain: f(3)
# staged: f(np.int64(3))
# staged: f(np.float64(2.5))
# staged: array(np.arange(3.0))
# plain: array(np.arange(3.0))
# staged: branch(np.int64(3))
# staged: branch(np.int64(-3))
# plain: branch(3)
"""`print`, with `sep` and `end`"""


def f(x):
    print("x", x, x * 2, sep="|", end=".\n")
    print()
    print(x, end="")
    return x


def array(x):
    print(x, x.sum())
    return x


def branch(x):
    for i in range(3):
        if x > i:
            print("above", i)
        else:
            print("below", i, x)
    return x
