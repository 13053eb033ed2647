def dfdx(x, n, by=1.0):
    y = x
    sin_1_values = []
    total_values = []
    y_values = []
    for i in range(n):
        for j in range(i):
            total = x + j
            sin_1 = np.sin(total)
            y_values.append(y)
            y = y * sin_1
            sin_1_values.append(sin_1)
            total_values.append(total)
    tangent.check_seed(by, x)
    bx = tangent.zeros_like(x)
    for i in reversed(range(n)):
        for j in reversed(range(i)):
            sin_1 = sin_1_values.pop()
            total = total_values.pop()
            # Grad of: y = y * np.sin(x + j)
            y = y_values.pop()
            bsin_1 = by * y
            by = by * sin_1
            bx = tangent.add_grad(bx, bsin_1 * np.cos(total))
    # Grad of: y = x
    bx = tangent.add_grad(bx, by)
    return tangent.as_gradient(bx, x)
