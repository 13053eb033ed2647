def outer(ag__):
    def f(x):
        i = ag__.Undefined('i')
        def set_state(values):
            nonlocal x
            x, = values
        get_state = lambda: (x,)
        def if_body():
            nonlocal x
            x += i
        def else_body():
            nonlocal x
            x -= i
        def loop_body(item):
            nonlocal i
            i = item
            ag__.if_stmt(i, if_body, else_body, get_state, set_state, ('x',), 1)
        ag__.for_stmt(ag__.converted_call(range, 3), None, loop_body, get_state, set_state, ('x',))
        return x
    return f
