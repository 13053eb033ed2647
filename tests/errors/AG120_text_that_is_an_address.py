# call: f(Box(1.5))
from dataclasses import dataclass


@dataclass(repr=False)
class Box:
    value: float


def f(box):
    print(box)
    return box.value
