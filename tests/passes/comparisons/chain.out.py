def outer(ag__):
    def f(a, b, c):
        return a < b, ag__.compare(a, 'lt', lambda: ag__.converted_call(b), 'le', lambda: c), ag__.compare(a, 'is_', lambda: b, 'is_not', lambda: c, 'in_', lambda: a)
    return f
