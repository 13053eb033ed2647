# call: f(np.int64(1), np.float64(1.0))
def f(n, x):
    xs = [1.0, 2.0]
    for _ in range(n):
        xs.append(x)
    return xs[int(x)]
