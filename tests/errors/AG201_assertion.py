# call: f(np.arange(5.0))


def f(values):
    total = 0.0
    for v in values:
        total += v
        assert total < 5, f"total is {total}"
    return total
