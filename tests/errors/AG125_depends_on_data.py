# call: f(np.float64(1.0))
import autograph as ag


def f(x):
    return ag.Variable(x) + 1
