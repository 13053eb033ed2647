def dfdx(x, by=1.0):
    xs = [x, x * x]
    tangent.check_seed(by, max(*xs))
    # Grad of: return max(*xs)
    bxs = list(tangent.largest_item_adjoint(by, xs))
    # Grad of: xs = [x, x * x]
    bx = bxs[0]
    bproduct = bxs[1]
    bx = bx + (bproduct * x + bproduct * x)
    return tangent.as_gradient(bx, x)
