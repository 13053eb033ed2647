def outer(ag__):
    def f():
        i, j = ag__.Undefined('i'), ag__.Undefined('j')
        fs = ag__.created([])
        def loop_body(item):
            nonlocal i, j
            i = item
            j = i
            ag__.converted_call(fs.append, lambda: (ag__.ld_free(i), ag__.ld_free(j)))
        ag__.for_stmt(ag__.converted_call(range, 3), None, loop_body, ('i', 'j'))
        return fs
    return f
