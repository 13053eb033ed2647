def outer(ag__, __class__):
    def f(self, x):
        ag__.converted_call(super(__class__, self).f, x)
        return __class__
    return f
