# call: f(np.ones(3))
import autograph as ag


@ag.custom_jvp
def double(x):
    return 2 * x


@double.defjvp
def rule(primals, tangents):
    return double(*primals), 2 * tangents[0]


def f(x):
    return ag.jvp(double, (x,), (x,))[1]
