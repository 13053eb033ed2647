def outer(ag__):
    def f(x):
        if False:
            did_leave = did_leave_1 = has_left = i = None
        left_value = ag__.Undefined('left_value')
        did_return = False
        return_value = ag__.Undefined('return_value')
        did_break = False
        def if_body():
            raise
        def if_body_1():
            nonlocal did_leave_1
            did_leave_1 = True
        def if_body_2():
            ag__.converted_call(m)
        def if_body_3():
            nonlocal did_leave, left_value
            left_value = i
            did_leave = True
        def clauses(clause, caught):
            nonlocal did_leave, left_value
            if clause == 0:
                ag__.if_stmt(ag__.converted_call(g, i), if_body_3, ('did_leave', 'left_value'), 2)
            elif clause == 1:
                ag__.converted_call(h)
        def clauses_1(clause, caught):
            nonlocal did_leave, did_leave_1, has_left, left_value
            if clause == 0:
                ag__.try_stmt(clauses, (lambda: ValueError,), False, False, ('did_leave', 'left_value'))
            elif clause == 2:
                did_leave_1 = False
                ag__.if_stmt(ag__.converted_call(k, i), if_body_1, ('did_leave_1',), 1)
                ag__.if_stmt(ag__.not_(did_leave_1), if_body_2, (), 0)
                has_left = did_leave_1
        def clauses_2(clause, caught):
            nonlocal did_leave, has_left, left_value
            if clause == 0:
                ag__.try_stmt(clauses_1, (), False, True, ('did_leave', 'has_left', 'left_value'))
            elif clause == 1:
                ag__.if_stmt(ag__.not_(has_left), if_body, (), 0)
        def branches(holds):
            nonlocal did_return, return_value, x
            if holds:
                return_value = ag__.ld(left_value)
                did_return = True
            else:
                x += 1
        def branches_1(holds):
            nonlocal did_break, did_return, return_value, x
            if holds:
                did_break = True
            else:
                ag__.if_else_stmt(did_leave, branches, ('did_return', 'return_value', 'x'), 3)
        def loop_body(item):
            nonlocal did_break, did_leave, did_return, has_left, i, left_value, return_value, x
            i = item
            has_left = False
            did_leave = False
            ag__.try_stmt(clauses_2, (None,), False, False, ('did_leave', 'has_left', 'left_value'))
            ag__.if_else_stmt(has_left, branches_1, ('did_break', 'did_return', 'return_value', 'x'), 4)
        ag__.for_stmt(ag__.converted_call(range, x), lambda: ag__.and_(ag__.not_(did_break), lambda: ag__.not_(did_return)), loop_body, ('did_return', 'return_value', 'x', 'did_break', 'left_value'))
        def if_body_4():
            nonlocal did_return, return_value
            return_value = x
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body_4, ('return_value',), 1)
        return ag__.ret(return_value, True)
    return f
