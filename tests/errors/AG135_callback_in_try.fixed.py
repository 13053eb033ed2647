# call: f(np.float64(1.0))
import autograph as ag


@ag.py_function(result=float)
def rounded(x):
    try:
        return round(float(x), 2)
    except ValueError:
        return float("nan")


def f(x):
    y = rounded(x)
    return 0.0 if y != y else y
