def outer(ag__):
    def f(p):
        if False:
            return_value = None
        a_3 = ag__.Undefined('a_3')
        either = False
        def if_body():
            nonlocal a_3, either
            part, a_1 = ag__.walked(p)
            def if_body():
                nonlocal a_3, either
                a_3 = a_1
                either = True
            ag__.if_stmt(part == 0, if_body, ('a_3', 'either'), 2)
        ag__.if_stmt(ag__.is_sequence(p, 2), if_body, ('a_3', 'either'), 2)
        def if_body():
            nonlocal a_3, either
            def if_body():
                nonlocal a_3, either
                parts = ag__.mapping_parts(p, ("a",))
                def if_body():
                    nonlocal a_3, either
                    a_2, = ag__.parts_of(parts)
                    a_3 = a_2
                    either = True
                ag__.if_stmt(ag__.found(parts), if_body, ('a_3', 'either'), 2)
            ag__.if_stmt(ag__.is_mapping(p, 1), if_body, ('a_3', 'either'), 2)
        ag__.if_stmt(ag__.not_(either), if_body, ('a_3', 'either'), 2)
        def branches(holds):
            nonlocal return_value
            if holds:
                a = ag__.ld(a_3)
                return_value = a
            else:
                return_value = p
        ag__.if_else_stmt(either, branches, ('return_value',), 1)
        return return_value
    return f
