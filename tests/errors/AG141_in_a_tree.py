# call: f(np.float64(2.0))
import autograph as ag


def loss(options):
    return options["rate"] ** options["power"]


def f(x):
    return ag.grad(loss)({"rate": x, "power": 3})
