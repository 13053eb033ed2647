# group: Expressions
# plain: f(3)
# staged: f(np.int64(3))
"""Literals of every kind"""


def f(x):
    integers = [1_000, 0xFF, 0o17, 0b101, 123456789012345678901234567890]
    floats = [1.5, 1e-3, 0.1e1_0, .5, 5.]
    strings = ["a" "b", 'c\n', r"\d", """d
    e""", "\u00e9\N{BULLET}"]
    octets = [b"a\x00", rb"\d"]
    return integers, floats, strings, octets, x + 1_0, True, False, None
