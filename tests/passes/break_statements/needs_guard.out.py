def outer(ag__):
    def f(xs):
        n = 0
        did_break = False
        def set_state(values):
            nonlocal n, did_break
            n, did_break = values
        def set_state_1(values):
            nonlocal did_break, n
            did_break, n = values
        get_state = lambda: (did_break, n)
        def if_body():
            nonlocal did_break
            did_break = True
        def else_body():
            nonlocal n
            n += 2
        def if_body_1():
            ag__.if_stmt(n > 3, if_body, else_body, get_state, set_state_1, ('did_break', 'n'), 2)
        def set_state_2(values):
            nonlocal n
            n, = values
        get_state_1 = lambda: (n,)
        def if_body_2():
            nonlocal n
            n += 1
        def loop_body():
            ag__.if_stmt(ag__.get_item(xs, n), if_body_1, None, get_state, set_state_1, ('did_break', 'n'), 2)
            ag__.if_stmt(ag__.not_(did_break), if_body_2, None, get_state_1, set_state_2, ('n',), 1)
        ag__.while_stmt(lambda: ag__.and_(ag__.not_(did_break), lambda: n < 10), loop_body, lambda: (n, did_break), set_state, ('n', 'did_break'))
        return n
    return f
