def outer(ag__):
    def f(x, flag):
        if False:
            y = None
        def branches(holds):
            nonlocal y
            if holds:
                y = 1
            else:
                def branches(holds):
                    nonlocal y
                    if holds:
                        y = 2
                    else:
                        def branches(holds):
                            nonlocal y
                            if holds:
                                y = 3
                            else:
                                n = x
                                def branches(holds):
                                    nonlocal y
                                    if holds:
                                        y = n
                                    else:
                                        y = 4
                                ag__.if_else_stmt(n > 9, branches, ('y',), 1)
                        ag__.if_else_stmt(ag__.or_(ag__.is_(x, None), lambda: x == -3.5, lambda: x == limits.LOWEST), branches, ('y',), 1)
                ag__.if_else_stmt(ag__.and_(ag__.or_(x == 1, lambda: x == 2), lambda: flag), branches, ('y',), 1)
        ag__.if_else_stmt(x == 0, branches, ('y',), 1)
        return y
    return f
