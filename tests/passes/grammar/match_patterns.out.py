def outer(ag__):
    def f(x):
        if False:
            a = b = item = others = p = rest = None
        did_return = False
        return_value = ag__.Undefined('return_value')
        did_break = False
        def loop_body(item_1):
            nonlocal a, b, did_break, did_return, item, others, p, rest, return_value, x
            item = item_1
            match (item, x):
                case [0, *_] | ag__.IsNone():
                    pass
                case Point(a, y=-1) as p if a > ag__.converted_call(g, p):
                    did_break = True
                case {"k": [b, *rest], **others}:
                    return_value = rest
                    did_return = True
                case names.RED | 1 + 2j | "s" "t":
                    x = 0
        ag__.for_stmt(x, lambda: ag__.and_(ag__.not_(did_break), lambda: ag__.not_(did_return)), loop_body, ('did_return', 'return_value', 'x', 'did_break'))
        def if_body():
            nonlocal did_return, return_value
            return_value = x
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body, ('did_return', 'return_value'), 2)
        return ag__.ret(return_value, did_return)
    return f
