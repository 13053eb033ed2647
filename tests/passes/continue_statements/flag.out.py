def outer(ag__):
    def f(xs):
        total = 0
        def set_state(values):
            nonlocal total
            total, = values
        def loop_body(x):
            did_continue = False
            def set_state_1(values):
                nonlocal did_continue, total
                did_continue, total = values
            def if_body_1():
                def if_body():
                    nonlocal did_continue
                    did_continue = True
                def else_body():
                    nonlocal total
                    total += 1
                ag__.if_stmt(x < -10, if_body, else_body, lambda: (did_continue, total), set_state_1, ('did_continue', 'total'), 2)
            ag__.if_stmt(x < 0, if_body_1, None, lambda: (did_continue, total), set_state_1, ('did_continue', 'total'), 2)
            def if_body_2():
                nonlocal total
                total += x
            ag__.if_stmt(ag__.not_(did_continue), if_body_2, None, lambda: (total,), set_state, ('total',), 1)
        ag__.for_stmt(xs, None, loop_body, lambda: (total,), set_state, ('total',))
        return total
    return f
