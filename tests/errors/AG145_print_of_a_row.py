# call: f(np.ones(3))
import autograph as ag


def row(x):
    print(x)
    return x


def f(x):
    return ag.vmap(row)(x)
