# group: Pattern matching
# plain: f(1)
# plain: f(-2)
# plain: f("a")
# plain: f(None)
# plain: f(True)
# plain: f(2.5)
# plain: f(3 - 4j)
# plain: f([])
# refused: f(np.int64(1)) AG101
"""Literal patterns, alternatives, the wildcard"""


def f(x):
    match x:
        case True:
            return "true"
        case 1 | -2:
            return "number"
        case "a":
            return "string"
        case None:
            return "none"
        case 2.5:
            return "float"
        case 3 - 4j:
            return "complex"
        case _:
            return "other"
