# call: f(np.float64(100.0))
import autograph as ag


def f(x):
    while x > 1.0:
        ag.set_loop_options(maximum_iterations=3)
        x = x / 2
    return x
