# group: Pattern matching
# plain: f(["go", "skip", "go", "stop", "go"], 4)
# staged: f(["go", "skip", "go", "stop", "go"], np.int64(4))
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
