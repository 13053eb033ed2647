def outer(ag__):
    def f(xs):
        if False:
            x = None
        total = 0
        def if_body():
            nonlocal total
            total += x
        def loop_body(item):
            nonlocal total, x
            x = item
            ag__.if_stmt(ag__.not_(x < 0), if_body, ('total',), 1)
        ag__.for_stmt(xs, None, loop_body, ('total',))
        return total
    return f
