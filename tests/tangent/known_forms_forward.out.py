def f_tangent(x, y, c, dx, dy):
    product = x * y
    dproduct = dx * y + x * dy
    difference = x - y
    ddifference = dx + -dy
    sin_1 = np.sin(difference)
    dsin_1 = np.cos(difference) * ddifference
    z = product + sin_1
    dz = dproduct + dsin_1
    total = z + c
    dtotal = dz
    y_1 = z / total
    return dz / total + -y_1 / total * dtotal
