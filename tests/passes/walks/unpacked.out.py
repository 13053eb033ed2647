def outer(ag__):
    def f(g, h, x):
        if False:
            v = w = None
        a, b = ag__.walked(g)
        c, rest = ag__.spread(g, 1, 0)
        first, item = ag__.spread(h, 0, 1)
        ag__.set_attr(x, 'last', item)
        (d, e), i = ag__.walked(g, 2)
        (j, *k), m = ag__.walked((g, h), 2)
        n, *p = 1, 2, 3
        q, r = ag__.spread(ag__.tuple_display((1,), ag__.starred(g)), 1, 0)
        s = t, u = ag__.kept(g)
        def loop_body(item):
            nonlocal v, w
            v, w = ag__.spread(item, 1, 0)
            ag__.converted_call(print, v, w)
        ag__.for_stmt(h, None, loop_body, ())
        y = ag__.tuple_display((a,), ag__.starred(g), (b, c), ag__.starred(h))
        return y, ag__.set_of((a,), ag__.starred(g)), ag__.with_elements(ag__.created([]), g), ag__.callee(print)(*ag__.walked(g)), ag__.get_item(x, (ag__.slice(1, 2, None), *ag__.walked(h)))
    return f
