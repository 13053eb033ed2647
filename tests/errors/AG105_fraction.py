# call: f(np.arange(3.0))
from fractions import Fraction


def f(x):
    return x * Fraction(1, 2)
