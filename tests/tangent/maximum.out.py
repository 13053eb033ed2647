def dfdx(x, by=1.0):
    maximum_x = np.maximum(x, 0.0)
    sum_1 = np.sum(maximum_x)
    x_1 = x[0]
    tangent.check_seed(by, sum_1 + max(x_1, 2.0))
    # Grad of: return np.sum(np.maximum(x, 0.0)) + max(x[0], 2.0)
    bsum_1 = tangent.unbroadcast(by, sum_1)
    bx_1 = tangent.largest_item_adjoint(by, (x_1, 2.0))[0]
    bx = tangent.zeros_like(x)
    tangent.add_at(bx, 0, bx_1)
    bmaximum_x = tangent.unreduce(bsum_1, maximum_x)
    bx += np.where(np.equal(x, 0.0), bmaximum_x / 2, bmaximum_x * np.greater(x, 0.0))
    return tangent.as_gradient(bx, x)
