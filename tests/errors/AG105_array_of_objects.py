# call: f(Point(2.0), Point(3.0), np.bool_(True))
from dataclasses import dataclass

import numpy as np


@dataclass
class Point:
    x: float


def f(one, other, is_first):
    found = one if is_first else other
    return np.append(found, 1)
