def dfdx(x, n, by=1.0):
    y = x
    y_values = []
    for _ in range(n):
        product = y * x
        y_values.append(y)
        y = product + 1.0
    bx = 0.0
    for _ in reversed(range(n)):
        # Grad of: y = y * x + 1.0
        bproduct = by
        y = y_values.pop()
        by = bproduct * x
        bx += bproduct * y
    # Grad of: y = x
    bx = bx + by
    return bx
