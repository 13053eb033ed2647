# call: f(np.int64(1))
def f(k):
    s = slice(k, 3)
    return s.start
