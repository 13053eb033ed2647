# call: f(np.float64(2.0), np.int64(2))
import autograph as ag


def derivative(x, n):
    if n == 0:
        return x * x * x
    return ag.grad(lambda y: derivative(y, n - 1))(x)


def f(x, n):
    return derivative(x, n)
