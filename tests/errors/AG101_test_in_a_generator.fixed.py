# call: f(np.arange(4.0))
def large(values):
    for value in values:
        value = value * 2
        if value > 1:
            yield value


def f(x):
    total = 0.0
    for value in large(x):
        total += value
    return total
