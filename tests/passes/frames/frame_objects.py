def f(x):
    def name():
        return inspect.currentframe().f_code.co_name
    if x:
        return name()
    return np.stack(x)
