# call: f(np.array([3.0, 1.0, 2.0]))
def f(v):
    for x in v:
        if x > 5:
            return x, x
    return v[0], v[1], v[2]
