# call: f(np.arange(5.0))


def f(values):
    history = []
    for v in values:
        history.append(v)
    return history
