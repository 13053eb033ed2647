# call: f(np.ascontiguousarray(np.asfortranarray(np.ones((2, 3)))))


def f(x):
    flat = x.ravel()
    flat[1] = 5.0
    return x
