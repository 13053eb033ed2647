def outer(ag__):
    def f(x):
        return_value = ag__.Undefined('return_value')
        def set_state(values):
            nonlocal return_value
            return_value, = values
        get_state = lambda: (return_value,)
        def if_body():
            nonlocal return_value
            return_value = x
        def else_body():
            def if_body():
                nonlocal return_value
                return_value = None
            def else_body():
                nonlocal return_value
                ag__.converted_call(print, x)
                return_value = -x
            ag__.if_stmt(x < -5, if_body, else_body, get_state, set_state, ('return_value',), 1)
        ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('return_value',), 1)
        return return_value
    return f
