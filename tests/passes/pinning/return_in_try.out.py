def outer(ag__):
    def f(x):
        i = ag__.Undefined('i')
        did_return = False
        return_value = ag__.Undefined('return_value')
        def set_state(values):
            nonlocal did_return, return_value, x
            did_return, return_value, x = values
        def set_state_1(values):
            nonlocal did_return, return_value
            did_return, return_value = values
        get_state = lambda: (did_return, return_value)
        def if_body():
            nonlocal did_return, return_value
            return_value = i
            did_return = True
        def set_state_2(values):
            nonlocal x
            x, = values
        get_state_1 = lambda: (x,)
        def if_body_1():
            nonlocal x
            x += 1
        def if_body_2():
            ag__.if_stmt(i > 3, if_body_1, None, get_state_1, set_state_2, ('x',), 1)
        def loop_body(item):
            nonlocal i
            i = item
            try:
                with ag__.attempt():
                    ag__.if_stmt(ag__.converted_call(g, i), if_body, None, get_state, set_state_1, ('did_return', 'return_value'), 2)
            finally:
                ag__.converted_call(h)
            ag__.if_stmt(ag__.not_(did_return), if_body_2, None, get_state_1, set_state_2, ('x',), 1)
        ag__.for_stmt(ag__.converted_call(range, x), lambda: ag__.not_(did_return), loop_body, lambda: (did_return, return_value, x), set_state, ('did_return', 'return_value', 'x'))
        def set_state_3(values):
            nonlocal did_return, return_value
            did_return, return_value = values
        get_state_2 = lambda: (did_return, return_value)
        def if_body_3():
            nonlocal did_return, return_value
            return_value = x
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body_3, None, get_state_2, set_state_3, ('did_return', 'return_value'), 2)
        return ag__.ret(return_value, did_return)
    return f
