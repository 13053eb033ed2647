# group: Pattern matching
# plain: f(3)
# plain: f("a")
# plain: f(2.5)
# plain: points(1, 2)
# plain: points(0, 2)
# staged: sums(np.int64(1), np.int64(2))
# plain: sums(1, 2)
# staged: chosen(np.int64(0), np.int64(2))
# staged: chosen(np.int64(4), np.int64(3))
# staged: chosen(np.int64(4), np.int64(0))
# refused: points(np.int64(0), np.int64(2)) AG131 where one case gives a number and another a tuple
"""Class patterns, positional and by keyword"""
import dataclasses


@dataclasses.dataclass
class Point:
    x: object
    y: object


def f(value):
    match value:
        case int(number):
            return number + 1
        case str() as text:
            return text * 2
        case _:
            return "other"


def points(x, y):
    match Point(x, y):
        case Point(0, y):
            return y
        case Point(x=a, y=b):
            return a, b


def sums(x, y):
    match Point(x, y):
        case Point(a, y=b):
            c = a + b
    return c


def chosen(x, y):
    point = Point(x, y) if y > 0 else None
    match point:
        case Point(0, y):
            return y
        case Point(x=a, y=b) if a > b:
            return a - b
        case None:
            return -1
    return 0
