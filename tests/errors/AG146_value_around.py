# call: f(np.float64(3.0))
import autograph as ag


def loss(w):
    @ag.custom_vjp
    def scaled(x):
        return w * x

    scaled.defvjp(lambda x: (w * x, None), lambda _, cotangent: (cotangent,))
    return scaled(w * w)


def f(w):
    return ag.grad(loss)(w)
