def outer(ag__):
    def read(paths, limit):
        if False:
            error = file = path = None
        did_return = False
        return_value = ag__.Undefined('return_value')
        total = 0
        def if_body():
            nonlocal did_return, return_value
            return_value = total
            did_return = True
        def with_body(item):
            nonlocal did_return, return_value, total
            total += ag__.converted_call(len, ag__.converted_call(file.read))
            ag__.if_stmt(total > limit, if_body, ('did_return', 'return_value'), 2)
        def clauses(clause, caught):
            nonlocal did_return, return_value, total
            if clause == 0:
                ag__.with_stmt(ag__.converted_call(guard, path), with_body, ('did_return', 'return_value', 'total'))
            elif clause == 1:
                did_return = False
                raise
        def with_body_1(item):
            nonlocal did_return, file, return_value, total
            file = item
            ag__.try_stmt(clauses, (None,), False, False, ('did_return', 'return_value', 'total'))
        def if_body_1():
            nonlocal total
            total += 1
        def loop_body(item):
            nonlocal did_return, error, path, return_value, total
            path = item
            try:
                with ag__.attempt('except* OSError'):
                    ag__.with_stmt(ag__.converted_call(open, path), with_body_1, ('did_return', 'return_value', 'total'))
            except* OSError as error:
                did_return = False
                ag__.converted_call(print, error)
            else:
                ag__.if_stmt(ag__.not_(did_return), if_body_1, ('total',), 1)
            finally:
                total -= 1
        ag__.for_stmt(paths, lambda: ag__.not_(did_return), loop_body, ('did_return', 'return_value', 'total'))
        def if_body_2():
            nonlocal did_return, return_value
            return_value = total
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body_2, ('return_value',), 1)
        return ag__.ret(return_value, True)
    return read
