# group: Functions
# plain: f(3)
# staged: f(np.int64(3))
# plain: cached(3)
"""`functools.partial`, `wraps`, `reduce`, `lru_cache`"""
import functools


def scaled(a, b, c=1):
    if a > 0:
        return a * b + c
    return b - c


def f(x):
    first = functools.partial(scaled, x)
    second = functools.partial(scaled, b=2, c=x)
    total = functools.reduce(lambda a, b: a * 2 + b, [1, x, 3])
    return first(2), first(2, c=5), second(3), total


@functools.lru_cache
def slow(n):
    return n * n


def cached(x):
    first = slow(x)
    second = slow(x)
    info = slow.cache_info()
    return first, second, info.hits, info.misses
