# run: chance_below(0.5, 1.0)
# run: chance_below(-3.0, 0.0)
# run: chance_below(float("inf"), 0.0)
# run: chance_below(float("nan"), 0.0)
# run: total(np.linspace(-3.0, 3.0, 7))
# run: of_a_whole_number(2)
# run: of_a_whole_number(-7)
# run: of_a_truth(True)
# run: inverse(0.3)
import math

import numpy as np


def chance_below(x, mean):
    """How likely a normal number is below another."""
    if x == mean:
        return 0.5
    return 0.5 * (1.0 + math.erf((x - mean) / math.sqrt(2.0)))


def total(xs):
    result = 0.0
    for x in xs:
        result += math.erf(x)
    return result


def of_a_whole_number(n):
    return math.erf(n)


def of_a_truth(flag):
    return math.erf(flag)


def inverse(y):
    x = y
    while abs(math.erf(x) - y) > 1e-13:
        x -= (math.erf(x) - y) * math.sqrt(np.pi) / 2 * math.exp(x * x)
    return x
