# call: f(np.float64(1.0))
import autograph as ag

total = ag.Variable(0.0)


def f(x):
    total.assign(0.0)
    total.assign_add(x)
    return total.value
