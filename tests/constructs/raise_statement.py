# group: Exceptions and contexts
# plain: kind(5)
# plain: instance(5)
# plain: cause(5)
# plain: hidden(5)
# plain: not_an_exception(5)
# plain: outside()
# staged: instance(np.int64(5))
# staged: instance(np.int64(-5))
# plain: instance(-5)
# staged: kind(np.int64(5))
"""`raise` of a class, an instance, with `from`"""


def kind(x):
    if x > 0:
        raise ValueError
    return x


def instance(x):
    if x > 0:
        raise ValueError("too large", 3)
    return x - 1


def cause(x):
    if x > 0:
        raise ValueError("too large") from KeyError("cause")
    return x


def hidden(x):
    try:
        raise KeyError(x)
    except KeyError:
        raise ValueError("other") from None


def not_an_exception(x):
    raise x


def outside():
    raise
