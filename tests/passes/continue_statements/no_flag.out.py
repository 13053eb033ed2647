def outer(ag__):
    def f(xs):
        x = ag__.Undefined('x')
        total = 0
        def set_state(values):
            nonlocal total
            total, = values
        get_state = lambda: (total,)
        def if_body():
            nonlocal total
            total += x
        def loop_body(item):
            nonlocal x
            x = item
            ag__.if_stmt(ag__.not_(x < 0), if_body, None, get_state, set_state, ('total',), 1)
        ag__.for_stmt(xs, None, loop_body, get_state, set_state, ('total',))
        return total
    return f
