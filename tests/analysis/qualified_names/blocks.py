def f(a, b, c):
    for a.i in b.items:  # reads names: a, b, b.items; modifies: a.i
        a.sum += a.i  # reads names: a, a.i, a.sum; modifies: a.sum
    while a.n > c[0]:  # reads names: a, a.n, c, c[0]; modifies:
        a.n -= 1  # reads names: a, a.n; modifies: a.n
    if a.b and (x := c.d):  # reads names: a, a.b, c, c.d; modifies: x; may write: x
        pass
    with a.lock as b.held:  # reads names: a, a.lock, b; modifies: b.held
        pass
    try:  # reads names: c, c.Error; modifies: e
        pass
    except c.Error as e:
        e.seen = a.b  # reads names: a, a.b, e; modifies: e.seen
    match a.b:  # reads names: a, a.b, c, c.d; modifies: rest
        case [c.d, *rest]:
            pass
