# call: f(np.float64(1.0), np.bool_(True))


def f(x, c):
    best = None
    if c:
        best = x
    return {"best": best}
