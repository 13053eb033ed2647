def f(a, b, c):
    x = a + b  # reads: a, b; writes: x
    x += c  # reads: c, x; writes: x
    a[b] = c.d  # reads: a, b, c
    a.b += x  # reads: a, x
    y, *z = a  # reads: a; writes: y, z
    del y  # reads: y; unbinds: y
    n: b = 1  # writes: n
    import os.path  # writes: os
    from os import path as p  # writes: p
    a and (w := b)  # reads: a, b; may write: w
    v = (u := a) + 1  # reads: a; writes: u, v
    return x  # reads: x
