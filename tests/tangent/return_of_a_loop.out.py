def dfdx(x, n, by_1=1.0):
    y = x
    returned = False
    taken_values = []
    y_values = []
    steps = 0
    for _ in range(n):
        steps += 1
        y_values.append(y)
        y = y * x
        taken = y > 10
        taken_values.append(taken)
        if taken:
            y_1 = y * 2
            returned = True
            break
    taken_1 = bool(returned)
    if not taken_1:
        y_1 = y
    tangent.check_seed(by_1, y_1)
    if taken_1:
        by = tangent.zeros_like(y)
    else:
        # Grad of: return y
        by = by_1
        by_1 = 0.0
    bx = tangent.zeros_like(x)
    for _ in reversed(range(n)[:steps]):
        if taken_values.pop():
            # Grad of: return y * 2
            by = by + by_1 * 2
            by_1 = 0.0
        # Grad of: y = y * x
        y = y_values.pop()
        bx += by * y
        by = by * x
    # Grad of: y = x
    bx = tangent.add_grad(bx, by)
    return tangent.as_gradient(bx, x)
