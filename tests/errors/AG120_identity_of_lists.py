# call: f(np.float64(1.0))
def f(x):
    xs = [x]
    ys = xs
    if x > 3:
        xs = []
    return xs is ys
