def outer(ag__):
    def f(x):
        if False:
            return_value = None
        left_value, y = ag__.Undefined('left_value'), ag__.Undefined('y')
        has_left = False
        def clauses(clause, caught):
            nonlocal has_left, left_value, y
            if clause == 0:
                def clauses(clause, caught):
                    nonlocal has_left, left_value, y
                    if clause == 0:
                        y = ag__.converted_call(g, x)
                    elif clause == 2:
                        if False:
                            did_break = i = j = None
                        did_leave = False
                        did_break_1 = False
                        def if_body_1():
                            nonlocal did_break, did_leave, left_value
                            left_value = j
                            did_leave = True
                            did_break = True
                        def loop_body(item):
                            nonlocal did_break, did_leave, j, left_value
                            j = item
                            ag__.if_stmt(j, if_body_1, ('did_break', 'did_leave', 'left_value'), 3)
                        def branches(holds):
                            nonlocal did_break_1
                            if holds:
                                did_break_1 = True
                            else:
                                ag__.converted_call(h, i)
                        def loop_body_1(item):
                            nonlocal did_break, did_break_1, did_leave, i, left_value
                            i = item
                            did_break = False
                            ag__.for_stmt(i, lambda: ag__.not_(did_break), loop_body, ('did_leave', 'left_value', 'did_break'))
                            ag__.if_else_stmt(did_leave, branches, ('did_break_1',), 1)
                        ag__.for_stmt(x, lambda: ag__.not_(did_break_1), loop_body_1, ('did_leave', 'left_value', 'did_break_1'))
                        has_left = did_leave
                ag__.try_stmt(clauses, (), False, True, ('has_left', 'left_value', 'y'))
            elif clause == 1:
                def if_body():
                    raise
                ag__.if_stmt(ag__.not_(has_left), if_body, (), 0)
        ag__.try_stmt(clauses, (None,), False, False, ('has_left', 'left_value', 'y'))
        def branches_1(holds):
            nonlocal return_value
            if holds:
                return_value = ag__.ld(left_value)
            else:
                return_value = ag__.ld(y)
        ag__.if_else_stmt(has_left, branches_1, ('return_value',), 1)
        return return_value
    return f
