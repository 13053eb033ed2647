# call: f(np.float64(1.0))
import autograph as ag


def f(x):
    total = ag.Variable(0.0)
    total.assign_add(x)
    return total.value
