def outer(ag__):
    def f(x):
        if False:
            a = b = either = item = keys = matched = matched_1 = others = p = part = part_2 = part_3 = part_4 = part_5 = part_6 = part_7 = parts = parts_1 = rest = subject = None
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
            a = part_2
            p = subject
            ag__.if_stmt(a > ag__.converted_call(g, p), if_body_4, ('matched',), 1)
        def if_body_6():
            nonlocal matched, part_2, part_3
            part_2, part_3 = ag__.parts_of(parts)
            ag__.if_stmt(part_3 == -1, if_body_5, ('matched',), 1)
        def if_body_7():
            nonlocal matched_1, part_5, part_6, part_7
            part_6, *part_7 = ag__.walked(part_4)
            part_5 = ag__.mapping_rest(subject, keys)
            matched_1 = True
        def if_body_8():
            nonlocal matched_1, part_4, part_5, part_6, part_7
            part_4, = ag__.parts_of(parts_1)
            ag__.if_stmt(ag__.is_sequence_from(part_4, 1), if_body_7, ('matched_1', 'part_5', 'part_6', 'part_7'), 4)
        def if_body_9():
            nonlocal keys, matched_1, part_5, part_6, part_7, parts_1
            keys = "k",
            parts_1 = ag__.mapping_parts(subject, keys)
            ag__.if_stmt(ag__.found(parts_1), if_body_8, ('matched_1', 'part_5', 'part_6', 'part_7'), 4)
        def if_body_10():
            nonlocal x
            x = 0
        def branches(holds):
            nonlocal b, did_return, others, rest, return_value, x
            if holds:
                b = ag__.ld(part_6)
                rest = ag__.ld(part_7)
                others = ag__.ld(part_5)
                return_value = rest
                did_return = True
            else:
                ag__.if_stmt(ag__.or_(subject == names.RED, lambda: subject == 1 + 2j, lambda: subject == "s" "t"), if_body_10, ('x',), 1)
        def branches_1(holds):
            nonlocal a, did_break, did_return, matched_1, p, part_5, part_6, part_7, return_value, x
            if holds:
                a = ag__.ld(part_2)
                p = subject
                did_break = True
            else:
                part_6 = ag__.Undefined('part_6')
                part_7 = ag__.Undefined('part_7')
                part_5 = ag__.Undefined('part_5')
                matched_1 = False
                ag__.if_stmt(ag__.is_mapping(subject, 1), if_body_9, ('matched_1', 'part_5', 'part_6', 'part_7'), 4)
                ag__.if_else_stmt(matched_1, branches, ('did_return', 'return_value', 'x'), 3)
        def if_body_11():
            nonlocal did_break, did_return, matched, part_2, parts, return_value, x
            parts = ag__.class_parts(subject, Point, 1, ('y',))
            part_2 = ag__.Undefined('part_2')
            matched = False
            ag__.if_stmt(ag__.found(parts), if_body_6, ('matched', 'part_2'), 2)
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
        ag__.if_stmt(ag__.not_(did_return), if_body_12, ('did_return', 'return_value'), 2)
        return ag__.ret(return_value, did_return)
    return f
