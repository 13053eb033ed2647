def f(x, c):
    del x
    print(x)  # unbound: x
    x = 1
    while c:
        print(x)  # unbound: x
        del x  # unbound: x
        if c > 2:
            x = 3
    n += 1  # unbound: n
    import a.b, c.d as e
    print(a, e)
