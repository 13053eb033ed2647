# call: f(np.float64(3))
import autograph as ag

history = []


@ag.do_not_convert
def note(values, x):
    values.append(x)


def f(x):
    note(history, x)
    return x * 2.0
