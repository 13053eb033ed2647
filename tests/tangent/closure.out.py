def dfdx(x, by=1.0):
    product = scale * x
    tangent.check_seed(by, product * x)
    # Grad of: return scale * x * x
    bproduct = by * x
    bx = tangent.unbroadcast(by * product, x)
    bx = tangent.add_grad(bx, tangent.unbroadcast(bproduct * scale, x))
    return tangent.as_gradient(bx, x)
