def f(a, i):
    a[i + 1] = 0  # reads names: a, i; modifies: ; reads: a, i
    a[1:] = a[i:]  # reads names: a, i; modifies:
    a.b[i:].c = 0  # reads names: a, a.b, i; modifies:
    a(i).b = 0  # reads names: a, i; modifies:
    (a if i else f).b = 0  # reads names: a, f, i; modifies:
    a[a[i]] = a[f(i)]  # reads names: a, a[i], f, i; modifies: a[a[i]]
