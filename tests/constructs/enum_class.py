# group: Classes
# plain: f("RED", 3)
# staged: f("RED", np.int64(3))
# staged: f("BLUE", np.int64(3))
"""Enumerations"""
import enum


class Color(enum.Enum):
    RED = 1
    BLUE = enum.auto()

    def scaled(self, x):
        if self is Color.RED:
            return x * 10
        return x + self.value


class Flags(enum.IntFlag):
    A = 1
    B = 2


def f(name, x):
    color = Color[name]
    return color.scaled(x), [one.name for one in Color], (Flags.A | Flags.B).value, Color(2).name
