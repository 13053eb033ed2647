# call: f(np.float64(3))
import autograph as ag

history = []


@ag.py_function
def note(values, x) -> None:
    values.append(x)


def f(x):
    note(history, x)
    return x * 2.0
