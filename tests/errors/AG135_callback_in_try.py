# call: f(np.float64(1.0))
import autograph as ag


@ag.py_function(result=float)
def rounded(x):
    return round(float(x), 2)


def f(x):
    try:
        return rounded(x)
    except ValueError:
        return 0.0
