# group: Exceptions and contexts
# plain: f(0)
# plain: f(1)
# plain: f(2)
# plain: f(3)
# staged: g(np.int64(3))
# plain: g(3)
"""`try` … `except*`"""


def f(kind):
    seen = []
    try:
        if kind == 0:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2), ValueError(3)])
        if kind == 1:
            raise ValueError("alone")
        if kind == 2:
            raise ExceptionGroup("g", [KeyError(1)])
    except* ValueError as group:
        seen.append([str(one) for one in group.exceptions])
    except* (TypeError, OSError) as group:
        seen.append(repr(group))
    else:
        seen.append("else")
    finally:
        seen.append("finally")
    return seen


def g(x):
    try:
        y = x + 1
        raise ExceptionGroup("g", [ValueError("inner")])
    except* ValueError:
        z = y * 2
    return z
