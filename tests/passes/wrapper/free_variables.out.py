def outer(ag__):
    def f_1(n, k, *, m):
        return ag__.converted_call(f, n)
    return f_1
