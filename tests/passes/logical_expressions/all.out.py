def outer(ag__):
    def f(a, b, c):
        def operand():
            return (d := b)
        return ag__.and_(a, lambda: b, lambda: c), ag__.or_(a, lambda: ag__.not_(b)), ag__.in_(a, b), ag__.not_in(a, b), ag__.and_(a, operand)
    return f
