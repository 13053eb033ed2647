# call: f(np.int64(3))
def f(n):
    found = []
    count = 0
    while n > 0:
        return found, count
    return found, 1
