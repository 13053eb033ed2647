# call: f(np.float64(1.0))
import autograph as ag


@ag.py_function
def rounded(x):
    return round(float(x), 2)


def f(x):
    return rounded(x) + 1
