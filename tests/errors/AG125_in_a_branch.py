# call: f(np.float64(1.0))
import autograph as ag


class Counter:
    count = None


counter = Counter()


def f(x):
    if x > 0:
        counter.count = ag.Variable(0)
    return x
