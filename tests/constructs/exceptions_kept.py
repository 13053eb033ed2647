# group: Exceptions and contexts
# plain: f(0.5, 2)
# plain: f(2.0, 2)
# plain: f(2.0, 0)
# plain: g(2.0, 3)
# staged: f(0.5, np.int64(2))
# staged: f(2.0, np.int64(2))
# staged: f(2.0, np.int64(0))
# staged: g(0.5, np.int64(3))
# staged: g(2.0, np.int64(3))
"""Exceptions in variables, lists and attributes, raised or read later"""


def attempt(x, k):
    if x > k:
        raise ValueError(f"bad {k}")
    if x > 1:
        raise KeyError(k)
    return x * k


def f(x, n):
    last = None
    for k in range(n):
        try:
            return attempt(x, k)
        except (ValueError, KeyError) as error:
            last = error
    raise RuntimeError("no result") from last


def g(x, n):
    errors = []
    for k in range(n):
        try:
            attempt(x, k)
        except (ValueError, KeyError) as error:
            errors.append(error)
    return [f"{type(error).__name__}: {error}" for error in errors]
