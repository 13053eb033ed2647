def outer(ag__):
    def f(n):
        did_break = False
        def set_state(values):
            nonlocal n, did_break
            n, did_break = values
        def set_state_1(values):
            nonlocal did_break
            did_break, = values
        get_state = lambda: (did_break,)
        def if_body():
            nonlocal did_break
            did_break = True
        def loop_body():
            nonlocal n
            n -= 1
            ag__.if_stmt(n < 0, if_body, None, get_state, set_state_1, ('did_break',), 1)
        ag__.while_stmt(lambda: ag__.not_(did_break), loop_body, lambda: (n, did_break), set_state, ('n', 'did_break'))
        return n
    return f
