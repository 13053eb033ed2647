def outer(ag__):
    def f(x):
        global n
        def if_body():
            global n
            n = x
        ag__.if_stmt(x, if_body, ('n',), 1)
        return n
    return f
