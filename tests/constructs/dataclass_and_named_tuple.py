# group: Classes
# plain: f(3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# plain: text(3)
"""Dataclasses, `NamedTuple`, `namedtuple`"""
import collections
import dataclasses
from typing import NamedTuple


@dataclasses.dataclass
class Point:
    x: object
    y: object = 2
    seen: list = dataclasses.field(default_factory=list)

    def moved(self, by):
        return dataclasses.replace(self, x=self.x + by)

    def length(self):
        if self.x > 0:
            return self.x + self.y
        return self.y - self.x


class Pair(NamedTuple):
    first: object
    second: object = 5

    def total(self):
        return self.first + self.second


Row = collections.namedtuple("Row", "a b")


def f(x):
    pair = Pair(x)
    row = Row(1, b=x)._replace(a=x)
    first, second = pair
    return Point(x).moved(1).length(), pair.total(), row.a + row.b, first * second, pair[1]


def text(x):
    return repr(Point(x)), Point(x) == Point(x), repr(Pair(x)), Row(1, x)._asdict()
