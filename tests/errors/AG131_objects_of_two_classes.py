# call: f(np.int64(3))
from dataclasses import dataclass


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float


def f(n):
    shapes = []
    for i in range(n):
        if i % 2 == 0:
            shapes.append(Circle(1.0 * i))
        else:
            shapes.append(Square(2.0 * i))
    return shapes
