def f(x):
    for i in range(x):
        try:
            if g(i):
                return i
        finally:
            h()
        if i > 3:
            x += 1
    return x
