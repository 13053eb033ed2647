def dfdx(x, by_1=1.0):
    handled = 0
    try:
        tangent.evaluated(math.log(x))
    except ValueError:
        handled = 1
    taken_1 = handled == 0
    if taken_1:
        y = math.log(x)
        try:
            tangent.evaluated(math.sqrt(y))
        except ValueError:
            handled = 1
        taken = handled == 0
        if taken:
            z = math.sqrt(y)
            z_before = z
    taken_2 = handled == 1
    if taken_2:
        z = x * x
    tangent.check_seed(by_1, z * x)
    # Grad of: return z * x
    bz = tangent.unbroadcast(by_1 * x, z)
    bx = tangent.unbroadcast(by_1 * z, x)
    if taken_2:
        # Grad of: z = x * x
        bx = bx + (bz * x + bz * x)
        bz = 0.0
    if taken_1:
        if taken:
            z = z_before
            # Grad of: z = math.sqrt(y)
            by = tangent.quotient(bz, 2 * z)
        else:
            by = tangent.zeros_like(y)
        # Grad of: y = math.log(x)
        bx = bx + by / x
    return tangent.as_gradient(bx, x)
