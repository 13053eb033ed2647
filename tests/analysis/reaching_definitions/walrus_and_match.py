def f(c):
    if (n := c()) > 1:
        print(n)
    print(n)
    c and (m := 1)
    print(m)  # unbound: m
    match c:
        case [a, *b]:
            print(a, b)
        case {"k": k, **rest} if k:
            print(k, rest)
        case other:
            print(other)
    print(a)  # unbound: a
    match c:
        case 1:
            z = 1
        case _:
            z = 2
    print(z)
    while True:
        w = 1
        if w:
            break
    print(w)
