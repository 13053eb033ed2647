# call: f(np.float64(3.0))
import autograph as ag


def loss(x):
    return x * x, x


def f(x):
    return ag.grad(loss)(x)
