# group: Pattern matching
# plain: f(1)
# plain: f(-2)
# plain: f("a")
# plain: f(None)
# plain: f(True)
# plain: f(2.5)
# plain: f(3 - 4j)
# plain: f([])
# plain: many(4)
# staged: g(np.int64(1))
# staged: g(np.int64(-2))
# staged: g(np.int64(5))
# staged: g(np.float64(2.5))
# staged: g(np.bool_(True))
# staged: f(np.int64(1))
# staged: f(np.float64(2.5))
# staged: f(np.int64(7))
# refused: many(np.int64(1)) AG101 where there are more than twenty cases
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


def g(x):
    match x:
        case True:
            return 1
        case 1 | -2:
            return 2
        case "a" | None | 3 - 4j:
            return 3
        case 2.5:
            return 4
        case _:
            return 5


def many(x):
    match x:
        case 0:
            return 0
        case 1:
            return 1
        case 2:
            return 4
        case 3:
            return 9
        case 4:
            return 16
        case 5:
            return 25
        case 6:
            return 36
        case 7:
            return 49
        case 8:
            return 64
        case 9:
            return 81
        case 10:
            return 100
        case 11:
            return 121
        case 12:
            return 144
        case 13:
            return 169
        case 14:
            return 196
        case 15:
            return 225
        case 16:
            return 256
        case 17:
            return 289
        case 18:
            return 324
        case 19:
            return 361
        case 20:
            return 400
    return -1
