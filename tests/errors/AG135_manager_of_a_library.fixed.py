# call: f(np.arange(3.0), np.int64(1))
def f(xs, i):
    y = -1.0
    if i + 2 < len(xs):
        y = xs[i + 2]
    return y
