# call: f(np.float64(3.0))
import autograph as ag


@ag.custom_vjp
def square(x):
    return x * x


def f(x):
    return ag.grad(square)(x)
