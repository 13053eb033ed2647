def f(c):
    try:
        x = c()
        y = x
    except KeyError as error:
        z = error
        print(x)  # unbound: x
    else:
        print(x, y)
    print(y)  # unbound: y
    print(error)  # unbound: error
    try:
        w = c()
    finally:
        print(w)  # unbound: w
    print(w)
    with c:
        v = 1
    print(v)  # unbound: v
