# call: f(np.int64(5))
def f(n):
    return range(n).stop
