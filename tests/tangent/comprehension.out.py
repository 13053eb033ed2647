def dfdx(x, by=1.0):
    items_1 = []
    taken_values = []
    item_values = []
    steps = 0
    for item in x:
        steps += 1
        item_values.append(item)
        taken = item > 0
        taken_values.append(taken)
        if taken:
            items_1.append(item * item)
    tangent.check_seed(by, sum(items_1))
    # Grad of: return sum([item * item for item in x if item > 0])
    bitems_1 = list(tangent.spread_items(by, items_1))
    bitems_1 = tangent.copy(bitems_1)
    bx = tangent.zeros_like(x)
    for i in reversed(range(steps)):
        item = item_values.pop()
        if taken_values.pop():
            # Grad of: return sum([item * item for item in x if item > 0])
            bproduct = bitems_1.pop()
            bitem = bproduct * item + bproduct * item
        else:
            bitem = tangent.zeros_like(item)
        tangent.add_item(bx, i, bitem)
    return tangent.as_gradient(bx, x)
