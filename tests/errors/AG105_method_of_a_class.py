# call: f(1.5)
def f(x):
    return float.__mul__(2.0, x)
