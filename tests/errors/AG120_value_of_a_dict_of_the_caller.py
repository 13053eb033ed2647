# call: f({1: 2, 3: "b"}, np.int64(3))
def f(table, n):
    for k in range(n):
        table[k] = k
    return len(table)
