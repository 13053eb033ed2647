# call: f(np.int64(8))
import operator


def f(n):
    return operator.concat(b"12", n)
