# run: after_a_break(np.int64(1)) == 1
# run: after_a_break(np.int64(-1)) == 7
# run: found(np.array([3, 5, 8]))
# run: with_else(np.int64(4))
# raises: unbound_after_a_break(np.int64(1)) UnboundLocalError
# run: unbound_after_a_break(np.int64(0))
# raises: free_variable(np.int64(-1)) NameError
"""`while True` that is left by `break`: what stands after it is reached."""


def after_a_break(a):
    n = 1
    if a < 0:
        n = 7
    while True:
        break
    return n


def found(xs):
    i = 0
    last = -1
    while True:
        if xs[i] % 2 == 0:
            break
        last = xs[i]
        i += 1
    return i, last


def with_else(n):
    k = 0
    while True:
        k += 1
        if k * k >= n:
            break
    else:
        k = -1
    m = k + 1
    return m


def unbound_after_a_break(a):
    if a:
        pass
    else:
        n = a
    while True:
        break
    return n + 1


def free_variable(x):
    if x > 0:
        n = x

    def read():
        return n

    return read()
