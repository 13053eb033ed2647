def outer(ag__):
    def f(xs):
        total = 0
        def set_state(values):
            nonlocal total
            total, = values
        get_state = lambda: (total,)
        def loop_body(x):
            did_continue = False
            def set_state_1(values):
                nonlocal did_continue, total
                did_continue, total = values
            get_state_1 = lambda: (did_continue, total)
            def if_body():
                def if_body():
                    nonlocal did_continue
                    did_continue = True
                def else_body():
                    nonlocal total
                    total += 1
                ag__.if_stmt(x < -10, if_body, else_body, get_state_1, set_state_1, ('did_continue', 'total'), 2)
            ag__.if_stmt(x < 0, if_body, None, get_state_1, set_state_1, ('did_continue', 'total'), 2)
            def if_body():
                nonlocal total
                total += x
            ag__.if_stmt(ag__.not_(did_continue), if_body, None, get_state, set_state, ('total',), 1)
        ag__.for_stmt(xs, None, loop_body, get_state, set_state, ('total',))
        return total
    return f
