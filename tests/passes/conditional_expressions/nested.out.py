def outer(ag__):
    def f(a, b, c):
        d = ag__.Undefined('d')
        def operand_2():
            def operand_1():
                def operand():
                    nonlocal d
                    return (d := b)
                return ag__.if_exp(c, ag__.binding(operand, ('d',)), lambda: ag__.ld(d))
            return ag__.if_exp(a, lambda: c, ag__.binding(operand_1, ('d',)))
        return ag__.if_exp(b, lambda: a, ag__.binding(operand_2, ('d',)))
    return f
