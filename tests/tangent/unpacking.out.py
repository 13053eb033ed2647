def dfdx(x, w, by=1.0):
    a = x * w
    b = x
    next_b_1 = a
    a = b
    b = next_b_1
    tangent.check_seed(by, a + 3 * b)
    # Grad of: return a + 3 * b
    ba = tangent.unbroadcast(by, a)
    bb = by * 3
    # Grad of: a, b = b, a
    bnext_a_1 = ba
    ba = bb
    bb = bnext_a_1
    # Grad of: a, b = x * w, x
    bx = bb
    bx = tangent.add_grad(bx, tangent.unbroadcast(ba * w, x))
    return tangent.as_gradient(bx, x)
