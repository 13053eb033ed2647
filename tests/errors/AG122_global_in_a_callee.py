# call: f(np.float64(-1.0))

calls = 0


def note():
    global calls
    calls += 1


def f(x):
    if x > 0:
        note()
    return x
