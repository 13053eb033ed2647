# call: f(np.float64(1.0))
import autograph as ag


@ag.do_not_convert
def is_positive(x):
    return bool(x > 0)


def f(x):
    if is_positive(x):
        return 1
    return 0
