def outer(ag__):
    def f(x):
        if False:
            i = None
        did_return = False
        return_value = ag__.Undefined('return_value')
        def if_body():
            nonlocal did_return, return_value
            return_value = i
            did_return = True
        def clauses(clause, caught):
            nonlocal did_return, return_value
            if clause == 0:
                ag__.if_stmt(ag__.converted_call(g, i), if_body, ('did_return', 'return_value'), 2)
            elif clause == 2:
                ag__.converted_call(h)
        def if_body_1():
            nonlocal x
            x += 1
        def if_body_2():
            nonlocal x
            ag__.if_stmt(i > 3, if_body_1, ('x',), 1)
        def loop_body(item):
            nonlocal did_return, i, return_value, x
            i = item
            ag__.try_stmt(clauses, (), False, True, ('did_return', 'return_value'))
            ag__.if_stmt(ag__.not_(did_return), if_body_2, ('x',), 1)
        ag__.for_stmt(ag__.converted_call(range, x), lambda: ag__.not_(did_return), loop_body, ('did_return', 'return_value', 'x'))
        def if_body_3():
            nonlocal did_return, return_value
            return_value = x
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body_3, ('return_value',), 1)
        return ag__.ret(return_value, True)
    return f
