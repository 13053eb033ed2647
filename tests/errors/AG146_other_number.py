# call: f(np.float64(3.0))
import autograph as ag


@ag.custom_vjp
def product(x, y):
    return x * y


product.defvjp(lambda x, y: (x * y, (x, y)), lambda kept, cotangent: (cotangent * kept[1],))


def f(x):
    return ag.grad(product)(x, x)
