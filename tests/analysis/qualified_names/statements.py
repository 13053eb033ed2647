def f(a, b, c, i, j):
    x = a.b  # reads names: a, a.b; modifies: x; reads: a; writes: x
    a.b = c  # reads names: a, c; modifies: a.b; reads: a, c; writes:
    a.b.c = c.d.e  # reads names: a, a.b, c, c.d, c.d.e; modifies: a.b.c
    a[i] = c  # reads names: a, c, i; modifies: a[i]; writes:
    a[i, j] = c  # reads names: a, c, i, j; modifies: a[i, j]
    a[i].c = 1  # reads names: a, a[i], i; modifies: a[i].c
    a[0], (b.c, *x) = c  # reads names: a, b, c; modifies: a[0], b.c, x
    a["k"] = a['k'] + a[-1]  # reads names: a, a['k'], a[-1]; modifies: a['k']
    a.b += c  # reads names: a, a.b, c; modifies: a.b
    a[i] -= a[j]  # reads names: a, a[i], a[j], i, j; modifies: a[i]
    x += a.b  # reads names: a, a.b, x; modifies: x; reads: a, x; writes: x
    del a.b  # reads names: a; modifies: a.b; unbinds:
    del a[i].c  # reads names: a, a[i], i; modifies: a[i].c
    del x  # reads names: ; modifies: x; unbinds: x
    a.b: i = c  # reads names: a, c; modifies: a.b
    a.c: i  # reads names: a, i; modifies:
    a.append(c.d)  # reads names: a, a.append, c, c.d; modifies:
    assert a.b  # reads names: a, a.b; modifies:
    import os.path  # reads names: ; modifies: os
    return a[b.c].d  # reads names: a, a[b.c], a[b.c].d, b, b.c; modifies:
