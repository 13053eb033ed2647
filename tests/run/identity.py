# run: bools(np.float64(1.0))
# run: bools(np.float64(-1.0))
# run: none(np.float64(1.0), None)
# run: none(np.float64(1.0), np.float64(2.0))
# run: chained(np.float64(1.0))
# run: classes(np.float64(1.0), np.int64(3), np.ones(2))
# run: attributes_of_numbers(np.float64(1.5), np.int64(3))
# run: missing_attributes(np.float64(1.5), np.int64(3), np.ones(2))
# run: sequences(np.int64(1))
# run: arrays(np.ones(2), np.ones(2))
# run: in_a_generator(np.float64(1.0))
import operator

import numpy as np


def bools(x):
    flag = bool(x > 0)
    if flag is True:
        y = 1
    else:
        y = 2
    return y, flag is False, flag is not True, flag is (not flag), operator.is_(flag, True)


def none(x, y):
    return x is None, y is None, x is not None, int(x) is not None, None is y, x is x


def chained(x):
    flag = bool(x > 0)
    return flag is flag is True, (x > 0) is True


def classes(x, n, a):
    same = type(x) is np.float64, x.__class__ is np.float64, type(n) is int, type(int(n)) is int
    return same, type(a) is np.ndarray, type(float(n))(3), type(x > 0) is bool, type(bool(n)) is bool


def attributes_of_numbers(x, n):
    k, f, b = int(n), float(x), bool(n)
    return k.real, k.imag, k.numerator, k.denominator, f.real, f.imag, b.real, k.conjugate(), f.is_integer()


def missing_attributes(x, n, a):
    k = int(n)
    try:
        size = k.size
    except AttributeError as error:
        size = str(error)
    found = [hasattr(value, "shape") for value in (x, n, k, float(x), a)]
    names = [hasattr(a, name) for name in ("kind", "value_id", "memory", "sum", "append", "read", "name")]
    return size, found, names, getattr(k, "dtype", None), getattr(a, "name", "none"), getattr(a, "ndim", 0)


def sequences(n):
    k = int(n)
    return k == [1], k != (1,), k == "1", [1] == k


def arrays(a, b):
    c = a
    return a is b, a is c, a is not b, a + b is a


def in_a_generator(x):
    flag = True
    return [value for value in (item is True for item in (flag, 1))], x
