def outer(ag__):
    def f(c):
        x = ag__.Undefined('x')
        def set_state(values):
            nonlocal x
            x, = values
        def if_body():
            nonlocal x
            x = 1
        ag__.if_stmt(c, if_body, None, lambda: (x,), set_state, ('x',), 1)
        return ag__.ld(x)
    return f
