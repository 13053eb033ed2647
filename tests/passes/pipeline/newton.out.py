def outer(ag__):
    def newton(x, tol):
        steps = 0
        def loop_body():
            nonlocal steps, x
            x = x - (x * x - 2.0) / (2.0 * x)
            steps += 1
        ag__.while_stmt(lambda: ag__.converted_call(abs, x * x - 2.0) > tol, loop_body, ('steps', 'x'))
        return x, steps
    return newton
