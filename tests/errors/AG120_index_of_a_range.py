# call: f(np.int64(5))
def f(n):
    numbers = range(n)
    return numbers[-1]
