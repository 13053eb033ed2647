# group: Assignment and deletion
# plain: f(3)
# plain: f(-3)
# plain: never(1)
# plain: places(3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# staged: places(np.int64(3))
"""Annotated assignment, with and without a value"""


def f(x):
    y: int
    if x > 0:
        y: int = x * 2
    else:
        y: "anything" = -x
    (z): not_evaluated = y + 1
    return z


def never(x):
    y: int
    return y


class Box:
    pass


def places(x):
    box = Box()
    values = [0]
    box.value: int = x
    values[0]: int = x + 1
    return box.value, values
