def f(x):
    for i in range(x):
        try:
            g(i)
        except ValueError, TypeError:
            if i > 2:
                break
    try:
        g(x)
    except* KeyError, IndexError:
        x += 1
    return x
