def outer(ag__):
    def f(x, i, v):
        ag__.set_item(x, i, v)
        value = ag__.converted_call(h)
        ag__.set_item(x, ag__.converted_call(g), value)
        ag__.set_item(x, (ag__.slice(1, None, None), i), 0)
        ag__.set_attr(x, 'a', v)
        ag__.set_attr(x, 'b', ag__.converted_call(g))
        value = ag__.converted_call(g)
        a = value
        ag__.set_item(x, i, value)
        item, item_1 = ag__.walked(v)
        ag__.set_item(x, i, item)
        i = item_1
        def loop_body(item):
            item_2, item_3 = ag__.walked(item)
            ag__.set_attr(x, 'c', item_2)
            ag__.set_item(x, 0, item_3)
            pass
        ag__.for_stmt(v, None, loop_body, ())
    return f
