# group: Builtins
# plain: f(12, 18)
# staged: f(np.int64(12), np.int64(18))
# staged: methods(np.int64(12))
# plain: methods(12)
"""`math.gcd`, `lcm`, `isqrt`, `comb`, `perm`, `factorial`, `n.bit_length()`, `n.bit_count()`"""

import math


def f(a, b):
    return math.gcd(a, b), math.lcm(a, b), math.isqrt(a), math.comb(b, a), math.perm(a, 2), math.factorial(a)


def methods(a):
    n = int(a)
    return n.bit_length(), n.bit_count()
