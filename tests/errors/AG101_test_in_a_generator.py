# call: f(np.arange(4.0))
def large(values):
    for value in values:
        try:
            value = value * 2
        finally:
            if value > 1:
                yield value


def f(x):
    total = 0.0
    for value in large(x):
        total += value
    return total
