# call: f(np.arange(3.0), np.int64(5))


from contextlib import ExitStack


def f(xs, i):
    with ExitStack() as stack:
        if xs[0] < i:
            stack.callback(print, "small")
        y = xs[0] * 2.0
    return y
