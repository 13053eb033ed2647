# call: f(np.ones(3))
import autograph as ag


def f(x):
    _, pull = ag.vjp(lambda x: {"double": 2 * x}, x)
    return pull(x)
