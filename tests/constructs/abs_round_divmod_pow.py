# group: Builtins
# plain: f(-7.5, 2.0)
# plain: f(-7, 2)
# staged: f(np.float64(-7.5), np.float64(2.0))
# staged: f(np.int64(7), np.int64(2))
# plain: rounded(2.675)
# staged: whole(np.float64(2.5))
# staged: whole(np.float64(-0.5))
# plain: whole(2.5)
# staged: rounded(np.float64(2.675))
# staged: rounded(np.float32(-0.25))
# staged: to_tens(np.int64(1234))
# staged: of_python_float(np.float64(2.675))
# staged: of_python_float(np.float64(-1e22))
# staged: whole(np.array([2.5]))
# staged: modular_of_numpy(np.int64(3))
# staged: modular_of_int(np.int64(3))
# plain: modular(7)
# staged: numbers(np.int64(5))
# plain: numbers(5)
"""`abs`, `round`, `divmod`, `pow`"""


def f(a, b):
    return abs(a), divmod(a, b), pow(a, b)


def rounded(x):
    return round(x), round(x, 1)


def whole(x):
    return round(x)


def to_tens(n):
    return round(n, -1), round(n, 1)


def of_python_float(x):
    return round(float(x), 2)


def modular_of_numpy(n):
    return pow(n, 2, 5)


def modular_of_int(n):
    return pow(int(n), 2, 5)


def modular(x):
    return pow(x, 5, 3), pow(x, -1, 5), round(x), round(12345, -2)


def numbers(n):
    total = -50
    for i in range(n):
        quotient, rest = divmod(total, 7)
        total = abs(total) - i + quotient * pow(i, 2) - rest + round(total)
    return total
