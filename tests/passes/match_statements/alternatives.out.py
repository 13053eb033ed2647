def outer(ag__):
    def f(p):
        if False:
            return_value = None
        a_1 = ag__.Undefined('a_1')
        either = False
        def if_body():
            nonlocal a_1, either
            part, part_1 = ag__.walked(p)
            def if_body():
                nonlocal a_1, either
                a_1 = part_1
                either = True
            ag__.if_stmt(part == 0, if_body, ('a_1', 'either'), 2)
        ag__.if_stmt(ag__.is_sequence(p, 2), if_body, ('a_1', 'either'), 2)
        def if_body():
            nonlocal a_1, either
            def if_body():
                nonlocal a_1, either
                parts = ag__.mapping_parts(p, ("a",))
                def if_body():
                    nonlocal a_1, either
                    part_2, = ag__.parts_of(parts)
                    a_1 = part_2
                    either = True
                ag__.if_stmt(ag__.found(parts), if_body, ('a_1', 'either'), 2)
            ag__.if_stmt(ag__.is_mapping(p, 1), if_body, ('a_1', 'either'), 2)
        ag__.if_stmt(ag__.not_(either), if_body, ('a_1', 'either'), 2)
        def branches(holds):
            nonlocal return_value
            if holds:
                a = ag__.ld(a_1)
                return_value = a
            else:
                return_value = p
        ag__.if_else_stmt(either, branches, ('return_value',), 1)
        return return_value
    return f
