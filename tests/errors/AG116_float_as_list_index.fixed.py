# call: f(np.int64(1), np.float64(1.0))
def f(n, x):
    xs = [x, x * 2]
    for _ in range(n):
        xs.append(x)
    return xs[int(x)]
