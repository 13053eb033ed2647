# call: f([[1.0], [1.0]])
def f(pairs):
    return pairs[0] is pairs[1]
