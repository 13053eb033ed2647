# group: Pattern matching
# plain: f({"kind": "a", "value": 3})
# plain: f({"kind": "b", "x": 1, "y": 2})
# plain: f({})
# plain: f([])
# staged: f({"kind": "a", "value": np.int64(3)})
# staged: f({"kind": "b", "x": np.int64(1), "y": 2})
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
