def outer(ag__):
    def f(x):
        if False:
            file = i = None
        did_return = False
        return_value = ag__.Undefined('return_value')
        def if_body():
            nonlocal did_return, return_value
            return_value = file
            did_return = True
        def with_body(item):
            nonlocal did_return, file, return_value
            file = item
            ag__.if_stmt(file.ok, if_body, ('did_return', 'return_value'), 2)
        def if_body_1():
            nonlocal x
            x += 1
        def if_body_2():
            nonlocal x
            ag__.if_stmt(i > 3, if_body_1, ('x',), 1)
        def loop_body(item):
            nonlocal did_return, i, return_value, x
            i = item
            ag__.with_stmt(ag__.converted_call(open, i), with_body, ('did_return', 'return_value'))
            ag__.if_stmt(ag__.not_(did_return), if_body_2, ('x',), 1)
        ag__.for_stmt(ag__.converted_call(range, x), lambda: ag__.not_(did_return), loop_body, ('did_return', 'return_value', 'x'))
        def if_body_3():
            nonlocal did_return, return_value
            return_value = x
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body_3, ('return_value',), 1)
        return ag__.ret(return_value, True)
    return f
