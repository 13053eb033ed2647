def f(p):
    match p:
        case [0, a] | {"a": a}:
            return a
        case _:
            return p
