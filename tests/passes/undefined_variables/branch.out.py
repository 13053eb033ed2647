def outer(ag__):
    def f(c):
        x = ag__.Undefined('x')
        def if_body():
            nonlocal x
            x = 1
        ag__.if_stmt(c, if_body, ('x',), 1)
        return ag__.ld(x)
    return f
