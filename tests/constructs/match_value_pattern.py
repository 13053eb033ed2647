# group: Pattern matching
# plain: f("RED", 3)
# plain: f("BLUE", 3)
# plain: f("GREEN", 3)
# staged: f("RED", np.int64(3))
# staged: f("BLUE", np.int64(3))
# staged: f("BLUE", np.int64(-3))
# staged: g(np.int64(3))
# staged: g(np.int64(4))
"""Value patterns: dotted names"""
import enum


class Color(enum.Enum):
    RED = 1
    GREEN = 3
    BLUE = 2


def f(name, x):
    match Color[name]:
        case Color.RED:
            y = x * 2
        case Color.BLUE:
            if x > 0:
                y = x
            else:
                y = -x
        case _:
            y = 0
    return y


class Codes:
    FOUND = 3


def g(code):
    match code:
        case Codes.FOUND:
            return 1
        case _:
            return code * 2
