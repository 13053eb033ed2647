# call: f(np.ones(2))
import autograph as ag


def f(x):
    return ag.vmap(lambda row: row + 1.0, axis_size=3)(x)
