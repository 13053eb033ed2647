# call: f(np.ones((2, 3)))
import autograph as ag


def row(x):
    found = []
    for v in x:
        found.append([v, v])
    return found


def f(x):
    return ag.vmap(row)(x)
