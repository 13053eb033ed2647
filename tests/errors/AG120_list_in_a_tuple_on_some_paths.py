# call: f(np.int64(3))
def f(n):
    found = []
    while n > 0:
        return (found,)
    return None
