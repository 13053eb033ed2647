def dfdx(x, by=1.0):
    sum_x = x.sum()
    sin_1 = math.sin(sum_x)
    T_x = x.T
    mean_1 = T_x.mean()
    tangent.check_seed(by, 0.0)
    # Grad of: return math.sin(x.sum()) * x.T.mean()
    bsin_1 = by * mean_1
    bx = (tangent.unreduce(by * sin_1, T_x) / np.size(T_x)).T
    bx = bx + tangent.unreduce(bsin_1 * math.cos(sum_x), x)
    return tangent.as_gradient(bx, x)
