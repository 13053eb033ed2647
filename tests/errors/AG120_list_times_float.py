# call: f(np.float64(2.0))
def f(x):
    return [1.0] * x
