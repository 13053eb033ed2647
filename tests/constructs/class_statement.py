# group: Classes
# plain: f(3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# plain: names()
"""Classes in functions: methods, class attributes, control flow in the body"""


def f(x):
    class Local:
        shared = 10
        for i in range(3):
            shared += i
        if shared > 12:
            def chosen(self):
                return self.value + self.shared
        else:
            def chosen(self):
                return 0

        def __init__(self, value):
            self.value = value

        def scaled(self, factor):
            return self.value * factor + x

    made = Local(x)
    return made.chosen(), made.scaled(2), Local.shared


def names():
    class Local:
        def method(self):
            pass

    return Local.__name__, Local.__qualname__, Local.method.__qualname__, Local.__module__
