def outer(ag__):
    def f(xs):
        if False:
            x = None
        did_return = False
        return_value = ag__.Undefined('return_value')
        def if_body():
            nonlocal did_return, return_value
            return_value = x
            did_return = True
        def loop_body(item):
            nonlocal did_return, return_value, x
            x = item
            ag__.if_stmt(x > 0, if_body, ('did_return', 'return_value'), 2)
        ag__.for_stmt(xs, lambda: ag__.not_(did_return), loop_body, ('did_return', 'return_value'))
        return ag__.ret(return_value, did_return)
    return f
