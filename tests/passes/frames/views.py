def f(x, text):
    """Said."""
    for i in range(x):
        if i:
            y = eval(text)
    def inner():
        return lambda a: (x, dir())
    return locals()
