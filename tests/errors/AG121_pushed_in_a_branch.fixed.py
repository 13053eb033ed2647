# call: f(np.arange(3.0), np.int64(5))


from contextlib import ExitStack


def f(xs, i):
    if xs[0] < i:
        with ExitStack() as stack:
            stack.callback(print, "small")
            y = xs[0] * 2.0
    else:
        y = xs[0] * 2.0
    return y
