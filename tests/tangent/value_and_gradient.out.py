def df(x, w, by=1.0):
    product = x * w
    y = np.sum(product)
    tangent.check_seed(by, 0.0)
    # Grad of: return np.sum(x * w)
    bproduct = tangent.unreduce(by, product)
    bx = tangent.unbroadcast(bproduct * w, x)
    bw = tangent.unbroadcast(bproduct * x, w)
    return y, (tangent.as_gradient(bx, x), tangent.as_gradient(bw, w))
