def dfdx(x, n, by=1.0):
    y = x
    taken_values = []
    y_values = []
    for i in range(n):
        taken = bool(i % 2)
        taken_values.append(taken)
        if taken:
            continue
        else:
            y_values.append(y)
            y = y * x
    tangent.check_seed(by, x)
    bx = tangent.zeros_like(x)
    for i in reversed(range(n)):
        if not taken_values.pop():
            # Grad of: y = y * x
            y = y_values.pop()
            bx += by * y
            by = by * x
    # Grad of: y = x
    bx = tangent.add_grad(bx, by)
    return tangent.as_gradient(bx, x)
