# call: f(np.int64(3))
from dataclasses import dataclass

import numpy as np


@dataclass
class Point:
    at: np.ndarray


def f(n):
    points = [Point(np.zeros(2)) for _ in range(n)]
    for point in points:
        point.at += 1.0
    return [point.at for point in points]
