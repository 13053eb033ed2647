# group: Builtins
# plain: f(2.75)
# plain: f(-2.75)
# staged: f(np.float64(2.75))
# staged: f(np.float64(-2.75))
# staged: f(np.int64(0))
# plain: not_a_number(float("nan"))
# plain: text("12")
# plain: conversions(65)
# staged: conversions(np.int64(65))
"""`int`, `float`, `bool`, `complex`, `str`, `chr`, `hex`"""


def f(x):
    return int(x), float(x), bool(x), int(bool(x)) + 1


def not_a_number(x):
    return int(x)


def text(x):
    return int(x), float(x), int(x, 16), bool(x)


def conversions(x):
    return chr(x), hex(x), str(x), bin(x), repr(x), ascii(x), complex(x).real
