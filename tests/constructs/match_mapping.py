# group: Pattern matching
# plain: f({"kind": "a", "value": 3})
# plain: f({"kind": "b", "x": 1, "y": 2})
# plain: f({})
# plain: f([])
# staged: f({"kind": "a", "value": np.int64(3)})
# staged: f({"kind": "b", "x": np.int64(1), "y": 2})
# staged: g({"x": np.int64(0), "y": 2})
# staged: g({"x": np.int64(3), "y": 2})
"""Mapping patterns"""


def f(table):
    match table:
        case {"kind": "a", "value": value}:
            return value + 1
        case {"kind": "b", **rest}:
            return rest
        case {}:
            return "a mapping"
        case _:
            return "none"


def g(table):
    match table:
        case {"x": 0, **rest}:
            return rest["y"]
        case {"x": x, "y": y} if x > y:
            return x - y
    return -1
