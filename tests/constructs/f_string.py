# group: Expressions
# plain: f(3.14159, "text")
# plain: spec(3.14159, 10, 3)
# plain: error(3)
# staged: printed(np.float64(3.14159))
# plain: printed(3.14159)
# refused: text(np.float64(3.14159)) AG101 where the text is used by the program
# plain: text(3.14159)
"""f-strings: conversions, specs, nested fields, `=`"""


def f(x, name):
    return [f"{x}", f"{name!r:>10}|{name!s}|{name!a}", f"{x:.2f}{{}}", f"{x=}", f"{name = !s}", f"a" "b" f"{x:e}"]


def spec(x, width, precision):
    return f"{x:{width}.{precision}f}", f"{x!r:>{width + 5}}", f"{'nested'}", f"{ {'a': 1}['a'] }"


def error(x):
    return f"{x:>q}"


def printed(x):
    print(f"x is {x:.3f}, twice {x * 2:8.2f}")
    return x


def text(x):
    label = f"{x:.1f}"
    return len(label)
