def outer(ag__):
    def f(p):
        if False:
            return_value = None
        parts = ag__.class_parts(p, Point, 1, ('y',))
        b_1 = ag__.Undefined('b_1')
        matched = False
        def if_body():
            nonlocal b_1, matched
            part, b_1 = ag__.parts_of(parts)
            def if_body():
                nonlocal matched
                matched = True
            ag__.if_stmt(part == 0, if_body, ('matched',), 1)
        ag__.if_stmt(ag__.found(parts), if_body, ('b_1', 'matched'), 2)
        def branches(holds):
            nonlocal return_value
            if holds:
                b = ag__.ld(b_1)
                return_value = b
            else:
                def branches(holds):
                    nonlocal return_value
                    if holds:
                        return_value = 1
                    else:
                        if False:
                            a = None
                        a_1 = ag__.Undefined('a_1')
                        matched_1 = False
                        def if_body():
                            nonlocal a_1, matched_1
                            a_1 = ag__.get_item(p, 0)
                            part_1 = ag__.item_from_end(p, 1)
                            def if_body():
                                nonlocal a, matched_1
                                a = a_1
                                def if_body():
                                    nonlocal matched_1
                                    matched_1 = True
                                ag__.if_stmt(a > 1, if_body, ('matched_1',), 1)
                            ag__.if_stmt(part_1 == 2, if_body, ('matched_1',), 1)
                        ag__.if_stmt(ag__.is_sequence_from(p, 2), if_body, ('a_1', 'matched_1'), 2)
                        def branches(holds):
                            nonlocal a, return_value
                            if holds:
                                a = ag__.ld(a_1)
                                return_value = a
                            else:
                                def branches(holds):
                                    nonlocal a, return_value
                                    if holds:
                                        a_2, rest_1 = ag__.spread(p, 1, 0)
                                        a = a_2
                                        rest = rest_1
                                        return_value = rest
                                    else:
                                        def branches(holds):
                                            nonlocal return_value
                                            if holds:
                                                keys = "k",
                                                parts_1 = ag__.mapping_parts(p, keys)
                                                def branches(holds):
                                                    nonlocal return_value
                                                    if holds:
                                                        part_2, = ag__.parts_of(parts_1)
                                                        def branches(holds):
                                                            nonlocal return_value
                                                            if holds:
                                                                v_1, = ag__.walked(part_2)
                                                                rest_2 = ag__.mapping_rest(p, keys)
                                                                v = v_1
                                                                others = rest_2
                                                                return_value = v, others
                                                            else:
                                                                return_value = None
                                                        ag__.if_else_stmt(ag__.is_sequence(part_2, 1), branches, ('return_value',), 1)
                                                    else:
                                                        return_value = None
                                                ag__.if_else_stmt(ag__.found(parts_1), branches, ('return_value',), 1)
                                            else:
                                                return_value = None
                                        ag__.if_else_stmt(ag__.is_mapping(p, 1), branches, ('return_value',), 1)
                                ag__.if_else_stmt(ag__.is_sequence_from(p, 1), branches, ('return_value',), 1)
                        ag__.if_else_stmt(matched_1, branches, ('return_value',), 1)
                ag__.if_else_stmt(ag__.or_(ag__.is_instance(p, Point), lambda: ag__.is_instance(p, int)), branches, ('return_value',), 1)
        ag__.if_else_stmt(matched, branches, ('return_value',), 1)
        return return_value
    return f
