# group: Pattern matching
# plain: f(["go", "skip", "go", "stop", "go"], 4)
# staged: f(["go", "skip", "go", "stop", "go"], np.int64(4))
# plain: g([1, 0, 2, 7, 3], 4)
# staged: g(np.array([1, 0, 2, 7, 3]), np.int64(4))
# staged: g(np.array([1, 0, 9, 7, 3]), np.int64(4))
"""`match` in a loop, with `break`, `continue`, `return`"""


def f(commands, x):
    for command in commands:
        match command:
            case "skip":
                continue
            case "stop":
                break
            case "leave":
                return -1
            case _:
                x = x * 3
        x = x + 1
    return x


def g(commands, x):
    for command in commands:
        match command:
            case 0:
                continue
            case 7:
                break
            case 9:
                return -1
            case n if n > 1:
                x = x * n
        x = x + 1
    return x
