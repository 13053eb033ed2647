# call: f(np.float64(1.0))
def f(x):
    xs = [x, 2.0]
    ys = xs
    if x > 3:
        ys = [x, x]
    xs[1] += 1
    return ys
