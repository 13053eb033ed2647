def f(x):
    for i in range(x):
        try:
            if g(i):
                return i
        except ValueError:
            h()
        finally:
            if k(i):
                break
            m()
        x += 1
    return x
