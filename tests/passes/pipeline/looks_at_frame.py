def f(x):
    return locals()
