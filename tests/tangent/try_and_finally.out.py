def dfdx(x, by_1=1.0):
    try:
        with np.errstate(all="ignore"):
            y = np.log(x)
    finally:
        print("done")
    tangent.check_seed(by_1, x)
    # Grad of: return y * x
    by = by_1 * x
    bx = by_1 * y
    # Grad of: y = np.log(x)
    bx += by / x
    return tangent.as_gradient(bx, x)
