# call: f(np.int64(3))
from dataclasses import dataclass


@dataclass
class Point:
    x: float


def f(n):
    points = []
    for i in range(n):
        points.append(Point(1.0 * i))
    points[0].colour = 1
    return points
