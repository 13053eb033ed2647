# call: f(np.float64(3.0))
import pdb


def f(x):
    if x > 2:
        pdb.set_trace()
    return x * 2
