# call: f(np.float64(1.0))
class Box:
    def __init__(self, value):
        self.value = value


def f(a):
    one, other = Box(a), Box(2.0)
    if a > 0:
        other = one
    return vars(other)
