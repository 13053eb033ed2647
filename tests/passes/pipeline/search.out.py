def outer(ag__):
    def search(rows, wanted):
        did_return = False
        return_value = ag__.Undefined('return_value')
        def set_state(values):
            nonlocal did_return, return_value
            did_return, return_value = values
        get_state = lambda: (did_return, return_value)
        def loop_body(item):
            r, row = item
            did_break = False
            def set_state_1(values):
                nonlocal did_return, return_value, did_break
                did_return, return_value, did_break = values
            def loop_body(c):
                def set_state_2(values):
                    nonlocal did_break, did_return, return_value
                    did_break, did_return, return_value = values
                get_state_1 = lambda: (did_break, did_return, return_value)
                def if_body():
                    def if_body():
                        nonlocal did_return, return_value
                        return_value = r, c
                        did_return = True
                    def else_body():
                        def set_state_1(values):
                            nonlocal did_break
                            did_break, = values
                        def if_body():
                            nonlocal did_break
                            did_break = True
                        ag__.if_stmt(ag__.get_item(row, c) > 100, if_body, None, lambda: (did_break,), set_state_1, ('did_break',), 1)
                    ag__.if_stmt(ag__.get_item(row, c) == wanted, if_body, else_body, get_state_1, set_state_2, ('did_break', 'did_return', 'return_value'), 3)
                ag__.if_stmt(ag__.not_(ag__.get_item(row, c) < 0), if_body, None, get_state_1, set_state_2, ('did_break', 'did_return', 'return_value'), 3)
            ag__.for_stmt(ag__.converted_call(range, ag__.converted_call(len, row)), lambda: ag__.and_(lambda: ag__.not_(did_break), lambda: ag__.not_(did_return)), loop_body, lambda: (did_return, return_value, did_break), set_state_1, ('did_return', 'return_value', 'did_break'))
        ag__.for_stmt(ag__.converted_call(enumerate, rows), lambda: ag__.not_(did_return), loop_body, get_state, set_state, ('did_return', 'return_value'))
        def if_body():
            nonlocal did_return, return_value
            return_value = None
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body, None, get_state, set_state, ('did_return', 'return_value'), 2)
        return ag__.ret(return_value, did_return)
    return search
