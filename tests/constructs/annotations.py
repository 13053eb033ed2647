# group: Functions
# plain: f(3)
# staged: f(np.int64(3))
# plain: evaluated(3)
"""Annotations of parameters and results"""


def f(x: int, *rest: str, y: "later" = 2, **others: dict) -> list:
    return x + y


def evaluated(x):
    seen = []

    def inner(a: seen.append("a"), b: (lambda: seen.append("lambda")) = 1) -> seen.append("result"):
        return a

    return sorted(inner.__annotations__)
