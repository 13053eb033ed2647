# call: f(3.0)


def f(x):
    if x > 0:
        pair = [x, 1.0]
    else:
        pair = [1.0, x]
    return pair
