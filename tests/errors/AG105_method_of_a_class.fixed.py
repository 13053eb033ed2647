# call: f(1.5)
def f(x):
    return 2.0 * x
