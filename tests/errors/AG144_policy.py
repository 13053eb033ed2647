# call: f(np.float64(3.0))
import autograph as ag


def f(x):
    return ag.grad(ag.checkpoint(lambda y: y * y, policy="dots"))(x)
