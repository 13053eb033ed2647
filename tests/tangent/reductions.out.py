def dfdx(x, by=1.0):
    mean = np.mean(x, axis=0)
    difference = x - mean
    power = difference ** 2
    tangent.check_seed(by, 0.0)
    # Grad of: return np.sum((x - mean) ** 2)
    bdifference = tangent.unreduce(by, power) * 2 * difference
    bx = tangent.unbroadcast(bdifference, x)
    bmean = tangent.unbroadcast(-bdifference, mean)
    # Grad of: mean = np.mean(x, axis=0)
    bx = bx + tangent.unreduce(bmean, x, 0) / tangent.count(x, 0)
    return tangent.as_gradient(bx, x)
