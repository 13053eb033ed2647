# group: Classes
# plain: f(3)
# staged: built_in(np.int64(3))
# plain: built_in(3)
# refused: f(np.int64(3)) AG122 where a method writes into `__dict__`
"""`__getattr__`, `__setattr__`, `getattr`, `setattr`, `hasattr`"""


class Open:
    def __init__(self):
        self.__dict__["seen"] = []

    def __getattr__(self, name):
        if name.startswith("no"):
            raise AttributeError(name)
        return f"made {name}"

    def __setattr__(self, name, value):
        self.seen.append(name)
        self.__dict__[name] = value


def f(x):
    one = Open()
    one.value = x
    setattr(one, "other", x + 1)
    return one.value, getattr(one, "other"), one.missing, hasattr(one, "nothing"), getattr(one, "no", 5), one.seen


class Box:
    def __getattr__(self, name):
        return 5


def built_in(x):
    box = Box()
    setattr(box, "value", x)
    return getattr(box, "value") + box.missing, hasattr(box, "value"), getattr(box, "value", 3)
