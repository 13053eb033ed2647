def f(x, flag):
    match x:
        case 0:
            y = 1
        case 1 | 2 if flag:
            y = 2
        case None | -3.5 | limits.LOWEST:
            y = 3
        case n if n > 9:
            y = n
        case _:
            y = 4
    return y
