# call: f(3.0)


def f(x):
    pair = [1.0, 1.0]
    if x > 0:
        pair[0] = x
    else:
        pair[1] = x
    return pair
