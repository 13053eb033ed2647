def dfdx(x, by=1.0):
    dsquare_x, saved_dsquare_x = dsquaredx_forward(x)
    tangent.check_seed(by, x * dsquare_x)
    # Grad of: return x * dsquare(x)
    bx = tangent.unbroadcast(by * dsquare_x, x)
    bx = tangent.add_grad(bx, dsquaredx_backward(saved_dsquare_x, tangent.unbroadcast(by * x, dsquare_x)))
    return tangent.as_gradient(bx, x)


def dsquaredx_forward(x, by=1.0):
    tangent.check_seed(by, x)
    bx = by * x + by * x
    return tangent.as_gradient(bx, x), (bx, by, x)


def dsquaredx_backward(saved, by_1):
    bx, by, x = saved
    # Grad of: return tangent.as_gradient(bx, x)
    bbx = tangent.as_gradient(by_1, bx)
    # Grad of: bx = by * x + by * x
    bx_1 = tangent.unbroadcast(bbx * by, x)
    bx_1 = tangent.add_grad(bx_1, tangent.unbroadcast(bbx * by, x))
    return bx_1
