# group: Assignment and deletion
# plain: name(3)
# plain: missing(3)
# plain: items(3)
# plain: attribute(3)
# plain: branch(3)
# plain: branch(-3)
# staged: name(np.int64(3))
# staged: items(np.int64(3))
# staged: attribute(np.int64(3))
"""`del` of names, items, slices, attributes"""


def name(x):
    y = x + 1
    z = y
    del x, (y)
    return z


def missing(x):
    del x
    return x


def branch(x):
    if x > 0:
        del x
    return x


def items(x):
    values = [x, 1, 2, 3, 4, 5]
    table = {"a": x, "b": 2}
    del values[1], table["b"]
    del values[2:4]
    del values[-1]
    return values, table


class Box:
    pass


def attribute(x):
    box = Box()
    box.value = x
    box.other = x + 1
    del box.value
    return hasattr(box, "value"), box.other
