def dfdx(x, by=1.0):
    y = 1.0
    item_values = []
    y_values = []
    steps = 0
    for item in x:
        steps += 1
        item_values.append(item)
        y_values.append(y)
        y = y * item
    tangent.check_seed(by, y)
    bx = tangent.zeros_like(x)
    for i in reversed(range(steps)):
        item = item_values.pop()
        # Grad of: y = y * item
        y = y_values.pop()
        bitem = tangent.unbroadcast(by * y, item)
        by = tangent.unbroadcast(by * item, y)
        tangent.add_item(bx, i, bitem)
    return tangent.as_gradient(bx, x)
