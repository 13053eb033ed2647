# call: f(np.float64(1.0))
import autograph as ag

calls = 0


@ag.py_function
def show() -> None:
    print(calls)


def f(x):
    global calls
    calls += 1
    show()
    return x
