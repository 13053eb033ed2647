def outer(ag__):
    def f(xs):
        did_continue, x = ag__.Undefined('did_continue'), ag__.Undefined('x')
        total = 0
        def set_state(values):
            nonlocal total
            total, = values
        get_state = lambda: (total,)
        def set_state_1(values):
            nonlocal did_continue, total
            did_continue, total = values
        get_state_1 = lambda: (did_continue, total)
        def if_body():
            nonlocal did_continue
            did_continue = True
        def else_body():
            nonlocal total
            total += 1
        def if_body_1():
            ag__.if_stmt(x < -10, if_body, else_body, get_state_1, set_state_1, ('did_continue', 'total'), 2)
        def if_body_2():
            nonlocal total
            total += x
        def loop_body(item):
            nonlocal did_continue, x
            x = item
            did_continue = False
            ag__.if_stmt(x < 0, if_body_1, None, get_state_1, set_state_1, ('did_continue', 'total'), 2)
            ag__.if_stmt(ag__.not_(did_continue), if_body_2, None, get_state, set_state, ('total',), 1)
        ag__.for_stmt(xs, None, loop_body, get_state, set_state, ('total',))
        return total
    return f
