def dfdx(x, n, by=1.0):
    y = x
    y_values = []
    for i in range(n):
        product = y * x
        y_values.append(y)
        y = product + i
    tangent.check_seed(by, x)
    bx = tangent.zeros_like(x)
    for i in reversed(range(n)):
        # Grad of: y = y * x + i
        bproduct = by
        y = y_values.pop()
        by = bproduct * x
        bx += bproduct * y
    # Grad of: y = x
    bx = tangent.add_grad(bx, by)
    return tangent.as_gradient(bx, x)
