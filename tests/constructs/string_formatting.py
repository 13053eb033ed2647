# group: Expressions
# plain: f(3, "a")
# plain: missing(3)
# staged: f(np.int64(3), "a")
"""`%` and `str.format`"""


def f(x, name):
    return "%d %s %5.2f" % (x, name, x), "{} {name:>4} {0!r}".format(x, name=name), "%(a)s" % {"a": name}


def missing(x):
    return "{} {}".format(x)
