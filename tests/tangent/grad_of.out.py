def dfdx(x, by=1.0):
    tangent.check_seed(by, x)
    # Grad of: return x * x
    bx = by * x + by * x
    # Grad of: with tangent.grad_of(x) as dx:
    if bx > 10:
        print("large gradient", bx)
    bx /= 2
    return tangent.as_gradient(bx, x)
