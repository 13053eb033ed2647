# call: f(np.float64(1.0))
import autograph as ag

calls = 0


@ag.py_function
def show(count) -> None:
    print(count)


def f(x):
    show(calls + 1)
    return x
