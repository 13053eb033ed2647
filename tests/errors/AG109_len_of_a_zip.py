# call: f(np.arange(5))
def f(values):
    return len(zip(values, values))
