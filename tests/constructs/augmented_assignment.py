# group: Assignment and deletion
# plain: f(7)
# staged: f(np.int64(7))
# staged: floats(np.float64(7.0))
# plain: floats(7.0)
# plain: places(7)
# staged: places(np.int64(7))
# plain: order(7)
"""Augmented assignment to names, items and attributes"""


def f(x):
    x += 3
    x -= 1
    x *= 5
    x //= 2
    x %= 13
    x **= 2
    x <<= 2
    x >>= 1
    x &= 0xFF
    x |= 0x10
    x ^= 0x7
    return x


def floats(x):
    y = x
    x /= 3
    x -= 0.5
    return x, y


class Box:
    value = 1


def places(x):
    box = Box()
    table = {"a": 2}
    values = [3, 4]
    box.value += x
    table["a"] *= x
    values[-1] -= x
    values[0:1] += [x]
    return box.value, Box.value, table, values


def order(x):
    seen = []

    def note(value):
        seen.append(value)
        return value

    values = [1, 2, 3]
    values[note(1)] += note(x)
    return seen, values
