# call: f(np.float64(3.0))
import autograph as ag


@ag.custom_vjp
def clipped(x):
    return x


clipped.defvjp(lambda x: (x, None), lambda _, cotangent: (cotangent,))


def f(x):
    return ag.jvp(lambda x: clipped(x) * x, (x,), (1.0,))[1]
