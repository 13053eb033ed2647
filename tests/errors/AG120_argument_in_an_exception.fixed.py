# call: f(Box(1.5), np.bool_(False))
from dataclasses import dataclass


@dataclass
class Box:
    value: float


def f(box, c):
    if c:
        raise ValueError(box.value, "no")
    return box.value
