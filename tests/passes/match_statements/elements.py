def f(x, y):
    match x, g(y):
        case 0, _:
            return 1
        case (a, 0) | (0, a) if a > 2:
            return a
        case a, *rest:
            return a, rest
        case a, b, c:
            return 0
