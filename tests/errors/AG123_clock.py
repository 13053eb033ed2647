# call: f(np.float64(1.0))
import datetime


def f(x):
    return x * datetime.datetime.now().second
