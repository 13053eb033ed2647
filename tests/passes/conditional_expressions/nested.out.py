def outer(ag__):
    def f(a, b, c):
        d = ag__.Undefined('d')
        return a if b else c if a else (d := b) if c else ag__.ld(d)
    return f
