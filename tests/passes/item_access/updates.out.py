def outer(ag__):
    def f(x, i, v):
        ag__.update_item(x, i, 'iadd', lambda: v)
        ag__.update_attr(x, 'a', 'imatmul', lambda: v + 1)
        i += v
        x[i] //= (k := v)
        ag__.del_item(x, i)
        ag__.del_attr(x, 'a')
        del v
    return f
