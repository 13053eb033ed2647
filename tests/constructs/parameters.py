# group: Functions
# plain: f(1, 2)
# plain: f(1, 2, 3, 4, d=5, e=6)
# plain: f(1, b=2)
# plain: f()
# plain: f(1, a=3)
# staged: f(np.int64(1), 2, np.int64(3), d=np.int64(5), e=6)
# plain: keyword_only(1)
# staged: keyword_only(x=np.int64(1))
# plain: keyword_only(x=1)
"""Parameters: positional only, keyword only, `*args`, `**kwargs`"""


def f(a, /, b, *rest, d=10, **others):
    if a > 0:
        b = b + d
    return a, b, rest, others


def keyword_only(*, x, y=2):
    return x + y
