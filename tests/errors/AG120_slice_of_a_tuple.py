# call: f((1.0, 2.0, 3.0), np.int64(1))
def f(t, k):
    return t[k:]
