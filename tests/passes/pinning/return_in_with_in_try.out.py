def outer(ag__):
    def f(x):
        if False:
            i = None
        did_return = False
        return_value = ag__.Undefined('return_value')
        did_break = False
        def if_body():
            nonlocal did_break
            did_break = True
        def branches(holds):
            nonlocal did_break, did_return, return_value
            if holds:
                return_value = i
                did_return = True
            else:
                ag__.if_stmt(ag__.converted_call(h, i), if_body, ('did_break',), 1)
        def with_body(item):
            nonlocal did_break, did_return, return_value
            ag__.if_else_stmt(ag__.converted_call(g, i), branches, ('did_break', 'did_return', 'return_value'), 3)
        def clauses(clause, caught):
            nonlocal did_break, did_return, return_value, x
            if clause == 0:
                ag__.with_stmt(lock, with_body, ('did_break', 'did_return', 'return_value'))
            elif clause == 1:
                did_return = False
                did_break = False
                x += 1
        def if_body_1():
            nonlocal x
            x += 2
        def if_body_2():
            nonlocal x
            ag__.if_stmt(ag__.not_(did_break), if_body_1, ('x',), 1)
        def loop_body(item):
            nonlocal did_break, did_return, i, return_value, x
            i = item
            ag__.try_stmt(clauses, (lambda: ValueError,), False, False, ('did_break', 'did_return', 'return_value', 'x'))
            ag__.if_stmt(ag__.not_(did_return), if_body_2, ('x',), 1)
        ag__.for_stmt(ag__.converted_call(range, x), lambda: ag__.and_(ag__.not_(did_break), lambda: ag__.not_(did_return)), loop_body, ('did_return', 'return_value', 'x', 'did_break'))
        def if_body_3():
            nonlocal did_return, return_value
            return_value = x
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body_3, ('return_value',), 1)
        return ag__.ret(return_value, True)
    return f
