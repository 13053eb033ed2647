# group: Entities
# plain: bound(3)
# staged: bound(np.int64(3))
# plain: of_class(3)
# staged: of_class(np.int64(-3))
# plain: static(3)
# staged: static(np.int64(3))
# staged: callable_object(np.int64(3))
# plain: through_instance(3)
# staged: through_instance(np.int64(3))
"""Methods, class methods, static methods, callable objects"""


class Scale:
    shared = 3

    def __init__(self, factor):
        self.factor = factor

    def apply(self, x):
        if x > 0:
            return x * self.factor
        return x

    @classmethod
    def of_class(cls, x):
        return x * cls.shared if x > 0 else x

    @staticmethod
    def static(x):
        while x < 10:
            x = x * 2
        return x

    def __call__(self, x):
        return self.apply(x) + 1


bound = Scale(5).apply
of_class = Scale.of_class
static = Scale.static


def callable_object(x):
    return Scale(4)(x)


def through_instance(x):
    scale = Scale(2)
    method = scale.apply
    return method(x), Scale.apply(scale, x), scale.of_class(x), scale.static(x), list(map(scale.apply, [x, 2]))
