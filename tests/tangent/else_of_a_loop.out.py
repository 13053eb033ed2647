def dfdx(x, n, by=1.0):
    y = x
    broke = False
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
            broke = True
            break
    taken_1 = not broke
    tangent.check_seed(by, x)
    if taken_1:
        # Grad of: y = y + 5 * x
        bproduct = by
        by = by
        bx = bproduct * 5
    else:
        bx = tangent.zeros_like(x)
    for _ in reversed(range(n)[:steps]):
        taken_values.pop()
        # Grad of: y = y * x
        y = y_values.pop()
        bx += by * y
        by = by * x
    # Grad of: y = x
    bx = tangent.add_grad(bx, by)
    return tangent.as_gradient(bx, x)
