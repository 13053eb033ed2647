def outer(ag__):
    def f(x):
        half = ag__.Undefined('half')
        n = 0
        def set_state(values):
            nonlocal n, x
            n, x = values
        def loop_body():
            nonlocal half, n, x
            half = x / 2
            x = half
            n += 1
        ag__.while_stmt(lambda: x > 1, loop_body, lambda: (n, x), set_state, ('n', 'x'))
        return n, x
    return f
