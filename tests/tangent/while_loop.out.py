def dfdx(x, by=1.0):
    y = x
    y_values = []
    steps = 0
    while y < 10:
        steps += 1
        y_values.append(y)
        y = y * x
    tangent.check_seed(by, x)
    bx = tangent.zeros_like(x)
    for _ in range(steps):
        # Grad of: y = y * x
        y = y_values.pop()
        bx += by * y
        by = by * x
    # Grad of: y = x
    bx = tangent.add_grad(bx, by)
    return tangent.as_gradient(bx, x)
