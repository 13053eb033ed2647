def outer(ag__):
    def f(v, n):
        if False:
            a = d = None
        b, x = ag__.Undefined('b'), ag__.Undefined('x')
        s = 0
        did_break = False
        def loop_test():
            nonlocal d
            return (d := n % 10) > 0
        def if_body():
            nonlocal did_break
            did_break = True
        def loop_body():
            nonlocal d, did_break, n, s
            s += d
            n //= 10
            ag__.if_stmt(s > 7, if_body, ('did_break',), 1)
        ag__.while_stmt(lambda: ag__.and_(ag__.not_(did_break), ag__.binding(loop_test, ('d',))), loop_body, ('s', 'd', 'did_break', 'n'))
        def operand_1():
            nonlocal x
            def operand():
                return (y := ag__.get_item(v, 1)) > 2
            return ag__.or_((x := ag__.get_item(v, 0)) > 1, operand)
        def if_body_1():
            nonlocal s
            s += ag__.ld(x)
        ag__.if_stmt(ag__.and_(s > 3, ag__.binding(operand_1, ('x',)), lambda: ag__.ld(x) > 0), if_body_1, ('s',), 1)
        def operand_2():
            nonlocal b
            return (b := a - 1) > 0
        def loop_body_1():
            nonlocal a, b
            a = ag__.ld(b)
        def loop_body_2(item):
            nonlocal a, b
            a = item
            ag__.while_stmt(lambda: ag__.and_(a > 0, ag__.binding(operand_2, ('b',))), loop_body_1, ('b', 'a'))
        ag__.for_stmt(v, None, loop_body_2, ('b',))
        return s
    return f
