# group: Classes
# plain: f(3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# plain: local(3)
# staged: local(np.int64(3))
# plain: missing(3)
"""Private names"""


class Box:
    __shared = 5

    def __init__(self, value):
        self.__value = value

    def __doubled(self):
        return self.__value * 2

    def result(self):
        __local = self.__shared
        if self.__value > 0:
            self.__value += 1
        return self.__doubled() + __local + Box.__shared

    def wrong(self):
        return self.__missing


def f(x):
    box = Box(x)
    return box.result(), box._Box__value


def local(x):
    class _Local:
        def __init__(self):
            self.__value = x

        def result(self):
            return (lambda: self.__value)()

    return _Local().result(), _Local()._Local__value


def missing(x):
    return Box(x).wrong()
