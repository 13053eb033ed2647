def outer(ag__):
    def f(a, b):
        did_return = False
        return_value = ag__.Undefined('return_value')
        def if_body():
            nonlocal did_return, return_value
            def if_body():
                nonlocal did_return, return_value
                return_value = b
                did_return = True
            ag__.if_stmt(b > 0, if_body, ('did_return', 'return_value'), 2)
        ag__.if_stmt(a > 0, if_body, ('did_return', 'return_value'), 2)
        def if_body():
            nonlocal did_return, return_value
            return_value = ag__.converted_call(sorted, a, key=lambda x: -x)
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body, ('return_value',), 1)
        return ag__.ret(return_value, True)
    return f
