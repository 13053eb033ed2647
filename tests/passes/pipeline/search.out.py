def outer(ag__):
    def search(rows, wanted):
        if False:
            c = did_break = r = row = None
        did_return = False
        return_value = ag__.Undefined('return_value')
        def if_body():
            nonlocal did_break
            did_break = True
        def branches(holds):
            nonlocal did_break, did_return, return_value
            if holds:
                return_value = r, c
                did_return = True
            else:
                ag__.if_stmt(ag__.get_item(row, c) > 100, if_body, ('did_break',), 1)
        def if_body_1():
            nonlocal did_break, did_return, return_value
            ag__.if_else_stmt(ag__.get_item(row, c) == wanted, branches, ('did_break', 'did_return', 'return_value'), 3)
        def loop_body(item):
            nonlocal c, did_break, did_return, return_value
            c = item
            ag__.if_stmt(ag__.not_(ag__.get_item(row, c) < 0), if_body_1, ('did_break', 'did_return', 'return_value'), 3)
        def loop_body_1(item):
            nonlocal did_break, did_return, r, return_value, row
            r, row = ag__.walked(item)
            did_break = False
            ag__.for_stmt(ag__.converted_call(range, ag__.converted_call(len, row)), lambda: ag__.and_(ag__.not_(did_break), lambda: ag__.not_(did_return)), loop_body, ('did_return', 'return_value', 'did_break'))
        ag__.for_stmt(ag__.converted_call(enumerate, rows), lambda: ag__.not_(did_return), loop_body_1, ('did_return', 'return_value'))
        def if_body_2():
            nonlocal did_return, return_value
            return_value = None
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body_2, ('return_value',), 1)
        return ag__.ret(return_value, True)
    return search
