"""Smooth programs with effects: what they print, what they append to a list of their module, and how often.

Values that are printed show those of the forward pass, to the last digit.

>>> "print(" in EffectWriter(2).program()
True
"""

from __future__ import annotations

from fuzzer.avoided import AVOIDED
from fuzzer.smooth_writer import SmoothWriter

TELLING = """\
def told(u):
    print('told', u)
    return u * 0.9
def counted(u, k):
    for i in range(k % 3):
        LOG.append(i)
        u = np.cos(u) * 0.8
    return u
"""

EFFECTS = (
    "print(E)",
    "print('at', n, A)",
    "print('sum', np.sum(A))",
    "LOG.append(n)",
    "LOG.append(E)",
    "LOG.append(A.copy())",
    "c = told(E)",
)


class EffectWriter(SmoothWriter):
    """Writes the program of a seed, of what most programs that are differentiated as source are made of.

    Args:
        seed: Which program.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.of_one += ("told({})", "counted({}, n)")

    def features(self) -> None:
        """Draws what the program is made of; what makes a whole program one that is refused is rare."""
        super().features()
        self.has_rules = False
        self.has_object &= self.chance() < 0.2
        self.has_closure &= self.chance() < 0.2
        if "an item of another shape" in AVOIDED:
            self.has_rows = self.has_grid = False
        self.has_complex &= self.chance() < 0.5

    def program(self) -> str:
        """The program: ``f(a, b, x, n)``."""
        return TELLING + super().program()

    def statement(self, indent: int, depth: int, in_loop: bool) -> None:
        if self.chance() < 0.12:
            self.line(indent, self.filled(self.choice(EFFECTS)))
        super().statement(indent, depth, in_loop)
