def outer(ag__):
    def f(xs):
        x = ag__.Undefined('x')
        did_break = False
        def set_state(values):
            nonlocal did_break
            did_break, = values
        get_state = lambda: (did_break,)
        def if_body():
            nonlocal did_break
            did_break = True
        def else_body():
            ag__.converted_call(print, x)
        def loop_body(item):
            nonlocal x
            x = item
            ag__.if_stmt(x > 3, if_body, else_body, get_state, set_state, ('did_break',), 1)
        ag__.for_stmt(xs, lambda: ag__.not_(did_break), loop_body, get_state, set_state, ('did_break',))
        def if_body_1():
            ag__.converted_call(print, 'all')
        ag__.if_stmt(ag__.not_(did_break), if_body_1, None, None, None, (), 0)
    return f
