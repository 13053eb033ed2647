# group: Functions
# since: 3.12
# plain: f(3)
# staged: f(np.int64(3))
# plain: method(3)
# staged: method(np.int64(3))
"""Type parameters of functions and classes"""


def f[T: int, *Ts, **P](x: T) -> T:
    def inner[U](y: U, z: T = x) -> U:
        if y > 0:
            return y + z
        return z

    class Box[V]:
        def __init__(self, value: V):
            self.value = value

    return inner(x), Box(x).value, str(Box.__type_params__), str(inner.__type_params__)


class Scaled[V]:
    def times[T](self, x: T) -> tuple[T, str]:
        if x > 0:
            x = x * 2
        return x, str((T, V, __class__))


def method(x):
    return Scaled().times(x)
