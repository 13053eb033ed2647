def outer(ag__):
    def f(x):
        if False:
            a = a_1 = b = b_1 = either = item = keys = matched = matched_1 = others = p = part = part_1 = part_2 = parts = parts_1 = rest = rest_1 = rest_2 = subject = None
        did_return = False
        return_value = ag__.Undefined('return_value')
        did_break = False
        def if_body():
            nonlocal either
            either = True
        def if_body_1():
            nonlocal either, part
            part = ag__.get_item(subject, 0)
            ag__.if_stmt(part == 0, if_body, ('either',), 1)
        def if_body_2():
            nonlocal either
            either = True
        def if_body_3():
            nonlocal either
            ag__.if_stmt(ag__.is_(subject, None), if_body_2, ('either',), 1)
        def if_body_4():
            nonlocal matched
            matched = True
        def if_body_5():
            nonlocal a, matched, p
            a = a_1
            p = subject
            ag__.if_stmt(a > ag__.converted_call(g, p), if_body_4, ('matched',), 1)
        def if_body_6():
            nonlocal a_1, matched, part_1
            a_1, part_1 = ag__.parts_of(parts)
            ag__.if_stmt(part_1 == -1, if_body_5, ('matched',), 1)
        def if_body_7():
            nonlocal b_1, matched_1, rest_1, rest_2
            b_1, rest_2 = ag__.spread(part_2, 1, 0)
            rest_1 = ag__.mapping_rest(subject, keys)
            matched_1 = True
        def if_body_8():
            nonlocal b_1, matched_1, part_2, rest_1, rest_2
            part_2, = ag__.parts_of(parts_1)
            ag__.if_stmt(ag__.is_sequence_from(part_2, 1), if_body_7, ('b_1', 'matched_1', 'rest_1', 'rest_2'), 4)
        def if_body_9():
            nonlocal b_1, keys, matched_1, parts_1, rest_1, rest_2
            keys = "k",
            parts_1 = ag__.mapping_parts(subject, keys)
            ag__.if_stmt(ag__.found(parts_1), if_body_8, ('b_1', 'matched_1', 'rest_1', 'rest_2'), 4)
        def if_body_10():
            nonlocal x
            x = 0
        def branches(holds):
            nonlocal b, did_return, others, rest, return_value, x
            if holds:
                b = ag__.ld(b_1)
                rest = ag__.ld(rest_2)
                others = ag__.ld(rest_1)
                return_value = rest
                did_return = True
            else:
                ag__.if_stmt(ag__.or_(subject == names.RED, lambda: subject == 1 + 2j, lambda: subject == "s" "t"), if_body_10, ('x',), 1)
        def branches_1(holds):
            nonlocal a, b_1, did_break, did_return, matched_1, p, rest_1, rest_2, return_value, x
            if holds:
                a = ag__.ld(a_1)
                p = subject
                did_break = True
            else:
                b_1 = ag__.Undefined('b_1')
                rest_2 = ag__.Undefined('rest_2')
                rest_1 = ag__.Undefined('rest_1')
                matched_1 = False
                ag__.if_stmt(ag__.is_mapping(subject, 1), if_body_9, ('b_1', 'matched_1', 'rest_1', 'rest_2'), 4)
                ag__.if_else_stmt(matched_1, branches, ('did_return', 'return_value', 'x'), 3)
        def if_body_11():
            nonlocal a_1, did_break, did_return, matched, parts, return_value, x
            parts = ag__.class_parts(subject, Point, 1, ('y',))
            a_1 = ag__.Undefined('a_1')
            matched = False
            ag__.if_stmt(ag__.found(parts), if_body_6, ('a_1', 'matched'), 2)
            ag__.if_else_stmt(matched, branches_1, ('did_break', 'did_return', 'return_value', 'x'), 4)
        def loop_body(item_1):
            nonlocal did_break, did_return, either, item, return_value, subject, x
            item = item_1
            subject = item, x
            either = False
            ag__.if_stmt(ag__.is_sequence_from(subject, 1), if_body_1, ('either',), 1)
            ag__.if_stmt(ag__.not_(either), if_body_3, ('either',), 1)
            ag__.if_stmt(ag__.not_(either), if_body_11, ('did_break', 'did_return', 'return_value', 'x'), 4)
        ag__.for_stmt(x, lambda: ag__.and_(ag__.not_(did_break), lambda: ag__.not_(did_return)), loop_body, ('did_return', 'return_value', 'x', 'did_break'))
        def if_body_12():
            nonlocal did_return, return_value
            return_value = x
            did_return = True
        ag__.if_stmt(ag__.not_(did_return), if_body_12, ('return_value',), 1)
        return ag__.ret(return_value, True)
    return f
