# call: f(np.int64(1))


def f(n):
    if n > 0:
        f(n - 1)
    return {"n": n}
