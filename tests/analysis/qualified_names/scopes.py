import numpy as np


def f(a, b):
    global count
    count = np.pi  # reads names: np, np.pi; modifies: count; reads: ; writes: count
    cache[a] = b.c  # reads names: a, b, b.c, cache; modifies: cache[a]; reads: a, b; writes:
    xs = [x.y + a.b for x in b.items if x[0] == a[x]]  # reads names: a, a.b, b, b.items; modifies: xs
    ys = [[a.b[x] + y.z for y in x.items] for x in b]  # reads names: a, a.b, b; modifies: ys
    zs = {k: (last := v.a) for k, v in a.items()}  # reads names: a, a.items; modifies: last, zs
    g = lambda q=a.b: b.c + q  # reads names: a, a.b; modifies: g
    h = (a.b for x in b.items)  # reads names: b, b.items; modifies: h

    class C(a.b):  # reads names: a, a.b, a.c, b; modifies: C, b.d
        here = a.c
        here.e = here
        b.d = 0

    def g(q=a.b): return b.c  # reads names: a, a.b; modifies: g
