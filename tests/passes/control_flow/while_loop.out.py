def outer(ag__):
    def f(x):
        if False:
            half = None
        n = 0
        def loop_body():
            nonlocal half, n, x
            half = x / 2
            x = half
            n += 1
        ag__.while_stmt(lambda: x > 1, loop_body, ('n', 'x'))
        return n, x
    return f
