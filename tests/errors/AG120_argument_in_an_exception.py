# call: f(Box(1.5), np.bool_(True))
from dataclasses import dataclass


@dataclass
class Box:
    value: float


def f(box, c):
    if c:
        raise ValueError(box, "no")
    return box.value
