def dfdx(x, i, by=1.0):
    x_1 = x[0]
    x_i = x[i]
    product = x_1 * x_i
    x_2 = x[1:]
    sum_1 = np.sum(x_2)
    tangent.check_seed(by, product * sum_1)
    # Grad of: return x[0] * x[i] * np.sum(x[1:])
    bproduct = by * sum_1
    bx_2 = tangent.unreduce(tangent.unbroadcast(by * product, sum_1), x_2)
    bx = tangent.zeros_like(x)
    tangent.add_at(bx, slice(1, None), bx_2)
    bx_1 = tangent.unbroadcast(bproduct * x_i, x_1)
    tangent.add_at(bx, i, tangent.unbroadcast(bproduct * x_1, x_i))
    bx[0] += bx_1
    return tangent.as_gradient(bx, x)
