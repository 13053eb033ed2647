# call: f(np.array([1.0, 2.0]), np.bool_(True))


def f(x, c):
    v = x
    if c:
        v = x / 2
    return {"v": v}
