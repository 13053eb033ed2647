# call: f({1: 2, 3: 0}, ["b"], np.int64(3))
def f(table, texts, n):
    for k in range(n):
        table[k] = k
    return len(table)
