def outer(ag__):
    def f(g, *a, **k):
        return ag__.converted_call(g), ag__.callee(g)(1, *ag__.walked(a), b=2, **k), ag__.converted_call(g.m, ag__.converted_call(g, a)), globals()
    return f
