def f(xs):
    for x in xs:
        match x:
            case 0:
                continue
        try:
            if g(x):
                continue
            h(x)
        except ValueError:
            continue
