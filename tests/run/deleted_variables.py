# run: read_by_a_closure(np.float64(-1.0))
# raises: read_by_a_closure(np.float64(1.0)) NameError
# run: bound_again(np.float64(1.0))
# run: bound_again(np.float64(-1.0))
# run: in_one_branch(np.float64(-1.0))
# raises: in_one_branch(np.float64(1.0)) UnboundLocalError
# run: set_in_one_branch(np.float64(1.0))
# raises: set_in_one_branch(np.float64(-1.0)) NameError
"""Variables that a staged branch unbinds, or leaves unbound, also where a closure reads them."""


def read_by_a_closure(x):
    n = x * 2

    def read():
        return n

    if x > 0:
        del n
    return read()


def bound_again(x):
    n = x * 2

    def read():
        return n

    if x > 0:
        del n
        n = x * 3
    return read()


def in_one_branch(x):
    n = x * 2
    if x > 0:
        del n
    return n


def set_in_one_branch(x):
    def read():
        return n

    if x > 0:
        n = x
    result = read()
    n = 0.0
    return result + n
