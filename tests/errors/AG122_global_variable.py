# call: f(np.int64(5))
count = 0


def f(n):
    global count
    if n is not None:
        count = n
    return n
